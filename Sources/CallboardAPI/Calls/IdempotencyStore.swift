import DequeModule
import Reactor

/// The answers that a director gave to POSTs with an `Idempotency-Key`, so that a repeated one does nothing twice.
///
/// Kept for 24 hours, at most 4,096 keys and 16 MiB of answers for a director; beyond that the oldest are forgotten.
struct IdempotencyStore {
    /// What the director answered.
    enum Answer: Sendable {
        /// A reply.
        case reply(Reply)
        /// A problem of the client's making.
        case problem(Problem)
    }

    /// What a key means for a request.
    enum Lookup {
        /// The key is new.
        case new
        /// The same request has been answered before.
        case repeated(Answer)
        /// The key stands for another request.
        case mismatch
        /// The same request is being stored at this moment and has no answer yet.
        case underWay
    }

    private struct Entry {
        let fingerprint: Int
        let answer: Answer
        let size: Int
        let expires: LoopInstant
    }

    static let lifetime = Duration.seconds(24 * 60 * 60)
    static let maxKeys = 4096
    static let maxBytes = 16 << 20
    /// The longest key that is taken, in bytes.
    static let maxKeyLength = 255

    private var entries: [String: Entry] = [:]
    private var underWay: [String: Int] = [:]
    private var order = Deque<String>()
    private var bytes = 0

    /// Looks a key up; `fingerprint` is of the method, the target and the body.
    mutating func look(up key: String, fingerprint: Int, now: LoopInstant) -> Lookup {
        expire(now: now)
        if let other = underWay[key] { return other == fingerprint ? .underWay : .mismatch }
        guard let entry = entries[key] else { return .new }
        return entry.fingerprint == fingerprint ? .repeated(entry.answer) : .mismatch
    }

    /// Notes that a request with this key has been performed and is being stored.
    mutating func begin(_ key: String, fingerprint: Int) {
        underWay[key] = fingerprint
    }

    /// Forgets a request that could not be stored: its key is as good as new.
    mutating func abandon(_ key: String) {
        underWay[key] = nil
    }

    /// Remembers the first answer to a key.
    mutating func remember(_ key: String, fingerprint: Int, answer: Answer, now: LoopInstant) {
        underWay[key] = nil
        guard entries[key] == nil else { return }
        let size = key.utf8.count + 256 + answer.size
        entries[key] = Entry(
            fingerprint: fingerprint, answer: answer, size: size, expires: now + Self.lifetime.nanoseconds)
        order.append(key)
        bytes += size
        while order.count > 1, order.count > Self.maxKeys || bytes > Self.maxBytes { forgetOldest() }
    }

    private mutating func expire(now: LoopInstant) {
        while let key = order.first, let entry = entries[key], entry.expires <= now { forgetOldest() }
    }

    private mutating func forgetOldest() {
        guard let key = order.popFirst() else { return }
        bytes -= entries.removeValue(forKey: key)?.size ?? 0
    }
}

extension IdempotencyStore.Answer {
    fileprivate var size: Int {
        switch self {
        case .reply(let reply): reply.body.count
        case .problem(let problem):
            problem.faults.reduce(problem.detail.utf8.count) { $0 + $1.pointer.utf8.count + $1.detail.utf8.count }
        }
    }
}
