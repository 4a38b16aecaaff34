/// What the directors of one server have done, for `/metrics`.
package final class DirectorCounters: Sendable {
    /// Reloads that published a version.
    package let versions = Counter()
    /// Bytes of changesets, encoded once each.
    package let changesetBytes = Counter()
    /// Mutations accepted; a batch is one.
    package let mutations = Counter()
    /// Streams that began with a snapshot.
    package let snapshots = Counter()
    /// Streams that resumed.
    package let resumes = Counter()
    /// Times that a stream was brought up to date by one changeset or a snapshot, because it had fallen behind.
    package let catchUps = Counter()
    /// Versions retained by all directors at this moment.
    package let retainedVersions = Counter()
    /// Bytes that retained versions of all directors take at this moment: changesets, and content that only older
    /// versions hold.
    package let retainedBytes = Counter()

    /// Makes counters at zero.
    package init() {}
}
