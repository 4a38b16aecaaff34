import DequeModule
import Journal

/// The answers that a director gave to POSTs with an `Idempotency-Key`, so that a repeated one does nothing twice.
///
/// Kept for 24 hours, at most 4,096 keys and 16 MiB of answers for a director; beyond that the oldest are forgotten. The
/// journal keeps as many, so that they are there again after a restart. Time is the calendar's, for the same reason.
struct IdempotencyStore {
    /// What a key means for a request.
    enum Lookup {
        /// The key is new.
        case new
        /// The same request has been answered before.
        case repeated(Reply)
        /// The key stands for another request.
        case mismatch
        /// The same request is being stored at this moment and has no answer yet.
        case underWay
    }

    private struct Entry {
        let fingerprint: UInt64
        let answer: Reply
        let size: Int
        let expires: Int
    }

    /// How long an answer is kept, in seconds.
    static let lifetime = 24 * 60 * 60
    static let maxKeys = 4096
    static let maxBytes = 16 << 20
    /// The longest key that is taken, in bytes.
    static let maxKeyLength = 255

    private var entries: [String: Entry] = [:]
    private var underWay: [String: UInt64] = [:]
    private var order = Deque<String>()
    private var bytes = 0
    private let now: @Sendable () -> Int

    /// Makes an empty store; `now` is the time in seconds since 1970.
    init(now: @escaping @Sendable () -> Int = StoreClock.now) {
        self.now = now
    }

    /// Makes a store of the answers that a journal has kept, oldest first. One that cannot be read is left out: it was
    /// written by another version of the program, and asking again does what the request says.
    init(_ answers: [StoredAnswer], now: @escaping @Sendable () -> Int = StoreClock.now) {
        self.init(now: now)
        for answer in answers {
            guard let reply = Reply(encoded: answer.body) else { continue }
            keep(answer.key, fingerprint: answer.fingerprint, reply, expires: answer.expires)
        }
    }

    /// Looks a key up; `fingerprint` is of the method, the target and the body.
    mutating func look(up key: String, fingerprint: UInt64) -> Lookup {
        let time = now()
        while let key = order.first, let entry = entries[key], entry.expires <= time { forgetOldest() }
        if let other = underWay[key] { return other == fingerprint ? .underWay : .mismatch }
        guard let entry = entries[key] else { return .new }
        return entry.fingerprint == fingerprint ? .repeated(entry.answer) : .mismatch
    }

    /// Notes that a request with this key has been performed and is being stored.
    mutating func begin(_ key: String, fingerprint: UInt64) {
        underWay[key] = fingerprint
    }

    /// Forgets a request that could not be stored: its key is as good as new.
    mutating func abandon(_ key: String) {
        underWay[key] = nil
    }

    /// Remembers the first answer to a key.
    mutating func remember(_ key: String, fingerprint: UInt64, _ answer: Reply) {
        underWay[key] = nil
        keep(key, fingerprint: fingerprint, answer, expires: now() + Self.lifetime)
    }

    private mutating func keep(_ key: String, fingerprint: UInt64, _ answer: Reply, expires: Int) {
        guard entries[key] == nil else { return }
        let size = key.utf8.count + 256 + answer.body.count
        entries[key] = Entry(fingerprint: fingerprint, answer: answer, size: size, expires: expires)
        order.append(key)
        bytes += size
        while order.count > 1, order.count > Self.maxKeys || bytes > Self.maxBytes { forgetOldest() }
    }

    private mutating func forgetOldest() {
        guard let key = order.popFirst() else { return }
        bytes -= entries.removeValue(forKey: key)?.size ?? 0
    }
}
