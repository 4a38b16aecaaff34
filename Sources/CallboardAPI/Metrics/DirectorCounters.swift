/// What the directors of one server have done, for `/metrics`.
final class DirectorCounters: Sendable {
    /// Reloads that published a version.
    let versions = Counter()
    /// Bytes of changesets, encoded once each.
    let changesetBytes = Counter()
    /// Mutations accepted; a batch is one.
    let mutations = Counter()
    /// Streams that began with a snapshot.
    let snapshots = Counter()
    /// Streams that resumed.
    let resumes = Counter()
    /// Times that a stream was brought up to date by one changeset or a snapshot, because it had fallen behind.
    let catchUps = Counter()
    /// Versions retained by all directors at this moment.
    let retainedVersions = Counter()
    /// Bytes that retained versions of all directors take at this moment: changesets, and content that only older
    /// versions hold.
    let retainedBytes = Counter()
}
