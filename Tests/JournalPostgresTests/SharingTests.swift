import Access
import DirectorLife
import Directors
import Foundation
import Journal
import JournalTesting
import TestSupport
import Testing

@testable import JournalPostgres

/// Several nodes on one database.
@Suite(.serialized)
struct SharingTests {
    @Test("lists of a database that is set back under its nodes are set aside, and the others go on")
    func setBack() async throws {
        let database = try PostgresServer.shared.get().makeDatabase()
        let owner = try TestNode(database)
        let node = try TestNode(database)
        defer {
            owner.journal.close()
            node.journal.close()
        }
        owner.serve()
        for name in ["one", "two"] {
            try await owner.journal.append(.begin(name))
            // The owner knows what it has written itself since its first look at a list.
            #expect(await owner.look() == nil)
            for number in 2...4 { try await owner.journal.append(.text("x", of: name, number: number)) }
        }
        #expect(await node.look(at: ["one", "two"]) == nil)
        // A look that had begun before the last record may tell of an earlier one; the next one does not.
        for _ in 0..<2 { #expect(await owner.look() == nil) }
        #expect(node.stored("one")?.number == 4)
        try database.execute(
            """
            WITH back AS (UPDATE callboard.lives SET head = 2 WHERE director = 'one' RETURNING life)
            DELETE FROM callboard.records USING back WHERE records.life = back.life AND number > 2
            """)
        for each in [owner, node] {
            #expect(await each.look() == nil)
            let reason = each.setAside["one"]
            #expect(
                reason?.contains("4 records of the list were stored, and it holds 2") == true, "\(reason ?? "nothing")")
            #expect(each.setAside["two"] == nil)
        }
        await #expect(throws: StorageError.self) { try await owner.journal.append(.text("x", of: "one", number: 5)) }
        try await owner.journal.append(.text("x", of: "two", number: 5))
        // It stays so, whatever is stored behind it.
        try database.execute("UPDATE callboard.lives SET head = 9 WHERE director = 'one'")
        #expect(await node.look() == nil)
        #expect(node.setAside["one"] != nil)
    }

    /// Waits until a condition holds.
    private func until(
        _ what: String, within limit: Duration = .seconds(10), _ condition: () throws -> Bool
    ) async throws {
        let end = ContinuousClock.now + limit
        while try !condition() {
            guard .now < end else { throw ConditionNeverHeld(what: what) }
            try await Task.sleep(for: .milliseconds(5))
        }
    }

    /// Makes two nodes that take part, and a director of each name, owned by the first.
    private func two(
        _ names: [String] = ["contacts"], _ body: (TestNode, TestNode, TestDatabase) async throws -> Void
    ) async throws {
        let database = try PostgresServer.shared.get().makeDatabase()
        let first = try TestNode(database)
        defer { first.journal.close() }
        for name in names { try await first.journal.append(.begin(name)) }
        let second = try TestNode(database)
        defer { second.journal.close() }
        try await body(first, second, database)
    }

    @Test("a node is given what was stored before it came, and each record after that once, in order")
    func following() async throws {
        try await two { first, second, _ in
            for number in 2...50 { try await first.journal.append(.text("\(number)", number: number)) }
            #expect(await second.look(at: ["contacts"]) == nil)
            #expect(second.numbers(of: "contacts") == Array(1...50))
            #expect(first.events == [])
        }
    }

    @Test("a look has what was acknowledged before it, without a notification")
    func lookIsCurrent() async throws {
        try await two { first, second, database in
            for number in 2...20 {
                try await first.journal.append(.text("\(number)", number: number))
                #expect(await second.look(at: ["contacts"]) == nil)
                #expect(second.numbers(of: "contacts").last == number)
            }
            try await first.journal.append(.begin("another"))
            #expect(await second.look(at: ["another"]) == nil)
            #expect(second.events.contains(.begin("another", number: 1)))
            _ = database
        }
    }

    @Test("a notification is enough, also where it comes along with the answer of a look")
    func notified() async throws {
        let database = try PostgresServer.shared.get().makeDatabase()
        // Nothing but notifications has them look within the time that is waited for.
        func node() throws -> TestNode {
            try TestNode(database) {
                $0.sharing?.lookInterval = .seconds(60)
                $0.lease = .seconds(60)
            }
        }
        let first = try node()
        defer { first.journal.close() }
        for name in ["contacts", "others"] { try await first.journal.append(.begin(name)) }
        let second = try node()
        defer { second.journal.close() }
        for number in 2...200 {
            async let looked = second.look(at: ["others"])
            try await first.journal.append(.text("\(number)", number: number))
            #expect(await looked == nil)
            try await until("record \(number)") { second.numbers(of: "contacts").last == number }
        }
    }

