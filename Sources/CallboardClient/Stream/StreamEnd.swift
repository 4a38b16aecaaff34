/// The server's word that a stream is over.
public struct StreamEnd: Sendable, Hashable {
    /// The director; nil on the stream of a single one where the server left it out.
    public let director: String?
    /// The server's reason as it was sent, such as `expired`. ``cause`` is the same as an enumeration.
    public let reason: String
}

extension StreamEnd: CustomStringConvertible {
    /// A reason that this version of the client knows.
    public enum Cause: String, Sendable {
        /// The token's time is over.
        case expired
        /// The token has been withdrawn.
        case revoked
        /// The token does not give the right to read the director any more.
        case forbidden
        /// The server is closing; it, or another one, may be there again soon.
        case closing
        /// An operator has closed the stream; another one is taken.
        case closed
        /// The director was deleted.
        case deleted
    }

    /// The reason, or nil where this version of the client does not know it.
    public var cause: Cause? { Cause(rawValue: reason) }

    /// The reason in words, as a sentence without a full stop.
    public var description: String {
        switch cause {
        case .expired: "the token has expired"
        case .revoked: "the token has been revoked"
        case .forbidden: "the token does not give the right to read the director"
        case .closing: "the server is closing"
        case .closed: "an operator has closed the stream"
        case .deleted: "the director was deleted"
        case nil: reason
        }
    }
}

extension ClientError {
    /// The error of a stream that ended because of its credential; nil where it ended for another reason.
    init?(_ end: StreamEnd) {
        let detail = Problem.value(detail: "the server ended the stream: \(end)")
        switch end.cause {
        case .expired, .revoked: self = .unauthorized(Problem(detail, status: 401))
        case .forbidden: self = .forbidden(Problem(detail, status: 403))
        case .closing, .closed, .deleted, nil: return nil
        }
    }
}
