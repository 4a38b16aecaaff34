import DirectorLife

/// A director as it was when its last record was stored.
package struct RecoveredDirector: Sendable {
    /// The director, with the limits that were asked for, and its retained versions.
    package let state: LifeState
    /// The answers that repeated requests are given, oldest first.
    package let answers: [StoredAnswer]
}

/// The counts of a recovery, which reads a journal when it is opened, and the time that it took.
package struct RecoveryReport: Sendable, Hashable {
    /// Directors that were restored.
    package var directors = 0
    /// Elements of their working states.
    package var elements = 0
    /// Versions that can be resumed from.
    package var versions = 0
    /// Answers that repeated requests are given.
    package var answers = 0
    /// Snapshots that were read.
    package var snapshots = 0
    /// The bytes of those snapshots.
    package var snapshotBytes = 0
    /// Records that were performed.
    package var records = 0
    /// The bytes of those records.
    package var recordBytes = 0
    /// How long all of it took.
    package var duration = Duration.zero
    /// The bytes of the journal's files when it was read.
    package var bytesOnDisk = 0

    /// Nothing read yet.
    package init() {}
}
