import Journal
import JournalPostgres
import JournalTesting
import Testing

/// What every journal does, in a database.
struct ConformanceTests {
    /// A journal in a new database of the shared server.
    struct Implementation: JournalImplementation {
        func withJournal(
            _ settings: ConformanceSettings, clock: TestClock,
            _ test: @Sendable (any RecoverableJournal) async throws -> Void
        ) async throws {
            let database = try PostgresServer.shared.get().makeDatabase()
            defer { database.drop() }
            var quick = PostgresSettings.quick
            quick.snapshotThreshold = settings.snapshotThreshold
            quick.answers = CommitBound(count: settings.answers, bytes: 1 << 20)
            let journal = try database.open(quick, clock: clock.read)
            defer { journal.close() }
            try await test(journal)
        }
    }

    @Test("every journal: the one in a database", .timeLimit(.minutes(2)), arguments: JournalClaim.all)
    func journal(_ claim: JournalClaim) async throws {
        try await claim.check(Implementation())
    }
}
