/// A client's proof of identity.
///
/// It goes into the header field `Authorization` of every request and of every connection of a stream, never into an
/// address, and to no other origin than the server's: see ``URLSessionTransport`` for redirects.
public struct Credential: Sendable {
    /// Gives a token; called off the caller's task and never twice at a time by one client.
    public typealias Provider = @Sendable () async throws -> AccessToken

    enum Source: Sendable {
        case none
        case fixed(AccessToken)
        case provider(Provider, keepsToken: Bool)
    }

    let source: Source

    /// No credential: what the server lets everybody do.
    public static let none = Credential(source: .none)

    /// One token for as long as the client lives.
    ///
    /// - Throws: ``ClientError/invalidToken(reason:)`` where the text has characters that a token cannot have.
    public static func token(_ text: String) throws(ClientError) -> Credential {
        Credential(source: .fixed(try AccessToken(text)))
    }

    /// Tokens that are asked for when they are needed.
    ///
    /// The client keeps a token and asks for the next one a minute before it ends, or a tenth of its life before where
    /// that is less; also where the server answers 401, once for each request, or ends a stream because of the token.
    /// Requests that need a token at the same time share one call. A token that has ended when it is given is used all
    /// the same, and asked for again by a request that comes at least a second later.
    ///
    /// The request throws the closure's error. A stream that has been connected before takes it for a connection that
    /// failed, and tries again as its ``ReconnectPolicy`` says.
    ///
    /// - Parameters:
    ///   - keepsToken: whether the client keeps a token; `false` calls the closure before each request and each
    ///     connection, which suits one that reads a file or has a cache of its own.
    ///   - provide: gives the token. It is cancelled where nobody waits for it any more.
    public static func provider(keepsToken: Bool = true, _ provide: @escaping Provider) -> Credential {
        Credential(source: .provider(provide, keepsToken: keepsToken))
    }
}

extension Credential: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// `(none)` or `(secret)`.
    public var description: String {
        if case .none = source { "(none)" } else { "(secret)" }
    }

    /// The same as `description`.
    public var debugDescription: String { description }

    /// Without children, so that `dump` and a debugger's summary show nothing either.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
