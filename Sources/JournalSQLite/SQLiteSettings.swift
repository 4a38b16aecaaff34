import Foundation
import Journal

/// The durability of stored records (SQLite's `synchronous`).
package enum Durability: String, Sendable, Hashable, CaseIterable {
    /// A record is on the disk before it is acknowledged (SQLite's `synchronous=FULL`).
    ///
    /// Acknowledged records survive a kill at any moment and a power cut, if the disk keeps the data that it has
    /// reported as written.
    case full
    /// A power cut or a crash of the operating system may lose the last commits (SQLite's `synchronous=NORMAL`).
    ///
    /// The end of the process, `SIGKILL` included, loses nothing: what was acknowledged is in the operating system's
    /// memory by then. It reaches the disk at the next checkpoint or when the system writes it back. After a power cut
    /// the journal ends at an earlier commit, whole and in order; clients may have seen versions that are gone.
    case normal
}

/// How a journal in an SQLite database works.
package struct SQLiteSettings: Sendable, Hashable {
    /// The durability of stored records.
    package var durability: Durability
    /// A snapshot is due once a director's log is larger than this many bytes and than its last snapshot.
    package var snapshotThreshold: Int
    /// The most units that wait to be stored; beyond it, appends are refused as unavailable.
    package var queue: Bound
    /// The most that one commit takes.
    package var batch: Bound
    /// The answers of one director's life that are kept; beyond it, the oldest are forgotten.
    package var answers: Bound
    /// The most pages that the database may have, 4 KiB each; what would pass it is refused as full. Nil for no bound.
    package var maximumPages: Int?
    /// Superfluous bytes of the log below which nothing is pruned.
    package var pruneThreshold: Int
    /// Bytes in the write-ahead log after which it is copied into the database.
    package var checkpointThreshold: Int
    /// Whether damaged rows of notifications, tokens and answers are moved out of the way when the journal is opened;
    /// otherwise one of them keeps it from being opened or read.
    package var setsAside: Bool
    /// How long after a failure the journal tries by itself whether storing works again.
    package var retryDelay: Duration
    /// The largest record, in bytes.
    package static let maximumRecord = 512 << 20

    /// A bound by number and by bytes.
    package typealias Bound = CommitBound

    /// Makes settings; the defaults lose nothing.
    package init(
        durability: Durability = .full,
        snapshotThreshold: Int = 8 << 20,
        queue: Bound = Bound(count: 65_536, bytes: 128 << 20),
        batch: Bound = Bound(count: 4096, bytes: 16 << 20),
        answers: Bound = Bound(count: 4096, bytes: 16 << 20),
        maximumPages: Int? = nil,
        pruneThreshold: Int = 4 << 20,
        checkpointThreshold: Int = 4 << 20,
        setsAside: Bool = false,
        retryDelay: Duration = .milliseconds(500)
    ) {
        self.durability = durability
        self.snapshotThreshold = snapshotThreshold
        self.queue = queue
        self.batch = batch
        self.answers = answers
        self.maximumPages = maximumPages
        self.pruneThreshold = pruneThreshold
        self.checkpointThreshold = checkpointThreshold
        self.setsAside = setsAside
        self.retryDelay = retryDelay
    }
}