    @Test("a node that is gone without giving back its lease loses its directors to another one, which has everything")
    func takeover() async throws {
        let database = try PostgresServer.shared.get().makeDatabase()
        let survivor = try TestNode(database)
        defer { survivor.journal.close() }
        survivor.serve()
        // It never renews its lease, as a process that is stopped does not.
        let owner = try TestNode(database) { $0.renewal = .seconds(3600) }
        let answer = StoredAnswer(key: "k", fingerprint: 7, body: [1, 2], expires: 2_000_000)
        try await owner.journal.append(.begin())
        try await owner.journal.append(.text("b", number: 2, answer: answer))
        try await until("a takeover") { survivor.events.contains(.own("contacts")) }
        #expect(survivor.numbers(of: "contacts").last == 2)
        #expect(survivor.inheritance(of: "contacts")?.answers == [answer])
        try await survivor.journal.append(.text("c", number: 3))
        // The earlier owner stores nothing any more, and follows.
        await #expect(throws: StorageError.self) { try await owner.journal.append(.text("lost", number: 3)) }
        // The survivor has ended its connections, or does so yet: a look that meets that fails.
        try await eventually("a look at what the survivor has stored") { await owner.look(at: ["contacts"]) == nil }
        #expect(owner.events.contains(.lose("contacts")))
        #expect(owner.numbers(of: "contacts") == [3])
        owner.journal.close()
        #expect(try database.integer("SELECT count(*) FROM callboard.records") == 3)
    }

    @Test("a node that was cut off in the middle of a transaction does not hold up the one that takes its directors")
    func openTransaction() async throws {
        let database = try PostgresServer.shared.get().makeDatabase()
        let owner = try TestNode(database) { $0.renewal = .seconds(3600) }
        defer { owner.journal.close() }
        try await owner.journal.append(.begin())
        let rows = try OpenTransaction(database, "SELECT FROM callboard.lives FOR UPDATE")
        try rows.mark(asOf: owner.number)
        let survivor = try TestNode(database)
        defer { survivor.journal.close() }
        survivor.serve()
        try await until("a takeover") { survivor.events.contains(.own("contacts")) }
        try await survivor.journal.append(.text("b", number: 2))
        #expect(throws: DatabaseFault.self) { try rows.commit() }
    }

    @Test("a row that a stranger has locked holds up no look, and is taken once it is free")
    func lockedRow() async throws {
        let database = try PostgresServer.shared.get().makeDatabase()
        let owner = try TestNode(database) { $0.renewal = .seconds(3600) }
        defer { owner.journal.close() }
        try await owner.journal.append(.begin())
        let rows = try OpenTransaction(database, "SELECT FROM callboard.lives FOR UPDATE")
        let survivor = try TestNode(database) { $0.lease = PostgresSettings.lastingLease }
        defer { survivor.journal.close() }
        survivor.serve()
        try await until("the owner counts as gone") {
            survivor.journal.sharing?.sharingStatus.placement.nodes[owner.number]?.isLiving == false
        }
        for _ in 0..<3 {
            let start = ContinuousClock.now
            #expect(await survivor.look(at: ["contacts"]) == nil)
            #expect(ContinuousClock.now - start < .seconds(3))
            #expect(ContinuousClock.now < (try #require(survivor.journal.sharing)).leaseEnd)
        }
        #expect(!survivor.events.contains(.own("contacts")))
        try rows.commit()
        try await until("a takeover") { survivor.events.contains(.own("contacts")) }
    }

