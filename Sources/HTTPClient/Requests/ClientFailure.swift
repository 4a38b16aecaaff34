/// Why a request got no answer.
///
/// Its text says what happened in words, for people.
package enum ClientFailure: Error, Hashable, Sendable {
    /// The target is inside of the network, and nothing allows it.
    case refused(AddressRefusal)
    /// The host's name has no address, or could not be looked up.
    case unresolved(host: String, reason: String)
    /// Too many requests wait already, for this target or altogether; it was not sent.
    case queueFull(target: String, limit: Int)
    /// The time-out passed; the text says during what.
    case timedOut(after: Duration, during: Phase)
    /// Nobody could be reached at any of the target's addresses.
    case notConnected(target: String, reason: String)
    /// The secure connection could not be made, or the certificate is not trusted.
    case notSecure(target: String, reason: String)
    /// The connection ended before the answer did.
    case cutOff(target: String, reason: String)
    /// What came is not HTTP.
    case unreadable(target: String, reason: String)
    /// The answer's content is larger than the limit.
    case answerTooLarge(limit: Int)
    /// A header field of the request cannot be sent.
    case invalidField(name: String)
    /// The task that sent it was cancelled.
    case cancelled
    /// The client is shutting down; the request may or may not have arrived.
    case shutDown

    /// The step that a request was waiting for.
    package enum Phase: String, Hashable, Sendable {
        /// Its turn.
        case queue = "waiting for other requests to this target"
        /// The host's addresses.
        case lookUp = "looking up the host's name"
        /// A connection.
        case connection = "connecting"
        /// The answer.
        case answer = "waiting for the answer"
    }
}

extension ClientFailure: CustomStringConvertible {
    /// What happened.
    package var description: String {
        switch self {
        case .refused(let refusal):
            "\(refusal)"
        case .unresolved(let host, let reason):
            "\(host) could not be looked up: \(reason)"
        case .queueFull(let target, let limit):
            "\(limit) requests wait for \(target) already"
        case .timedOut(let duration, let phase):
            "timed out after \(duration.inWords), \(phase.rawValue)"
        case .notConnected(let target, let reason):
            "could not connect to \(target): \(reason)"
        case .notSecure(let target, let reason):
            "no secure connection to \(target): \(reason)"
        case .cutOff(let target, let reason):
            "the connection to \(target) ended before the answer did: \(reason)"
        case .unreadable(let target, let reason):
            "\(target) did not answer in HTTP: \(reason)"
        case .answerTooLarge(let limit):
            "the answer has more than \(limit) bytes"
        case .invalidField(let name):
            "the header field '\(name.filter { $0.isASCII && !$0.isNewline })' cannot be sent as it is"
        case .cancelled:
            "cancelled"
        case .shutDown:
            "the server was shut down meanwhile"
        }
    }
}

extension Duration {
    /// `5 s`, `0.25 s`.
    fileprivate var inWords: String {
        let milliseconds = components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000
        let (seconds, rest) = milliseconds.quotientAndRemainder(dividingBy: 1000)
        guard rest > 0 else { return "\(seconds) s" }
        var digits = String(repeating: "0", count: 3 - String(rest).count) + String(rest)
        while digits.hasSuffix("0") { digits.removeLast() }
        return "\(seconds).\(digits) s"
    }
}
