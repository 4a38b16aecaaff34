import DequeModule
import Notation

/// The answers that a director gave to requests with a key, so that a repetition does nothing twice.
///
/// Answers are kept for 24 hours, at most 4,096 keys and 16 MiB of them for a director; beyond that the oldest are
/// dropped. A journal keeps as many, so that they are there again after a restart. Times are seconds since 1970, which
/// the caller gives.
package struct AnswerStore: Sendable {
    /// The meaning of a key for a request.
    package enum Lookup: Sendable, Equatable {
        /// The key is new.
        case new
        /// The same request has been answered before.
        case repeated(StoredAnswer)
        /// The key stands for another request.
        case mismatch
        /// The same request is in flight and has no answer yet.
        case inFlight
    }

    /// How long an answer is kept, in seconds.
    package static let lifetime = 24 * 60 * 60
    /// The most keys that are kept.
    package static let maxKeys = 4096
    /// The most bytes of keys and answers that are kept.
    package static let maxBytes = 16 << 20

    private var answers: [Name: StoredAnswer] = [:]
    private var inFlight: [Name: UInt64] = [:]
    private var order = Deque<Name>()
    private var bytes = 0

    /// Makes a store of answers that were kept before, oldest first.
    package init(_ answers: [StoredAnswer] = []) {
        for answer in answers { keep(answer) }
    }

    /// How many answers are kept.
    package var count: Int { answers.count }

    /// Looks a key up, and drops what has expired.
    package mutating func look(up key: CommandKey, now: Int) -> Lookup {
        while let name = order.first, let answer = answers[name], answer.expires <= now { dropOldest() }
        if let other = inFlight[key.name] { return other == key.fingerprint ? .inFlight : .mismatch }
        guard let answer = answers[key.name] else { return .new }
        return answer.fingerprint == key.fingerprint ? .repeated(answer) : .mismatch
    }

    /// Notes that a request with this key is in flight.
    mutating func begin(_ key: CommandKey) {
        inFlight[key.name] = key.fingerprint
    }

    /// Forgets a request that could not be stored: its key is as good as new.
    mutating func abandon(_ name: String) {
        inFlight[name] = nil
    }

    /// Keeps the answer to a key. An earlier one is out of date: otherwise its command was not carried out again.
    mutating func remember(_ answer: StoredAnswer) {
        inFlight[answer.key] = nil
        keep(answer)
    }

    private mutating func keep(_ answer: StoredAnswer) {
        let key = Name(answer.key)
        // Where nobody has asked since, an answer that has expired is still there.
        if let earlier = answers.updateValue(answer, forKey: key) {
            bytes -= Self.size(earlier)
            order.removeAll { $0 == key }
        }
        order.append(key)
        bytes += Self.size(answer)
        while order.count > 1, order.count > Self.maxKeys || bytes > Self.maxBytes { dropOldest() }
    }

    private mutating func dropOldest() {
        guard let key = order.popFirst(), let answer = answers.removeValue(forKey: key) else { return }
        bytes -= Self.size(answer)
    }

    private static func size(_ answer: StoredAnswer) -> Int {
        answer.key.utf8.count + 256 + answer.body.count
    }
}

/// The key of a request that may be repeated, with what distinguishes two requests of one key.
package struct CommandKey: Sendable, Hashable {
    /// The key: an `Idempotency-Key`, or that of an event.
    package let name: String
    /// The hash of the request; the same in every run of the program.
    package let fingerprint: UInt64

    /// Makes a key.
    package init(_ name: String, fingerprint: UInt64) {
        self.name = name
        self.fingerprint = fingerprint
    }

    /// The answer to the request, to be kept for 24 hours from a time in seconds since 1970.
    package func answer(_ body: [UInt8], now: Int) -> StoredAnswer {
        StoredAnswer(key: name, fingerprint: fingerprint, body: body, expires: now + AnswerStore.lifetime)
    }
}