    @Test("a node that has ended is followed at once, and one whose port is open is not", arguments: [true, false])
    func ended(isOpen: Bool) async throws {
        let database = try PostgresServer.shared.get().makeDatabase()
        let owner = try TestNode(database)
        try await owner.journal.append(.begin())
        owner.journal.close()
        let port = try TestPort()
        defer { port.close() }
        // Its lease lasts for longer than this test.
        try database.execute(
            """
            INSERT INTO callboard.nodes (node, name, url, state, fingerprint, expires)
            SELECT \(owner.number), 'ended', 'http://127.0.0.1:\(port.number)', 2, fingerprint, now() + interval '600 s'
            FROM (VALUES ('')) AS given (fingerprint)
            """)
        if !isOpen { port.close() }
        let survivor = try TestNode(database) { $0.lease = .seconds(600) }
        defer { survivor.journal.close() }
        survivor.serve()
        guard isOpen else {
            return try await until("a takeover") { survivor.events.contains(.own("contacts")) }
        }
        try await until("several looks") { survivor.journal.sharing?.sharingStatus.looks ?? 0 > 20 }
        #expect(!survivor.events.contains(.own("contacts")))
    }

    @Test("directors are handed over to a node that joins, about half of them, and given back by one that leaves")
    func balance() async throws {
        let names = (0..<40).map { "list-\($0)" }
        try await two(names) { first, second, database in
            first.serve()
            second.serve()
            try await until("a balance") {
                let owned = try database.integer(
                    "SELECT count(*) FROM callboard.lives WHERE owner = \(second.number)")
                return second.events.count { if case .own = $0 { true } else { false } } == owned && owned > 5
                    && owned
                        == names.count {
                            Rendezvous.owner(of: $0, among: [first.number, second.number]) == second.number
                        }
            }
            let moved = names.filter { second.inheritance(of: $0) != nil }
            #expect((8...32).contains(moved.count), "\(moved.count) of 40")
            let name = try #require(moved.first)
            try await second.journal.append(.text("b", of: name, number: 2))
            await #expect(throws: StorageError.self) { try await first.journal.append(.text("x", of: name, number: 2)) }
            second.journal.follower?.leave(within: .seconds(5))
            #expect(try database.integer("SELECT count(*) FROM callboard.lives WHERE owner = \(second.number)") == 0)
            try await until("ownership") { names.allSatisfy { first.owner(of: $0) == first.number } }
            try await until("the writing of \(name)") {
                first.events.lastIndex(of: .own(name)) != nil
            }
            try await first.journal.append(.text("c", of: name, number: 3))
        }
    }

    @Test("a life is handed over once nothing of it is in flight, and stays where that does not come about")
    func heldRelease() async throws {
        try await two(["a", "b", "c", "d", "e", "f"]) { first, second, database in
            first.holdReleases(true)
            first.serve()
            second.serve()
            try await until("a release") { first.events.contains { if case .release = $0 { true } else { false } } }
            #expect(try database.integer("SELECT count(*) FROM callboard.lives WHERE owner = \(second.number)") == 0)
            #expect(await first.look() == nil)
            #expect(!first.events.contains { if case .own = $0 { true } else { false } })
            first.holdReleases(false)
            try await until("a handover") { second.events.contains { if case .own = $0 { true } else { false } } }
        }
    }

    @Test("following random lives leads to what they are, also where a snapshot has replaced records meanwhile")
    func randomLives() async throws {
        let database = try PostgresServer.shared.get().makeDatabase()
        let first = try TestNode(database)
        defer { first.journal.close() }
        var life = RandomLife("contacts", epoch: "e1", seed: 5, retention: VersionRetention(count: 100, bytes: 1 << 20))
        try await first.journal.append(life.begin())
        let second = try TestNode(database)
        defer { second.journal.close() }
        for _ in 0..<100 { try await first.journal.append(life.step()) }
        #expect(await second.look() == nil)
        #expect(try second.stored("contacts")?.snapshotBytes() == life.state.snapshotBytes())
        // The next records come to be seen, and are held up until they are gone.
        second.pause(true)
        try await first.journal.append(life.step())
        try await until("a look") { (second.journal.follower?.sharingStatus.lagRecords ?? 0) > 0 }
        for _ in 0..<20 { try await first.journal.append(life.step()) }
        await first.journal.storeSnapshot(life.state)
        try await until("upkeep") {
            try database.integer("SELECT count(*) FROM callboard.records WHERE number <= \(life.number)") == 0
        }
        second.pause(false)
        #expect(await second.look() == nil)
        #expect(second.journal.follower?.sharingStatus.restarts == 1)
        #expect(try second.stored("contacts")?.snapshotBytes() == life.state.snapshotBytes())
        #expect(!second.events.contains { if case .end = $0 { true } else { false } })
    }

