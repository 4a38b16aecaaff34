import Directors
import Journal
import JournalTesting
import Testing

@testable import JournalPostgres

/// Nodes whose machines have other times than the database's.
@Suite(.serialized)
struct ClockTests {
    /// A node whose clock is so far ahead of the database's.
    private func node(_ database: TestDatabase, ahead lead: Duration) throws -> TestNode {
        try TestNode(database) { $0.wallClock = { StoreClock.wallTime().advanced(by: lead) } }
    }

    @Test("a notification is due after the same time at a node with another clock", arguments: [140, -140, 0])
    func due(lead: Int) async throws {
        let database = try PostgresServer.shared.get().makeDatabase()
        let owner = try node(database, ahead: .seconds(lead))
        try await owner.journal.append(.begin())
        let now = StoreClock.wallTime()
        // By its own clock, in a minute.
        var delivery = Delivery.sample(1)
        delivery.nextAttempt = now.advanced(by: .seconds(lead + 60))
        try await owner.journal.deliveries.write([.put(delivery)])
        owner.journal.close()
        let heir = try node(database, ahead: .zero)
        defer { heir.journal.close() }
        heir.serve()
        while heir.inheritance(of: "contacts") == nil { _ = await heir.look() }
        let found = try #require(heir.inheritance(of: "contacts")?.deliveries.first)
        let left = found.nextAttempt.since(now)
        #expect(.seconds(58) < left && left < .seconds(62), "\(left)")
        #expect(found.created == delivery.created && found.body == delivery.body)
    }
}
