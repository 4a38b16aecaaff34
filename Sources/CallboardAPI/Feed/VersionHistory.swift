import DequeModule
import Directors
import HTTPWire
import Journal

/// The published versions of a director that can still be read, resumed from and spanned by a changeset.
///
/// Bounded by count and by memory; the oldest versions are dropped first and the newest always stays. A retained version
/// shares its sections and elements with its neighbours. What counts as its memory is its encoded changeset and what of
/// its content the next newer version does not share: nobody but a version holds what the next one has lost, so that is
/// what becomes free when the oldest one is dropped.
struct VersionHistory {
    /// One published version.
    struct Entry: Sendable {
        /// The version's number; entries are contiguous.
        let version: Int
        /// What subscribers showed at that version.
        let state: PublishedState
        /// The changeset that led here from the version before; `nil` for the oldest.
        fileprivate(set) var changeset: EventFrame?
        /// The adapters when it was published.
        let adapters: AdapterRegistry
        /// The memory of the content that the next newer version does not share; none while there is no newer one.
        fileprivate(set) var exclusiveBytes = 0

        /// What becomes free when the version is dropped and no older one is left.
        var bytes: Int { (changeset?.bytes.count ?? 0) + exclusiveBytes }
    }

    private var entries: Deque<Entry>
    /// The newest version: what streams begin with.
    private(set) var newest: PublishedState
    /// The memory of all versions, in bytes: their changesets, and the content that the newest one does not have.
    private(set) var bytes = 0
    private let maxEntries: Int
    private let maxBytes: Int

    /// Makes a history with the first version in it.
    init(first: PublishedState, adapters: AdapterRegistry, feed: FeedConfiguration) {
        newest = first
        entries = [Entry(version: first.version, state: first, changeset: nil, adapters: adapters)]
        maxEntries = max(1, feed.retainedVersions)
        maxBytes = feed.retainedBytes
    }

    /// Makes a history of the versions that a journal has kept.
    init(_ recovered: RecoveredDirector, feed: FeedConfiguration) {
        let director = recovered.director
        let first = recovered.versions.first
        self.init(
            first: first?.state ?? director.published, adapters: first?.adapters ?? director.adapters, feed: feed)
        for version in recovered.versions.dropFirst() {
            let id = ResumeToken.part(epoch: director.epoch, version: version.state.version)
            let event = ServerSentEvent(event: "changeset", data: Array(version.changeset ?? []), id: id)
            append(version.state, adapters: version.adapters, changeset: EventFrame(event))
        }
    }

    /// How many versions are retained.
    var count: Int { entries.count }

    /// The oldest version that can be resumed from.
    var oldest: Int { entries.first?.version ?? 0 }

    /// Whether a changeset and the version before it can be retained together.
    ///
    /// - Complexity: O(1) for a short one, else O(*k*) for the *k* elements that it brings.
    func canRetain(_ change: PublishedChange) -> Bool {
        change.textEstimate <= maxBytes || change.textMinimum <= maxBytes
    }

    /// Adds the newest version and drops the oldest beyond the bounds.
    ///
    /// - Parameters:
    ///   - state: What is published.
    ///   - adapters: The adapters at that moment.
    ///   - changeset: What led to it from the version before; nil where that cannot be retained.
    /// - Complexity: O(*k* log *n*) for *k* sections and elements that it does not share with the version before.
    mutating func append(_ state: PublishedState, adapters: AdapterRegistry, changeset: EventFrame?) {
        guard let changeset else {
            entries = [Entry(version: state.version, state: state, changeset: nil, adapters: adapters)]
            newest = state
            bytes = 0
            return
        }
        let exclusive = newest.list.bytesNotShared(with: state.list)
        entries[entries.count - 1].exclusiveBytes = exclusive
        entries.append(Entry(version: state.version, state: state, changeset: changeset, adapters: adapters))
        newest = state
        bytes += exclusive + changeset.bytes.count
        while entries.count > 1, entries.count > maxEntries || bytes > maxBytes {
            bytes -= entries.removeFirst().bytes
            forgetFirstChangeset()
        }
    }

    /// Lets go of the changeset that leads to the oldest version: from where it leads, nobody can come any more.
    private mutating func forgetFirstChangeset() {
        bytes -= entries[0].changeset?.bytes.count ?? 0
        entries[0].changeset = nil
    }

    /// A retained version. O(1).
    func state(at version: Int) -> PublishedState? {
        let index = version - oldest
        return entries.indices.contains(index) ? entries[index].state : nil
    }

    /// The versions as a journal keeps them, oldest first; the newest is the last.
    ///
    /// - Complexity: O(*v*) in the number of versions; nothing of them is copied.
    var retained: [RetainedVersion] {
        entries.map { entry in
            let json = entry.changeset.map { $0.bytes[$0.changesetJSON] }
            return RetainedVersion(state: entry.state, adapters: entry.adapters, changeset: json)
        }
    }

    /// The changesets that lead from a version to the newest, in order; `nil` where one of them is gone.
    func changesets(after version: Int) -> [EventFrame]? {
        // A version comes from outside and may be the largest integer there is: nothing is added to it.
        let index = version - oldest
        guard entries.indices.contains(index) else { return nil }
        return entries[(index + 1)...].compactMap(\.changeset)
    }
}
