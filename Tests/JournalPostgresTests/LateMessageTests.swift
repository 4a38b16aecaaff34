import DirectorLife
import Directors
import Journal
import JournalTesting
import Testing

@testable import JournalPostgres

/// Statements that arrive long after they were sent: they change nothing.
@Suite(.serialized)
struct LateMessageTests {
    /// A life with a snapshot, its owner, and the parameters that the owner's statements begin with.
    private func snapshotted(
        _ body: (TestDatabase, TestNode, (_ age: Int, _ term: Int, _ number: Int) -> Parameters) throws -> Void
    ) async throws {
        let database = try PostgresServer.shared.get().makeDatabase()
        let owner = try TestNode(database)
        defer { owner.journal.close() }
        try await owner.journal.append(.begin())
        for number in 2...5 { try await owner.journal.append(.text("\(number)", number: number)) }
        let follower = try TestNode(database)
        defer { follower.journal.close() }
        #expect(await follower.look(at: ["contacts"]) == nil)
        let state = try #require(follower.stored("contacts"))
        await withCheckedContinuation { done in owner.journal.snapshot(state) { done.resume() } }
        #expect(owner.journal.metrics?.snapshots == 1)
        // Records that no snapshot stands for.
        for number in 6...7 { try await owner.journal.append(.text("\(number)", number: number)) }
        let fence = owner.journal.thread.committer.withLock { $0.machine.fence }
        let life = try database.integer("SELECT life FROM callboard.lives")
        let term = try database.integer("SELECT term FROM callboard.lives")
        try body(database, owner) { age, lag, number in
            Parameters(fence.node, fence.incarnation - age, life, term - lag, number)
        }
    }

    private func run(_ database: TestDatabase, _ calls: [StatementCall]) throws {
        _ = try database.server.connect(database.name).run(calls, within: .seconds(20))
    }

    @Test("the beginning of a snapshot that is complete clears nothing of it")
    func complete() async throws {
        try await snapshotted { database, _, parameters in
            let chunks = try database.integer("SELECT count(*) FROM callboard.chunks")
            #expect(chunks > 0)
            typealias Write = Committer.SnapshotWrite
            try run(database, [Write.clear(parameters(0, 0, 5)), Write.begin(parameters(0, 0, 5))])
            #expect(try database.integer("SELECT count(*) FROM callboard.chunks") == chunks)
            #expect(
                try database.integer(
                    "SELECT count(*) FROM callboard.snapshots WHERE checksum IS NOT NULL AND chunks > 0") == 1)
            let late = try TestNode(database)
            defer { late.journal.close() }
            #expect(late.setAside == [:])
        }
    }

    @Test("nothing is begun, put or finished from an earlier connection or under an earlier term")
    func fenced() async throws {
        try await snapshotted { database, _, parameters in
            typealias Write = Committer.SnapshotWrite
            for (age, lag) in [(1, 0), (0, 1)] {
                var chunk = parameters(age, lag, 7)
                chunk.add(0)
                chunk.add([1, 2, 3])
                chunk.add(4)
                var finish = parameters(age, lag, 7)
                for value in [0, 0, 5] { finish.add(value) }
                try run(database, [Write.begin(parameters(age, lag, 7)), Write.chunk(chunk), Write.finish(finish)])
                #expect(try database.integer("SELECT count(*) FROM callboard.snapshots WHERE number = 7") == 0)
                #expect(try database.integer("SELECT count(*) FROM callboard.chunks WHERE number = 7") == 0)
            }
        }
    }

    @Test("a snapshot without all of its chunks is not finished")
    func incomplete() async throws {
        try await snapshotted { database, _, parameters in
            typealias Write = Committer.SnapshotWrite
            var finish = parameters(0, 0, 7)
            for value in [1, 3, 5] { finish.add(value) }
            try run(database, [Write.begin(parameters(0, 0, 7)), Write.finish(finish)])
            #expect(
                try database.integer(
                    "SELECT count(*) FROM callboard.snapshots WHERE number = 7 AND checksum IS NOT NULL") == 0)
        }
    }

    @Test("what no snapshot stands for is not deleted, nor the rows of a life that goes on")
    func deletions() async throws {
        try await snapshotted { database, _, _ in
            typealias Delete = Committer.Delete
            let life = try database.integer("SELECT life FROM callboard.lives")
            let counts = """
                SELECT count(*) + (SELECT count(*) FROM callboard.snapshots) * 1000
                FROM callboard.records WHERE number > 5
                """
            let before = try database.integer(counts)
            try run(
                database,
                [
                    Delete.records(Parameters(life, 7, 512)), Delete.records(Parameters(life, .max, 512)),
                    Delete.snapshots(Parameters(life, 5)), Delete.chunks(Parameters(life, 5)),
                    Delete.snapshots(Parameters(life, .max)), Delete.chunks(Parameters(life, .max)),
                    Delete.allAnswers(Parameters(life)), Delete.deliveries(Parameters(life, 512)),
                    Delete.life(Parameters(life)),
                ])
            #expect(try database.integer(counts) == before)
            #expect(try database.integer("SELECT count(*) FROM callboard.chunks") > 0)
            #expect(try database.integer("SELECT count(*) FROM callboard.lives") == 1)
        }
    }
}
