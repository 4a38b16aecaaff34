import DirectorLife
import Directors
import Journal
import JournalSQLite
import JournalTesting
import Testing

/// What every journal does, whatever it keeps its records in.
struct ConformanceTests {
    /// The journals that the suite runs on.
    enum Implementation: String, CaseIterable, JournalImplementation, CustomTestStringConvertible {
        case memory
        case sqlite

        var testDescription: String { rawValue }

        func withJournal(
            _ settings: ConformanceSettings, clock: TestClock,
            _ test: @Sendable (any RecoverableJournal) async throws -> Void
        ) async throws {
            switch self {
            case .memory:
                let journal = RecoverableMemoryJournal(settings: settings, clock: clock.read)
                defer { journal.close() }
                try await test(journal)
            case .sqlite:
                let folder = try TemporaryFolder()
                let settings = SQLiteSettings(
                    snapshotThreshold: settings.snapshotThreshold,
                    answers: .init(count: settings.answers, bytes: 1 << 20), pruneThreshold: 0)
                let journal = try SQLiteJournal(path: folder.file, settings: settings, clock: clock.read)
                defer { journal.close() }
                try await test(journal)
            }
        }
    }

    @Test("every journal", .timeLimit(.minutes(2)), arguments: JournalClaim.all, Implementation.allCases)
    func journal(_ claim: JournalClaim, _ implementation: Implementation) async throws {
        try await claim.check(implementation)
    }

    @Test("every store of deliveries: the one in memory", arguments: DeliveryClaim.all)
    func deliveries(_ claim: DeliveryClaim) async throws {
        try await claim.check(MemoryDeliveryStore())
    }

    @Test("every store of tokens: the one in memory", arguments: TokenClaim.all)
    func tokens(_ claim: TokenClaim) async throws {
        try await claim.check(MemoryTokenStore())
    }

    @Test("a journal that keeps no records refuses a record that is not its life's next one as superseded")
    func withoutRecords() async throws {
        let journal = MemoryJournal()
        try await journal.append(.begin())
        try await journal.append(.text("b", number: 2))
        let answer = StoredAnswer(key: "k", fingerprint: 1, body: [], expires: .max)
        try await journal.append(.answer(answer, after: 2))
        let refused: [LifeRecord] = [
            .begin(), .text("repeated", number: 2), .text("ahead", number: 4), .answer(answer, after: 3),
            .text("of another life", epoch: "e2", number: 3), .text("of no life", of: "other", number: 1),
        ]
        for record in refused {
            let error = await #expect(throws: StorageError.self) { try await journal.append(record) }
            guard case .superseded? = error else {
                Issue.record("\(record.director) \(record.number) refused as \(String(describing: error))")
                continue
            }
        }
        try await journal.append(.end(number: 3))
        try await journal.append(.begin(epoch: "e2"))
    }
}
