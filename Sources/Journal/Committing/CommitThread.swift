import Dispatch
import Foundation
import Notation
import Synchronization

/// The thread that writes a journal, with its committer, the queue of units to commit, and the state for other threads.
///
/// ``CommittingJournal`` says what is done on it.
package final class CommitThread<Committer: JournalCommitter>: Sendable {
    /// The only writer of the journal. Other threads read its index.
    package let committer: Mutex<Committer>
    /// The state that other threads read.
    package let state = Mutex(CommitState())
    let queue: CommitQueue
    /// The bound of one commit.
    let batch: CommitBound
    /// The least size of a log at which a snapshot is due.
    let snapshotThreshold: Int
    /// The writing thread, and that of the snapshots, which waits for it chunk by chunk.
    package let writer = DispatchQueue(label: "callboard.journal.writer", qos: .userInitiated)
    let encoder = DispatchQueue(label: "callboard.journal.snapshots", qos: .utility)

    /// Makes a thread that writes nothing yet.
    package init(
        _ committer: consuming sending Committer, queue: CommitQueue, batch: CommitBound, snapshotThreshold: Int
    ) {
        (self.queue, self.batch, self.snapshotThreshold) = (queue, batch, snapshotThreshold)
        self.committer = Mutex(committer)
        let due = self.committer.withLock { committer in
            committer.lives.filter { $0.isSnapshotDue(threshold: snapshotThreshold) }.map { Name($0.director) }
        }
        state.withLock { $0.due = Set(due) }
    }
}

/// The state of a journal that is written, as other threads read it.
package struct CommitState: Sendable {
    /// Whether storing works.
    package private(set) var status = JournalStatus.ok
    /// Since when storing fails.
    package private(set) var failingSince: ContinuousClock.Instant?
    /// The damage that was found while the journal was open: it does not go away when storing works again.
    private var damage: JournalStatus?
    /// The journal's counts.
    package var metrics = JournalMetrics()
    /// The directors whose next snapshot is due, and those of which one is being made.
    var due: Set<Name> = []
    var inProgress: Set<Name> = []
    var isUpkeepQueued = false

    /// The status that is reported.
    var reported: JournalStatus { damage ?? status }

    /// Sets the status to a failure.
    package mutating func fail(_ error: JournalError) {
        let failure = JournalStatus.failing(reason: error.description, since: Date())
        if case .ok = status { status = failure }
        if failingSince == nil { failingSince = .now }
        if case .damaged = error, damage == nil { damage = failure }
    }

    /// Sets the status to well.
    package mutating func recover() {
        status = .ok
        failingSince = nil
    }
}
