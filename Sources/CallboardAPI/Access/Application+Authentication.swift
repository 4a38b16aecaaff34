import Access
import HTTPServer
import HTTPTypes
import HTTPWire

extension Application {
    /// Finds out who makes a request.
    ///
    /// A credential that is presented and is not good is refused, whatever may be done without one.
    ///
    /// - Parameter isLastTry: False where the request may wait for keys that are fetched.
    /// - Returns: Nil where the request waits: it is handled again then.
    /// - Throws: 400 for several credentials, 401 for one that is not good, 429 for an address that has failed too often,
    ///   503 where the keys of the token's issuer cannot be had.
    func authenticate(_ exchange: Exchange, isLastTry: Bool) throws(Problem) -> Principal? {
        guard !access.isOpen else { return .everybody }
        guard let field = try Self.authorization(of: exchange.head) else { return access.anonymous }
        let cache = credentials(on: exchange.loop)
        // The field as it was sent is what is looked up, so that a request takes nothing apart.
        if let known = cache?.onLoop(field, { $0.principal(of: $1) }) {
            // One that was good once is no guess, and costs no more than a look-up.
            if let fault = access.fault(of: known) { throw .credentialRefused(fault) }
            return known
        }
        let credential = try Self.credential(in: field)
        let address = exchange.remoteAddress
        let delay = access.delay(of: address)
        // A static token costs a digest. One that is known passes, also from an address that is shared with who guesses, as
        // that of a proxy is; a signature is not looked at.
        if let delay, !credential.hasPrefix(StaticToken.prefix) { throw .tooManyCredentials(retryAfter: delay) }
        do {
            let principal = try access.principal(of: credential)
            cache?.onLoop((principal, field)) { $0.keep($1.0, for: $1.1) }
            return principal
        } catch {
            if !isLastTry, case .token(let fault) = error,
                access.fetchKeys(for: fault, then: { exchange.loop.execute { self.handle(exchange, isLastTry: true) } })
            {
                return nil
            }
            // Whether it is good cannot be told, and that is not its fault.
            if case .token(.noKeys(let issuer)) = error { throw .keysMissing(of: issuer) }
            if let delay { throw .tooManyCredentials(retryAfter: delay) }
            access.noteFailure(from: address)
            throw .credentialRefused(error)
        }
    }

    /// The value of the one Authorization field that a request may have.
    private static func authorization(of head: RequestHead) throws(Problem) -> String? {
        var found: String?
        for field in head.fields where field.name == .authorization {
            guard found == nil else {
                throw .credentialMalformed("The request has several Authorization fields; send one.")
            }
            found = field.value
        }
        return found
    }

    /// The bearer token in an Authorization field (RFC 6750, section 2.1).
    private static func credential(in field: String) throws(Problem) -> String {
        let parts = field.split(separator: " ", maxSplits: 1)
        guard parts.count == 2, parts[0].lowercased() == "bearer" else {
            throw .credentialMalformed("Authorization has to be: Bearer TOKEN.")
        }
        return String(parts[1])
    }
}
