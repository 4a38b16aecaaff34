import DirectorLife
import Foundation
import Journal
import JournalTesting
import Synchronization
import TestSupport
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

    private func doubts(of node: TestNode) -> Int { node.journal.thread.committer.withLock { $0.machine.doubts } }

    /// A node that has begun a director and looked at it.
    private func begun(
        _ change: (inout PostgresSettings) -> Void = { _ in }
    ) async throws -> (TestDatabase, TestNode) {
        let database = try PostgresServer.shared.get().makeDatabase()
        let node = try TestNode(database, change)
        try await node.journal.append(.begin())
        #expect(await node.look() == nil)
        return (database, node)
    }

    /// Appends without waiting for the end of it.
    private func appending(_ record: LifeRecord, to node: TestNode) -> Task<Void, any Error> {
        Task { try await node.journal.append(record) }
    }

    @Test("a director that was taken and deleted before its owner has looked ends there, and its name is free")
    func deletedElsewhere() async throws {
        let (database, node) = try await begun()
        defer { node.journal.close() }
        try database.execute("UPDATE callboard.lives SET owner = 999, term = term + 1, head = 2, ended = true")
        #expect(await node.look() == nil)
        #expect(node.events == [.end("contacts")])
        try await node.journal.append(.begin(epoch: "e2"))
    }

    @Test("a director that was taken and deleted before its owner has looked once ends there, and its name is free")
    func deletedUnseen() async throws {
        let database = try PostgresServer.shared.get().makeDatabase()
        let node = try TestNode(database) { $0.sharing?.lookInterval = .seconds(60) }
        defer { node.journal.close() }
        try await node.journal.append(.begin())
        try database.execute("UPDATE callboard.lives SET owner = 999, term = term + 1, head = 2, ended = true")
        #expect(await node.look() == nil)
        #expect(node.events == [.end("contacts")])
        try await node.journal.append(.begin(epoch: "e2"))
    }

    @Test("a director that is taken and deleted while its beginning is told ends there, and its name is free")
    func deletedWhileTold() async throws {
        let database = try PostgresServer.shared.get().makeDatabase()
        let node = try TestNode(database) { $0.sharing?.lookInterval = .seconds(60) }
        defer { node.journal.close() }
        let events = await withCheckedContinuation { continuation in
            node.journal.append(.begin()) { _ in
                // On the writing thread, which goes on once this returns.
                try? database.execute(
                    "UPDATE callboard.lives SET owner = 999, term = term + 1, head = 2, ended = true")
                let looked = DispatchSemaphore(value: 0)
                node.journal.sharing?.look(at: nil) { _ in looked.signal() }
                looked.wait()
                continuation.resume(returning: node.events)
            }
        }
        #expect(events == [.end("contacts")])
        try await node.journal.append(.begin(epoch: "e2"))
    }

    @Test("a director that is stored for this node, and that is not there any more, is read and owned anew")
    func displaced() async throws {
        let (_, node) = try await begun()
        defer { node.journal.close() }
        node.drop("contacts")
        #expect(await node.look(at: ["contacts"]) == nil)
        #expect(node.events.first == .begin("contacts", number: 1))
        try await eventually("ownership") { node.events.contains(.own("contacts")) }
        #expect(node.events == [.begin("contacts", number: 1), .own("contacts")])
        let ownership = node.inheritance(of: "contacts")?.ownership
        try await node.journal.append(.text("b", number: 2, ownership: ownership))
        await #expect(throws: StorageError.self) { try await node.journal.append(.text("c", number: 3, ownership: 0)) }
    }

    @Test("a damaged token, notification or kept answer is left out, and the look and the taking go on without it")
    func damagedRows() async throws {
        let database = try PostgresServer.shared.get().makeDatabase()
        let node = try TestNode(database)
        defer { node.journal.close() }
        let kept = StoredAnswer(key: "whole", fingerprint: 1, body: [1], expires: .max)
        let damaged = StoredAnswer(key: "damaged", fingerprint: 1, body: [1], expires: .max)
        try await node.journal.append(.begin(answer: kept))
        try await node.journal.append(.text("b", number: 2, answer: damaged))
        try await node.journal.deliveries.write([.put(.sample(1)), .put(.sample(2))])
        try await node.journal.tokens.write([.put(.sample(1, name: "damaged")), .put(.sample(2, name: "whole"))])
        try database.execute("UPDATE callboard.tokens SET name = 'x' WHERE name = 'damaged'")
        try database.execute("UPDATE callboard.deliveries SET attempts = 9223372036854775807 WHERE delivery = 2")
        try database.execute("UPDATE callboard.answers SET fingerprint = 2 WHERE key = 'damaged'")
        node.drop("contacts")
        let failure = await node.look()
        #expect(failure == nil, "\(String(describing: failure))")
        #expect(node.tokens == ["whole"])
        try await eventually("ownership") { node.events.contains(.own("contacts")) }
        let inheritance = try #require(node.inheritance(of: "contacts"))
        #expect(inheritance.answers.map(\.key) == ["whole"])
        #expect(inheritance.deliveries == [.sample(1)])
        #expect(Set(node.leftOut).count == 3)
    }

    @Test("a director that its owner has deleted itself is no loss, and is told once")
    func deletedHere() async throws {
        let (_, node) = try await begun()
        defer { node.journal.close() }
        try await node.journal.append(.end(number: 2))
        #expect(await node.look() == nil)
        #expect(node.events == [.end("contacts")])
        #expect(node.journal.shared.withLock { $0.writing.owned.isEmpty })
    }

    @Test("a director that is lost while a change of it is in doubt for long leaves the name free once it is deleted")
    func lostInDoubt() async throws {
        let (database, node) = try await begun(Self.impatient)
        defer { node.journal.close() }
        let fence = try OpenTransaction(database, "SELECT FROM callboard.fences FOR UPDATE")
        let rows = try OpenTransaction(database, "UPDATE callboard.lives SET owner = 999, term = term + 1")
        let change = appending(.text("b", number: 2), to: node)
        try await eventually("a doubt") { doubts(of: node) == 1 }
        try rows.commit()
        try await eventually("a loss") { node.events.contains(.lose("contacts")) }
        // Changes no longer wait by now, and jobs are refused.
        try await Task.sleep(for: .seconds(1))
        try fence.commit()
        await #expect(throws: StorageError.self) { try await change.value }
        try database.execute("UPDATE callboard.lives SET ended = true")
        #expect(await node.look() == nil)
        try await node.journal.append(.begin(epoch: "e2"))
    }

    @Test("a director that is taken between a look and its adoption is not adopted")
    func takenBeforeAdoption() async throws {
        let database = try PostgresServer.shared.get().makeDatabase()
        let first = try TestNode(database)
        defer { first.journal.close() }
        try await first.journal.append(.begin())
        let take = "UPDATE callboard.lives SET term = term + 1, owner ="
        // The next node's number.
        try database.execute("\(take) \(first.number + 1)")
        let second = try TestNode(
            database, whenBegun: { try? database.execute("\(take) \(first.number)") })
        defer { second.journal.close() }
        #expect(second.number == first.number + 1)
        #expect(!second.events.contains(.own("contacts")))
        await #expect(throws: StorageError.self) { try await second.journal.append(.text("x", number: 2)) }
        try await eventually("ownership") { first.events.contains(.own("contacts")) }
        try await first.journal.append(.text("b", number: 2))
    }

    @Test("a change that is stored is not answered as failed where a snapshot has replaced its record meanwhile")
    func prunedInDoubt() async throws {
        let database = try PostgresServer.shared.get().makeDatabase()
        let owner = try TestNode(database) {
            Self.impatient(&$0)
            // As a process that is stopped, it does not renew its lease.
            $0.renewal = .seconds(3600)
        }
        defer { owner.journal.close() }
        try await owner.journal.append(.begin())
        let other = try TestNode(database)
        defer { other.journal.close() }
        other.serve()
        let fence = try OpenTransaction(
            database, "SELECT FROM callboard.fences WHERE node = \(owner.number) FOR UPDATE")
        let rows = try OpenTransaction(database, "SELECT FROM callboard.lives FOR UPDATE")
        let change = appending(.text("b", number: 2), to: owner)
        try await eventually("a doubt") { doubts(of: owner) == 1 }
        try rows.commit()
        try await eventually("a takeover") { other.events.contains(.own("contacts")) }
        #expect(other.stored("contacts")?.number == 2, "the change is stored")
        await other.journal.storeSnapshot(try #require(other.stored("contacts")))
        try await eventually("upkeep") { try database.integer("SELECT count(*) FROM callboard.records") == 0 }
        try fence.commit()
        let error = await #expect(throws: StorageError.self) { try await change.value }
        guard case .inDoubt? = error else { throw ConditionNeverHeld(what: "a doubt; it is \(error as Any)") }
    }

    @Test("a director whose handing over has no answer is not adopted before it is known what became of it")
    func handoverInDoubt() async throws {
        let database = try PostgresServer.shared.get().makeDatabase()
        let names = ["a", "b", "c", "d", "e", "f"]
        let first = try TestNode(database, Self.impatient)
        defer { first.journal.close() }
        for name in names { try await first.journal.append(.begin(name)) }
        let second = try TestNode(database)
        defer { second.journal.close() }
        let rows = try OpenTransaction(database, "SELECT FROM callboard.lives FOR UPDATE")
        first.serve()
        second.serve()
        try await eventually("a release") { first.events.contains { $0.isRelease } }
        // The answer is given up, and what was sent waits.
        try await Task.sleep(for: .seconds(1))
        #expect(await first.look() == nil)
        #expect(!first.events.contains { $0.isOwn })
        try rows.commit()
        try await eventually("a handover") { second.events.contains { $0.isOwn } }
    }

    @Test("a director whose handing over was undone is adopted again, and handed over later")
    func handoverUndone() async throws {
        let database = try PostgresServer.shared.get().makeDatabase()
        let names = ["a", "b", "c", "d", "e", "f"]
        let first = try TestNode(database)
        defer { first.journal.close() }
        for name in names { try await first.journal.append(.begin(name)) }
        let second = try TestNode(database)
        defer { second.journal.close() }
        let rows = try OpenTransaction(database, "SELECT FROM callboard.lives FOR UPDATE")
        first.serve()
        second.serve()
        let waiting = "FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
        try await eventually("a handover under way") { try database.integer("SELECT count(*) \(waiting)") > 0 }
        try database.execute("SELECT pg_terminate_backend(pid, 5000) \(waiting)")
        try rows.commit()
        try await eventually("an adoption") { first.events.contains { $0.isOwn } }
        try await eventually("a handover") { second.events.contains { $0.isOwn } }
    }

    @Test("a commit that hangs keeps no look from being made: neither where tokens change nor where a director comes")
    func hangingCommit() async throws {
        let database = try PostgresServer.shared.get().makeDatabase()
        let node = try TestNode(database)
        defer { node.journal.close() }
        for name in ["a", "b"] { try await node.journal.append(.begin(name)) }
        #expect(await node.look() == nil)
        try database.execute("UPDATE callboard.lives SET owner = 999, term = term + 1 WHERE director = 'b'")
        try await eventually("a loss") { node.events.contains(.lose("b")) }
        let row = try OpenTransaction(database, "SELECT FROM callboard.lives WHERE director = 'a' FOR UPDATE")
        let change = appending(.text("b", of: "a", number: 2), to: node)
        let waiting = "FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
        try await eventually("a commit that hangs") { try database.integer("SELECT count(*) \(waiting)") > 0 }
        let other = try TestNode(database)
        defer { other.journal.close() }
        try database.execute("UPDATE callboard.lives SET owner = \(node.number), term = term + 1 WHERE director = 'b'")
        other.journal.tokens.write([.put(.sample(1))]) { _ in }
        try await eventually("a token") { try database.integer("SELECT count(*) FROM callboard.tokens") == 1 }
        // The commit goes on after both: what waited for it would never come.
        let looked = Mutex<StorageError??>(nil)
        Task {
            let error = await node.look()
            looked.withLock { $0 = .some(error) }
        }
        try await eventually("a look beside a commit that hangs") { looked.withLock { $0 != nil } }
        #expect(looked.withLock { if case .some(nil) = $0 { true } else { false } })
        try await eventually("ownership beside it") { node.events.contains(.own("b")) }
        #expect(node.tokens.count == 1)
        #expect(try database.integer("SELECT count(*) \(waiting)") > 0)
        try row.commit()
        try await change.value
    }
}

extension TestNode.Event {
    fileprivate var isOwn: Bool { if case .own = self { true } else { false } }
    fileprivate var isRelease: Bool { if case .release = self { true } else { false } }
}