    @Test("the end of a life is told, and a new one of the name is begun")
    func ends() async throws {
        try await two { first, second, _ in
            try await first.journal.append(
                LifeRecord(director: "contacts", epoch: "e1", number: 2, entries: [.deleted]))
            try await first.journal.append(.begin(epoch: "e2"))
            #expect(await second.look(at: ["contacts"]) == nil)
            let begun = second.events.filter { $0 == .begin("contacts", number: 1) }
            #expect(begun.count == 2)
        }
    }

    @Test("what belongs to a director that ended under a node that is gone is deleted by another one")
    func sweeping() async throws {
        let database = try PostgresServer.shared.get().makeDatabase()
        func open() throws -> TestNode { try TestNode(database) { $0.sharing?.sweepInterval = .milliseconds(50) } }
        let node = try open()
        defer { node.journal.close() }
        try await node.journal.append(.begin("kept"))
        let answer = StoredAnswer(key: "k", fingerprint: 7, body: [1, 2], expires: 2_000_000)
        try await node.journal.append(.begin(answer: answer))
        try await node.journal.append(.text("b", number: 2))
        await node.journal.storeSnapshot(try .sample(number: 2))
        let tables = ["records", "answers", "snapshots", "chunks", "deliveries", "lives"]
        func rows() throws -> [Int] {
            try tables.map { try database.integer("SELECT count(*) FROM callboard.\($0)") }
        }
        // What a node leaves that is killed behind its last commit.
        try database.execute(
            """
            WITH gone AS (
                UPDATE callboard.lives SET owner = 999, ended = true WHERE director = 'contacts' RETURNING life
            )
            INSERT INTO callboard.deliveries
            SELECT 1, life, 'd', 'h', 0, 0, 0, 0, NULL, NULL, '', 0 FROM gone
            """)
        try await until("a sweep") { try rows() == [1, 0, 0, 0, 0, 1] }
        try await node.journal.append(.text("b", of: "kept", number: 2))
    }

    @Test("a journal that is closed makes no connection to notify others of tokens")
    func closedHints() async throws {
        let database = try PostgresServer.shared.get().makeDatabase()
        let node = try TestNode(database)
        node.journal.close()
        node.journal.hints?.sendAll()
        try await Task.sleep(for: .milliseconds(200))
        let others = "FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
        #expect(try database.integer("SELECT count(*) \(others)") == 0)
    }

    @Test("tokens that one node makes or revokes are known to the other at its next look")
    func tokens() async throws {
        try await two { first, second, _ in
            let entry = TokenEntry(
                name: "till", digest: StaticToken.random().digest, grants: .everything, createdAt: 1)
            try await first.journal.tokens.write([.put(entry)])
            #expect(await second.look() == nil)
            #expect(second.tokens == ["till"])
            try await first.journal.tokens.write([.remove(id: entry.id)])
            #expect(await second.look() == nil)
            #expect(second.tokens == [])
        }
    }

    @Test("notifications of two nodes have numbers of blocks that no other node has")
    func deliveryNumbers() async throws {
        try await two { first, second, _ in
            #expect(first.firstDelivery > 0 && second.firstDelivery >= first.firstDelivery + 1 << 32)
        }
    }

    @Test("a server that wants the database for itself is refused while nodes share it, and the other way round")
    func alone() async throws {
        let database = try PostgresServer.shared.get().makeDatabase()
        let node = try TestNode(database)
        #expect(throws: JournalError.self) { _ = try database.open() }
        node.journal.close()
        let alone = try database.open()
        #expect(throws: JournalError.self) { _ = try TestNode(database) }
        alone.close()
    }

    @Test("while the database is away looks fail at once, and work again when it is back", .timeLimit(.minutes(1)))
    func away() async throws {
        let server = try PostgresServer()
        let database = try server.makeDatabase()
        let node = try TestNode(database) { $0.patience = .milliseconds(100) }
        try await node.journal.append(.begin())
        try server.kill()
        #expect(await node.look() != nil)
        try server.start()
        try await until("a look") { node.journal.follower?.sharingStatus.failure == nil }
        #expect(await node.look() == nil)
        try await node.journal.append(.text("b", number: 2))
        node.journal.close()
    }
}

extension TokenStore {
    /// Writes changes and waits for the end of it.
    fileprivate func write(_ changes: [TokenChange]) async throws {
        try await withCheckedContinuation { continuation in
            write(changes) { continuation.resume(returning: $0) }
        }.get()
    }
}
