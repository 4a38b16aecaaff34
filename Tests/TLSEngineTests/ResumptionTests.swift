import Testing

@testable import TLSEngine

@Suite("Resuming a session")
struct ResumptionTests {
    /// A session of a client that has received its ticket.
    private func ticket(from context: TLSContext, _ options: TestClient.Options) throws -> TestSession {
        let (client, server) = try connected(to: context, options)
        #expect(client.isOpen && !client.isResumed)
        try server.send([1])
        client.feed(server.takeOutput())
        _ = client.step()
        return try client.session()
    }

    private func resumes(_ session: TestSession, in context: TLSContext, _ options: TestClient.Options) throws -> Bool {
        var options = options
        options.session = session
        let (client, server) = try connected(to: context, options)
        #expect(client.isOpen && server.state == .open)
        let isResumed = server.session.isResumed
        #expect(isResumed == client.isResumed)
        return isResumed
    }

    @Test("works until the ticket's key has rotated three times", arguments: bothVersions, 0...3)
    func worksByTicket(version: TLSSession.Version, rotations: Int) throws {
        let clock = TestClock()
        let context = try Fixtures.context(keys: TLSTicketKeys(clock: clock.read))
        let options = try Fixtures.options(version)
        let session = try ticket(from: context, options)
        for _ in 0..<rotations {
            clock.advance(TLSTicketKeys.period)
            _ = try ticket(from: context, options)
        }
        let isResumed = try resumes(session, in: context, options)
        #expect(isResumed == (rotations < 3))
    }

    @Test("does not work after a day without any connection", arguments: bothVersions)
    func endsWithTime(version: TLSSession.Version) throws {
        let clock = TestClock()
        let context = try Fixtures.context(keys: TLSTicketKeys(clock: clock.read))
        let session = try ticket(from: context, Fixtures.options(version))
        clock.advance(TLSTicketKeys.period * TLSTicketKeys.count)
        #expect(try !resumes(session, in: context, Fixtures.options(version)))
    }

    @Test("works in another context with the same keys, and in no other", arguments: bothVersions)
    func worksAcrossContexts(version: TLSSession.Version) throws {
        let context = try Fixtures.context()
        let options = try Fixtures.options(version)
        let session = try ticket(from: context, options)
        let again = try ticket(from: context, options)
        #expect(try resumes(session, in: Fixtures.context(keys: context.ticketKeys), options))
        #expect(try !resumes(again, in: Fixtures.context(), options))
    }

    @Test("does not get past other rules for clients", arguments: bothVersions)
    func keepsRules(version: TLSSession.Version) throws {
        let context = try Fixtures.context()
        let options = try Fixtures.options(version)
        let session = try ticket(from: context, options)
        let authority = try Fixtures.first.get().authority.chain
        let strict = try Fixtures.context(
            clients: .init(certificates: authority, mode: .optional), keys: context.ticketKeys)
        #expect(try !resumes(session, in: strict, options))
    }

    @Test("keeps the client's certificate", arguments: bothVersions)
    func keepsClientCertificate(version: TLSSession.Version) throws {
        let identity = try Fixtures.first.get()
        let context = try Fixtures.context(clients: .init(certificates: identity.authority.chain, mode: .required))
        var options = try Fixtures.options(version)
        let certificate = try identity.issue("client.example")
        options.certificate = (certificate.chain, certificate.key)
        options.session = try ticket(from: context, options)
        let (_, server) = try connected(to: context, options)
        let isResumed = server.session.isResumed
        #expect(isResumed)
        #expect(server.session.clientCertificate?.names == [.dns("client.example")])
    }

    @Test("works with the name that chose another certificate", arguments: bothVersions)
    func worksWithNames(version: TLSSession.Version) throws {
        let identity = try Fixtures.first.get()
        let context = try TLSContext(
            TLSConfiguration(certificates: [try identity.issue("one.example"), try identity.issue("two.example")]))
        let options = try Fixtures.options(version, name: "two.example")
        let session = try ticket(from: context, options)
        #expect(try resumes(session, in: context, options))
    }

    @Test("gives a new ticket in TLS 1.3, where each is used once (RFC 8446, appendix C.4)", arguments: bothVersions)
    func renewsTicket(version: TLSSession.Version) throws {
        let context = try Fixtures.context()
        var options = try Fixtures.options(version)
        var tickets: Set<[UInt8]> = []
        var session = try ticket(from: context, options)
        for _ in 0..<5 {
            tickets.insert(session.ticket)
            options.session = session
            let (client, server) = try connected(to: context, options)
            #expect(client.isResumed)
            try server.send([1])
            client.feed(server.takeOutput())
            _ = client.step()
            session = try client.session()
        }
        #expect(tickets.count == (version == .tls13 ? 5 : 1))
    }

    @Test("with a changed ticket falls back to a whole handshake")
    func survivesForgery() throws {
        let keys = TLSTicketKeys()
        #expect(keys.sealing() != nil)
        let unknown = [UInt8](repeating: 0, count: TicketKey.nameCount)
        #expect(unknown.withUnsafeBytes { keys.opening(name: $0) } == nil)
    }
}
