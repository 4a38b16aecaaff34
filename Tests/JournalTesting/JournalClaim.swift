import Journal
import Testing

/// Something that each implementation of ``RecoverableJournal`` does.
///
/// A test target runs all of them on its implementation:
///
/// ```swift
/// @Test("every journal", arguments: JournalClaim.all)
/// func conformance(_ claim: JournalClaim) async throws {
///     try await claim.check(PostgresImplementation())
/// }
/// ```
package struct JournalClaim: Sendable, CustomTestStringConvertible {
    /// What is claimed, a sentence without its full stop.
    package let testDescription: String
    private let settings: ConformanceSettings
    private let body: @Sendable (any RecoverableJournal, TestClock) async throws -> Void

    /// Makes a claim of a test that an empty journal is given to.
    init(
        _ description: String, settings: ConformanceSettings = ConformanceSettings(),
        _ body: @escaping @Sendable (any RecoverableJournal, TestClock) async throws -> Void
    ) {
        testDescription = description
        self.settings = settings
        self.body = body
    }

    /// Runs the test on an implementation.
    package func check(_ implementation: some JournalImplementation) async throws {
        let clock = TestClock()
        try await implementation.withJournal(settings, clock: clock) { try await body($0, clock) }
    }

    /// All claims.
    package static let all = order + following + answers + snapshots + recovery + deliveries + tokens
}
