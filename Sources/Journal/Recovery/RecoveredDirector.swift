import Directors

/// A director as it was when its last record was stored.
package struct RecoveredDirector: Sendable {
    /// The director, with the limits that were asked for.
    package let director: Director
    /// The number of its newest record: the next one has the number after.
    package let number: Int
    /// The versions that can be resumed from, oldest first; the last is the published one.
    package let versions: [RetainedVersion]
    /// The version that was published when the definition last changed; nil while it has not.
    package let definitionVersion: Int?
    /// The answers that repeated requests are to be given, oldest first.
    package let answers: [StoredAnswer]
}

/// How many versions of a director are kept to be resumed from.
package struct VersionRetention: Sendable, Hashable {
    /// Versions at most; at least one is kept.
    package var count: Int
    /// Bytes of their changesets at most.
    package var bytes: Int

    /// Makes a bound.
    package init(count: Int, bytes: Int) {
        self.count = count
        self.bytes = bytes
    }
}

/// What was read when a journal was opened, and how long it took.
package struct RecoveryReport: Sendable, Hashable {
    /// Directors that are there again.
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
    /// Records that were performed again.
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
