import DirectorLife
import Foundation
import Journal
import JournalTesting
import Testing

@testable import JournalPostgres

/// What a node does that has lost a director, or is given one, while something else of it is under way.
@Suite(.serialized)
struct OwnerChangeTests {
    /// Settings under which a statement that waits for a lock is soon in doubt.
    private static func impatient(_ settings: inout PostgresSettings) {
        settings.deadline = .milliseconds(300)
        settings.patience = .milliseconds(100)
    }

    private func doubts(of node: TestNode) -> Int { node.journal.committer.withLock { $0.doubts } }

    /// Appends without waiting for the end of it.
    private func appending(_ record: LifeRecord, to node: TestNode) -> Task<Void, any Error> {
        Task { try await node.journal.append(record) }
    }

    @Test("a director that was taken and deleted before its owner has looked ends there, and its name is free")
    func deletedElsewhere() async throws {
        let database = try PostgresServer.shared.get().makeDatabase()
        let node = try TestNode(database)
        defer { node.journal.close() }
        try await node.journal.append(.begin())
        #expect(await node.look() == nil)
        try database.execute("UPDATE callboard.lives SET owner = 999, term = term + 1, head = 2, ended = true")
        #expect(await node.look() == nil)
        #expect(node.events == [.end("contacts")])
        try await node.journal.append(.begin(epoch: "e2"))
    }

    @Test("a director that its owner has deleted itself is no loss, and is told once")
    func deletedHere() async throws {
        let database = try PostgresServer.shared.get().makeDatabase()
        let node = try TestNode(database)
        defer { node.journal.close() }
        try await node.journal.append(.begin())
        #expect(await node.look() == nil)
        try await node.journal.append(.end(number: 2))
        #expect(await node.look() == nil)
        #expect(node.events == [.end("contacts")])
        #expect(node.journal.shared.withLock { $0.owned.isEmpty })
    }
}
