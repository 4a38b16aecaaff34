import COpenSSL
import Testing

@testable import TLSEngine

@Suite("Early data (RFC 8446, section 4.2.10) is skipped and never taken")
struct EarlyDataTests {
    /// Why the server does not take a client's early data.
    enum Ticket: CaseIterable, Sendable {
        /// Another server has sealed the ticket, which this one cannot open.
        case foreign
        /// The ticket is the server's own, and allows no early data, whatever the client believes.
        case own
        /// The ticket is the server's own, and its key has been dropped.
        case forgotten
        /// The server opens the ticket and resumes nothing, since it asks clients for certificates now.
        case otherRules
    }

    static let amounts = [1, 100, 16_384, 16_385, 60_000]

    private static let context = Result { try Fixtures.context() }

    private func session(from context: TLSContext) throws -> TestSession {
        let (client, server) = try connected(to: context, Fixtures.options(.tls13))
        try server.send([1])
        client.feed(server.takeOutput())
        _ = client.step()
        let session = try client.session()
        session.allowEarlyData(.max)
        return session
    }

    /// The server that is asked, and a session of a client that may send it early data.
    private func begin(_ ticket: Ticket) throws -> (context: TLSContext, session: TestSession) {
        let context = try Self.context.get()
        switch ticket {
        case .foreign: return (context, try session(from: Fixtures.context()))
        case .own: return (context, try session(from: context))
        case .forgotten:
            let clock = TestClock()
            let old = try Fixtures.context(keys: TLSTicketKeys(clock: clock.read))
            let session = try session(from: old)
            clock.advance(TLSTicketKeys.period * TLSTicketKeys.count)
            return (old, session)
        case .otherRules:
            let authority = try Fixtures.first.get().authority.chain
            let strict = try Fixtures.context(
                clients: .init(certificates: authority, mode: .optional), keys: context.ticketKeys)
            return (strict, try session(from: context))
        }
    }

    /// Expects that what follows the early data arrives, and the early data does not.
    private func expectOpen(_ client: TestClient, _ server: ServerEnd) {
        #expect(client.isOpen && server.state == .open && !client.isEarlyDataAccepted, "\(server.state)")
        server.receive(client.write(Array("GET /".utf8)))
        #expect(server.received == Array("GET /".utf8) && server.failure == nil)
    }

    @Test("whatever ticket it comes with, and however long it is", arguments: Ticket.allCases, amounts)
    func skips(ticket: Ticket, count: Int) throws {
        let (context, session) = try begin(ticket)
        var options = try Fixtures.options(.tls13)
        options.session = session
        options.earlyData = [UInt8](repeating: 7, count: count)
        let (client, server) = try connected(to: context, options)
        expectOpen(client, server)
        #expect(client.isResumed == (ticket == .own))
    }

    @Test("however the bytes are cut", arguments: Ticket.allCases, [1, 3, 64])
    func skipsInPieces(ticket: Ticket, piece: Int) throws {
        let (context, session) = try begin(ticket)
        var options = try Fixtures.options(.tls13)
        options.session = session
        options.earlyData = [UInt8](repeating: 7, count: 500)
        let client = try TestClient(options)
        let server = try ServerEnd(context)
        connect(client, server, piece: piece)
        expectOpen(client, server)
    }

    @Test("where the server asks for another key share (HelloRetryRequest)", arguments: Ticket.allCases)
    func skipsBeforeRetry(ticket: Ticket) throws {
        let (context, session) = try begin(ticket)
        var options = try Fixtures.options(.tls13)
        options.session = session
        options.groups = "P-521:P-256"
        options.earlyData = [UInt8](repeating: 7, count: 500)
        let (client, server) = try connected(to: context, options)
        expectOpen(client, server)
    }

    @Test("up to a bound: what is longer ends the connection", arguments: [Ticket.foreign, .own])
    func boundsSkipping(ticket: Ticket) throws {
        let (context, session) = try begin(ticket)
        var options = try Fixtures.options(.tls13)
        options.session = session
        options.earlyData = [UInt8](repeating: 7, count: Int(CertificateContext.maxSkippedEarlyData) + 20_000)
        let (_, server) = try connected(to: context, options)
        #expect(server.failure != nil && server.received.isEmpty)
    }

    @Test("No ticket of the server's allows any")
    func allowsNone() throws {
        let (client, server) = try connected(to: Self.context.get(), Fixtures.options(.tls13))
        try server.send([1])
        client.feed(server.takeOutput())
        _ = client.step()
        #expect(SSL_SESSION_get_max_early_data(try client.session().pointer) == 0)
    }
}
