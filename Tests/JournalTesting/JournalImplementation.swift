import Foundation
import Journal
import Synchronization

/// An implementation of ``RecoverableJournal`` that the conformance suite runs on.
package protocol JournalImplementation: Sendable {
    /// Makes an empty journal, runs a test with it, and closes it.
    func withJournal(
        _ settings: ConformanceSettings, clock: TestClock,
        _ test: @Sendable (any RecoverableJournal) async throws -> Void
    ) async throws
}

/// What the conformance suite asks of the journals that it is given.
package struct ConformanceSettings: Sendable {
    /// A snapshot is due once a director's log is larger than this many bytes.
    package var snapshotThreshold = 8 << 20
    /// How many answers of one life are kept.
    package var answers = 4096

    /// Makes the defaults.
    package init() {}
}

/// A clock that a test sets, in seconds.
package final class TestClock: Sendable {
    private let seconds = Mutex(1_000_000)

    /// Makes a clock.
    package init() {}

    /// The seconds since 1970.
    @Sendable
    package func read() -> Int { seconds.withLock { $0 } }

    /// Sets the clock forward.
    package func advance(by duration: Int) { seconds.withLock { $0 += duration } }
}
