import Access
import HTTPServer
import HTTPTypes
import HTTPWire
import Reactor

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
        switch try PresentedCredential(of: exchange.head) {
        case nil:
            guard let certificate = exchange.certificate else { return access.anonymous }
            return try principal(of: certificate, exchange)
        case .field(let field): return try principal(of: field, exchange, isLastTry: isLastTry)
        case .ticket(let text): return try principal(ofTicket: text, exchange, isLastTry: isLastTry)
        case .session(let token):
            try admission.sites.checkAmbient(exchange.head, isBrowser: true)
            do throws(Problem) {
                return try principal(of: "Bearer " + token, exchange, isLastTry: isLastTry)
            } catch {
                var problem = error
                // The page cannot reach the cookie: without this, every answer would be the same from here on.
                problem.endsSession = error.status == .unauthorized
                throw problem
            }
        }
    }

    /// Finds out what the holder of a certificate may do.
    private func principal(of certificate: PeerCertificate, _ exchange: Exchange) throws(Problem) -> Principal {
        // A browser adds it unasked, as it does a cookie.
        try admission.sites.checkAmbient(exchange.head, isBrowser: false)
        let cache = credentials(on: exchange.loop)
        let known = cache?.onLoop(certificate.key) { $0.principal(of: $1) }
        let principal = known ?? access.principal(of: certificate)
        if let fault = access.fault(of: principal) { throw .credentialRefused(fault) }
        if known == nil { cache?.onLoop((principal, certificate.key)) { $0.keep($1.0, for: $1.1) } }
        return principal
    }

    /// Finds out whose token is in an Authorization field.
    private func principal(of field: String, _ exchange: Exchange, isLastTry: Bool) throws(Problem) -> Principal? {
        let cache = credentials(on: exchange.loop)
        // The field as it was sent is what is looked up, so that a request takes nothing apart.
        if let known = cache?.onLoop(field, { $0.principal(of: $1) }) {
            // One that was good once is no guess, and costs no more than a look-up.
            if let fault = access.fault(of: known) { throw .credentialRefused(fault) }
            return known
        }
        let credential = try PresentedCredential.token(in: field)
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
            if !isLastTry, case .token(let fault) = error, fault.mayPassWithOtherKeys {
                let again: @Sendable () -> Void = { exchange.loop.execute { self.handle(exchange, isLastTry: true) } }
                if access.fetchKeys(for: fault, then: again) { return nil }
                // A fetch that has ended between may have brought them.
                return try principal(of: field, exchange, isLastTry: true)
            }
            if !isLastTry, case .unknown = error, lookForTokens(then: exchange) { return nil }
            // Whether it is good cannot be told, and that is not its fault.
            if case .token(.noKeys(let issuer)) = error { throw .keysMissing(of: issuer) }
            if let delay { throw .tooManyCredentials(retryAfter: delay) }
            access.noteFailure(from: address)
            throw .credentialRefused(error)
        }
    }

    /// Looks whether another node has made a token that is not known here, and has the request handled again then.
    ///
    /// - Returns: False where there are no other nodes.
    private func lookForTokens(then exchange: Exchange) -> Bool {
        guard let cluster = environment.cluster else { return false }
        let start = exchange.loop.now
        cluster.journal.look(at: nil) { error in
            exchange.loop.execute {
                guard let error else { return self.handle(exchange, isLastTry: true) }
                self.responder.answer(.away(error), to: exchange, route: nil, start: start)
            }
        }
        return true
    }

    /// Finds out who has asked for a ticket; nothing but reading its directors is left of what they may do.
    private func principal(
        ofTicket text: Substring, _ exchange: Exchange, isLastTry: Bool
    ) throws(Problem) -> Principal? {
        let ticket: StreamTicket
        do throws(TicketFault) {
            ticket = try access.ticketKey.open(text, now: access.now)
        } catch {
            // One that has expired was good: it is no guess.
            if error == .unknown {
                if let delay = access.delay(of: exchange.remoteAddress) { throw .tooManyCredentials(retryAfter: delay) }
                access.noteFailure(from: exchange.remoteAddress)
            }
            throw .credentialRefused(.ticket(error))
        }
        guard let token = ticket.credential else { return access.anonymous.reading(ticket.directors) }
        return try principal(of: "Bearer " + token, exchange, isLastTry: isLastTry)?.reading(ticket.directors)
    }
}
