import DirectorLife
import Directors
import Foundation
import Journal
import JournalTesting
import Synchronization
import TestSupport
import Testing

@testable import JournalPostgres

/// What became of commits whose answers did not come.
@Suite(.serialized)
struct DoubtTests {
    /// What was told of one director's records and deliveries.
    private struct Told: Sendable {
        var records: [RecordContent] = []
        var deliveries: Set<Int> = []
        var refused = 0
    }

    /// Appends to some directors, each by one task, until it is told to stop.
    private func write(
        to journal: PostgresJournal, directors: Int, until isOver: @escaping @Sendable () -> Bool
    ) async throws -> [String: Told] {
        try await withThrowingTaskGroup(of: (String, Told).self) { group in
            for index in 0..<directors {
                group.addTask { ("d\(index)", await Self.write(to: journal, "d\(index)", index, isOver)) }
            }
            return try await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
        }
    }

    private static func write(
        to journal: PostgresJournal, _ name: String, _ index: Int, _ isOver: @Sendable () -> Bool
    ) async -> Told {
        var told = Told()
        var attempt = 0
        while !isOver() {
            attempt += 1
            let number = told.records.count + 1
            // Each attempt has a text of its own, so that a refused one that is found is told from the next.
            let record: LifeRecord =
                number == 1 ? .begin(name) : .text("attempt \(attempt)", of: name, number: number)
            do {
                try await journal.append(record)
                told.records.append(record.content)
            } catch {
                told.refused += 1
            }
            guard attempt.isMultiple(of: 3) else { continue }
            let sequence = index * 1_000_000 + attempt
            if (try? await journal.deliveries.write([.put(.sample(sequence))])) != nil {
                told.deliveries.insert(sequence)
            }
        }
        return told
    }

    /// Compares a journal that was opened again with what was told.
    private func compare(_ database: TestDatabase, with told: [String: Told]) throws {
        let journal = try database.open()
        defer { journal.close() }
        for (name, told) in told {
            let found = try journal.contents(of: name)
            #expect(found == told.records, "\(name): \(found.count) found, \(told.records.count) acknowledged")
        }
        let deliveries = Set(try journal.deliveries.deliveries().map(\.sequence))
        #expect(deliveries == told.values.reduce(into: []) { $0.formUnion($1.deliveries) })
    }

    @Test(
        "connections that are ended under appends: what was acknowledged is there, nothing else is",
        .timeLimit(.minutes(2)))
    func terminatedBackends() async throws {
        let database = try PostgresServer.shared.get().makeDatabase()
        let journal = try database.open()
        let end = ContinuousClock.now + .seconds(6)
        let killing = Task {
            while ContinuousClock.now < end {
                try database.execute(
                    """
                    SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                    WHERE datname = current_database() AND pid <> pg_backend_pid()
                    """)
                try await Task.sleep(for: .milliseconds(Int.random(in: 1...25)))
            }
        }
        let told = try await write(to: journal, directors: 6) { ContinuousClock.now >= end }
        try await killing.value
        let doubts = journal.thread.committer.withLock { $0.machine.doubts }
        journal.close()
        #expect(doubts > 0, "no commit was in doubt")
        #expect(told.values.allSatisfy { $0.records.count > 10 })
        try compare(database, with: told)
    }

    @Test("a database that is killed and started again under appends", .timeLimit(.minutes(2)))
    func killedServer() async throws {
        let server = try PostgresServer()
        let database = try server.makeDatabase()
        let journal = try database.open()
        let isOver = Mutex(false)
        let killing = Task {
            for _ in 0..<3 {
                try await Task.sleep(for: .milliseconds(Int.random(in: 300...600)))
                try server.kill()
                try server.start()
            }
            try await Task.sleep(for: .milliseconds(300))
            isOver.withLock { $0 = true }
        }
        let told = try await write(to: journal, directors: 4) { isOver.withLock { $0 } }
        try await killing.value
        #expect(journal.status == .ok)
        journal.close()
        #expect(told.values.allSatisfy { $0.records.count > 10 })
        try compare(database, with: told)
    }

    @Test("a connection that the database has ended in good order is noticed before something is sent")
    func endedConnection() async throws {
        let database = try PostgresServer.shared.get().makeDatabase()
        let journal = try database.open()
        defer { journal.close() }
        try await journal.append(.begin())
        for number in 2..<12 {
            // The server says why before it closes.
            try database.execute(
                "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
            )
            try await journal.append(.text("x", number: number))
        }
        #expect(journal.thread.committer.withLock { $0.machine.doubts } == 0)
    }

    @Test("an attempt to connect that was given up fences off nothing where it is stored behind a later one")
    func lateAttempt() async throws {
        let database = try PostgresServer.shared.get().makeDatabase()
        let journal = try database.open()
        defer { journal.close() }
        try await journal.append(.begin())
        let given = journal.thread.committer.withLock { $0.machine.fence }
        let life = try #require(journal.thread.committer.withLock { $0.machine.index.lives["contacts"] })
        try database.execute(
            "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )
        try await journal.append(.text("a", number: 2))
        #expect(journal.thread.committer.withLock { $0.machine.fence.incarnation } > given.incarnation)

        let mark = Parameters(given.node, given.incarnation)
        var terms = mark
        terms.add([life.id])
        let late = try database.server.connect(database.name)
        let results = try late.run(
            [Statements.raiseIncarnation(mark), Statements.raiseTerms(terms)], within: .seconds(20))
        #expect(results.allSatisfy { $0.count == 0 })
        // The one is fenced by the life's term, the other by the incarnation.
        try await journal.append(.text("b", number: 3))
        try await journal.append(.begin("another"))
    }

    @Test(
        "a database that stays away: changes wait, then are refused, and go on when it is back", .timeLimit(.minutes(1))
    )
    func away() async throws {
        let server = try PostgresServer()
        let database = try server.makeDatabase()
        var settings = PostgresSettings.quick
        settings.patience = .milliseconds(500)
        let journal = try database.open(settings)
        defer { journal.close() }
        try await journal.append(.begin())
        try server.kill()
        let start = ContinuousClock.now
        let error = await #expect(throws: StorageError.self) { try await journal.append(.text("b", number: 2)) }
        guard case .unavailable? = error else { throw ConditionNeverHeld(what: "a refusal") }
        #expect(start.duration(to: .now) >= .milliseconds(300))
        #expect(journal.status != .ok)
        try server.start()
        try await eventually("it works again") { journal.status == .ok }
        try await journal.append(.text("c", number: 2))
        #expect(try journal.contents().count == 2)
    }
}
