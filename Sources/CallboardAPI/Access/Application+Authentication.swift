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
    /// - Throws: 400 for several credentials, 401 for one that is not good, 429 for an address that has failed too often.
    func authenticate(_ exchange: Exchange, isLastTry: Bool) throws(Problem) -> Principal? {
        guard !access.isOpen else { return .everybody }
        guard let credential = try Self.credential(of: exchange.head) else { return access.anonymous }
        let cache = credentials(on: exchange.loop)
        if let known = cache?.onLoop(credential, { $0.principal(of: $1) }) {
            // One that was good once is no guess, and costs no more than a look-up.
            if let fault = access.fault(of: known) { throw .credentialRefused(fault) }
            return known
        }
        let address = exchange.remoteAddress
        if let seconds = access.delay(of: address) {
            throw .tooMany(
                "This address has presented too many credentials that are not good.", retryAfter: seconds)
        }
        do {
            let principal = try access.principal(of: credential)
            cache?.onLoop((principal, credential)) { $0.keep($1.0, for: $1.1) }
            return principal
        } catch {
            if !isLastTry, case .token(let fault) = error,
                access.fetchKeys(for: fault, then: { exchange.loop.execute { self.handle(exchange, isLastTry: true) } })
            {
                return nil
            }
            access.noteFailure(from: address)
            throw .credentialRefused(error)
        }
    }

    /// The credential that a request presents: a bearer token (RFC 6750, section 2.1).
    private static func credential(of head: RequestHead) throws(Problem) -> String? {
        guard let field = head.fields.value(of: .authorization) else { return nil }
        guard head.fields[values: .authorization].count == 1 else {
            throw .credentialMalformed("The request has several Authorization fields; send one.")
        }
        let parts = field.split(separator: " ", maxSplits: 1)
        guard parts.count == 2, parts[0].lowercased() == "bearer" else {
            throw .credentialMalformed("Authorization has to be: Bearer TOKEN.")
        }
        return String(parts[1])
    }
}
