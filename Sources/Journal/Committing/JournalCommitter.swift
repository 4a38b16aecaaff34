/// The only writer of a journal: commits batches, writes snapshots and deletes what is no longer needed.
///
/// A value without concurrency of its own: only the writing thread changes it.
package protocol JournalCommitter {
    /// A life that goes on.
    associatedtype Life: LoggedLife
    /// A snapshot that is being written.
    associatedtype Draft: Sendable

    /// The journal's error for one that the medium's driver has thrown.
    static func journalError(_ error: any Error) -> JournalError

    /// The lives that go on.
    var lives: [Life] { get }
    /// The life of a director that goes on.
    func life(of director: String) -> Life?

    /// Runs a job; one that fails leaves the committer ready for the next.
    mutating func perform<Value>(_ work: (inout Self) throws -> Value) throws -> Value

    /// Whether there is background work to do.
    var hasUpkeep: Bool { get }
    /// Does one short piece of the background work.
    ///
    /// - Returns: How many records were deleted.
    mutating func doUpkeep() throws -> Int

    /// Begins a snapshot that is not complete yet.
    mutating func beginSnapshot(_ head: SnapshotHead) throws -> Draft
    /// Stores the next chunk of a snapshot.
    mutating func append(_ payload: [UInt8], to draft: Draft) throws -> Draft
    /// Completes a snapshot, which replaces the one before.
    mutating func finish(_ draft: Draft) throws
    /// Abandons a snapshot.
    mutating func abandon(_ draft: Draft)
}

extension JournalCommitter {
    /// The given directors of which a snapshot is due.
    package func due(of directors: [String], threshold: Int) -> [String] {
        directors.filter { life(of: $0)?.isSnapshotDue(threshold: threshold) ?? false }
    }
}

/// A life, as far as its next snapshot depends on it.
package protocol LoggedLife {
    /// The director's name.
    var director: String { get }
    /// The bytes of its records that no snapshot stands for.
    var logBytes: Int { get }
    /// The log's size at which a snapshot is tried again after one has failed.
    var retryAt: Int { get }
    /// Whether a snapshot is being stored.
    var isSnapshotting: Bool { get }
    /// The bytes of its newest snapshot.
    var snapshotBytes: Int { get }
}

extension LoggedLife {
    /// Whether a new snapshot should be made.
    package func isSnapshotDue(threshold: Int) -> Bool {
        !isSnapshotting && logBytes > max(threshold, snapshotBytes, retryAt)
    }

    /// Whether a snapshot spares the next start more than it costs.
    func isSnapshotWorthwhile(threshold: Int) -> Bool {
        !isSnapshotting && logBytes > max(threshold, snapshotBytes) / 8
    }
}
