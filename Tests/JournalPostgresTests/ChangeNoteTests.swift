import DirectorLife
import Directors
import Foundation
import Journal
import JournalTesting
import Synchronization
import TestSupport
import Testing

@testable import JournalPostgres

/// The notes of changes, by which a look at everything reads what has changed.
@Suite(.serialized)
struct ChangeNoteTests {
    private func notes(_ database: TestDatabase) throws -> Int {
        try database.integer("SELECT count(*) FROM callboard.changes")
    }

    @Test("each kind of change is noted, once for a statement, and none for a server by itself")
    func kinds() async throws {
        let database = try PostgresServer.shared.get().makeDatabase()
        let alone = try database.open()
        try await alone.append(.begin("before"))
        alone.close()
        #expect(try notes(database) == 0)
        let node = try TestNode(database)
        defer { node.journal.close() }
        for sql in [
            "INSERT INTO callboard.lives SELECT 900 + n, 'x' || n, 'e', 0, 1, 0, false, 0 FROM generate_series(1, 3) AS n",
            "UPDATE callboard.lives SET term = term + 1 WHERE life > 900",
            "DELETE FROM callboard.lives WHERE life > 900",
        ] {
            let before = try notes(database)
            try database.execute(sql)
            #expect(try notes(database) == before + 1)
            #expect(
                try database.integer(
                    "SELECT count(*) FROM callboard.changes WHERE lives @> ARRAY[901, 902, 903]::bigint[]") == before
                    + 1)
        }
        let before = try notes(database)
        try database.execute("UPDATE callboard.lives SET term = term WHERE life = -1")
        #expect(try notes(database) == before)
    }

    @Test("a change is seen that was made long before others, and becomes visible after them")
    func order() async throws {
        let database = try PostgresServer.shared.get().makeDatabase()
        let owner = try TestNode(database)
        let node = try TestNode(database) { $0.sharing?.lookInterval = .seconds(3600) }
        defer {
            owner.journal.close()
            node.journal.close()
        }
        owner.serve()
        for name in ["early", "late"] { try await owner.journal.append(.begin(name)) }
        #expect(await node.look() == nil)
        let early = try OpenTransaction(
            database, "UPDATE callboard.lives SET owner = 77, term = term + 1 WHERE director = 'early'")
        // Transactions that begin later are over first, and looks go on behind them.
        for turn in 1...3 {
            try database.execute(
                "UPDATE callboard.lives SET owner = \(70 + turn), term = term + 1 WHERE director = 'late'")
            #expect(await node.look() == nil)
            #expect(node.owner(of: "late") == 70 + turn && node.owner(of: "early") == owner.number)
        }
        try early.commit()
        #expect(await node.look() == nil)
        #expect(node.owner(of: "early") == 77)
    }

    @Test("many transactions that overlap: no look misses one", arguments: 0..<4)
    func overlapping(round: Int) async throws {
        let database = try PostgresServer.shared.get().makeDatabase()
        let node = try TestNode(database) { $0.sharing?.lookInterval = .seconds(3600) }
        defer { node.journal.close() }
        let count = 40
        let rows = (1...count).map { life in
            "(\(life), 'd\(life)', 'e', 900, 1, 0, false, \(RowChecksum.life(life, director: "d\(life)", epoch: "e")))"
        }
        try database.execute("INSERT INTO callboard.lives VALUES \(rows.joined(separator: ", "))")
        var generator = SeededGenerator(seed: SeededGenerator.seedOfRun("overlapping changes") &+ UInt64(round))
        var open: [OpenTransaction] = []
        var owners: [Int: Int] = [:]
        for step in 1...60 {
            // Each has rows of its own, so that none waits for another.
            let life = (step % count) + 1
            if step <= count {
                open.append(
                    try OpenTransaction(
                        database,
                        "UPDATE callboard.lives SET term = term + 1, owner = \(1000 + step) WHERE life = \(life)"))
                owners[life] = 1000 + step
            }
            if !open.isEmpty, step > 12 || Bool.random(using: &generator) {
                try open.remove(at: Int.random(in: open.indices, using: &generator)).commit()
            }
            if Int.random(in: 0..<4, using: &generator) == 0 { #expect(await node.look() == nil) }
        }
        for each in open { try each.commit() }
        #expect(await node.look() == nil)
        for (life, owner) in owners { #expect(node.owner(of: "d\(life)") == owner) }
    }

    @Test("notes that every node has seen are deleted, and no others")
    func pruning() async throws {
        let database = try PostgresServer.shared.get().makeDatabase()
        let node = try TestNode(database)
        defer { node.journal.close() }
        node.serve()
        try await node.journal.append(.begin("one"))
        let open = try OpenTransaction(database, "UPDATE callboard.lives SET term = term")
        let before = try notes(database)
        #expect(before > 0)
        // The node may have noted a position at its first look.
        node.journal.follower?.enqueue { $0.over = nil }
        /// Prunes after so long.
        func prune(after time: Duration) async throws -> Int {
            let result = await withCheckedContinuation { continuation in
                node.journal.follower?.enqueue { driver in
                    if let over = driver.over { driver.over = (over.position, over.since - time) }
                    continuation.resume(returning: Result { try driver.pruneChanges() })
                }
            }
            try result.get()
            return try notes(database)
        }
        #expect(try await prune(after: .zero) == before)
        #expect(try await prune(after: .seconds(59)) == before)
        #expect(try await prune(after: .seconds(2)) == 0)
        try open.commit()
        // It became visible after the position that was noted last.
        #expect(try await prune(after: .zero) == 1)
        #expect(try await prune(after: .seconds(61)) == 1)
        #expect(try await prune(after: .seconds(61)) == 0)
    }
}
