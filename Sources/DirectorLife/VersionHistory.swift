import DequeModule
import Directors
import HTTPWire

/// How many published versions of a director are retained.
package struct VersionRetention: Sendable, Hashable {
    /// Versions at most; at least one is kept.
    package var count: Int
    /// Bytes at most of their encoded changesets and of the content that only older versions hold.
    package var bytes: Int

    /// Makes a bound.
    package init(count: Int, bytes: Int) {
        self.count = count
        self.bytes = bytes
    }

    /// Whether a changeset and the version before it can be retained together.
    ///
    /// - Complexity: O(1) for a short one, else O(*k*) for the *k* elements that it brings.
    package func admits(_ change: PublishedChange) -> Bool {
        change.textEstimate <= bytes || change.textMinimum <= bytes
    }
}

/// A published version that can be read, resumed from and spanned by a changeset.
package struct RetainedVersion: Sendable {
    /// What subscribers showed.
    package let state: PublishedState
    /// The adapters when it was published: those that the changeset's elements have.
    package let adapters: AdapterRegistry
    /// The changeset that led here from the version before; nil for the oldest.
    package fileprivate(set) var changeset: RetainedChangeset?
    /// The names of the mutations that it is the first to show; none of the oldest version.
    package fileprivate(set) var causes: CauseList
    /// The variables when it was published.
    package let variables: PublishedVariables
    /// The memory of the content that the next newer version does not share; none while there is no newer one.
    fileprivate var exclusiveBytes = 0

    /// Makes a version.
    package init(
        state: PublishedState, adapters: AdapterRegistry, changeset: RetainedChangeset? = nil,
        causes: CauseList = CauseList(), variables: PublishedVariables = .unknown
    ) {
        self.state = state
        self.adapters = adapters
        self.changeset = changeset
        self.causes = causes
        self.variables = variables
    }

    /// The number.
    package var version: Int { state.version }

    /// The memory that is freed when the version is dropped and no older one is left.
    fileprivate var bytes: Int { changesetBytes + exclusiveBytes }

    /// The memory that is freed when no client can come from the version before any more.
    fileprivate var changesetBytes: Int { (changeset?.memory ?? 0) + causes.memory }
}

/// The published versions of a director that are retained.
///
/// Bounded by count and by memory; the oldest versions are dropped first and the newest always stays. A retained
/// version shares its sections and elements with its neighbours. Numbers follow each other but in a view, where a number
/// that is left out stands for the version before it. Its memory is its changeset and the content
/// that the next newer version does not share. No newer version holds that content: dropping the oldest version frees
/// it.
package struct VersionHistory: Sendable {
    private var entries: Deque<RetainedVersion> {
        didSet { (count, oldest) = (entries.count, entries.isEmpty ? 0 : entries[0].state.version) }
    }
    /// How many versions are retained.
    package private(set) var count: Int
    /// The oldest version that can be resumed from.
    package private(set) var oldest: Int
    /// How many of them name mutations.
    private var withCauses = 0
    /// The newest version: what streams begin with.
    package private(set) var newest: PublishedState
    /// The memory of all versions, in bytes: their changesets, and the content that the newest one does not have.
    package private(set) var bytes = 0
    /// The last number that the newest version stands for: its own, but in a view.
    package private(set) var through: Int
    /// Versions before the oldest that were computed again.
    private var found: [PublishedState] = []
    /// The bounds.
    package let retention: VersionRetention

    /// Makes a history with the first version in it.
    package init(
        first: PublishedState, adapters: AdapterRegistry, variables: PublishedVariables = .unknown,
        retention: VersionRetention
    ) {
        newest = first
        entries = [RetainedVersion(state: first, adapters: adapters, variables: variables)]
        (count, oldest) = (1, first.version)
        through = first.version
        self.retention = retention
    }

    /// The versions, oldest first; the last is the newest. Nothing of them is copied.
    package var retained: some RandomAccessCollection<RetainedVersion> & Sendable { entries }

    /// The newest versions whose changesets have no more bytes together than a number; the newest version at least.
    ///
    /// - Complexity: O(*v*) in the number of versions.
    package func retained(withinBytes bytes: Int) -> some RandomAccessCollection<RetainedVersion> & Sendable {
        var (sum, first) = (0, entries.count - 1)
        while first > 0 {
            sum += entries[first].changeset?.textSize ?? 0
            if sum > bytes { break }
            first -= 1
        }
        return entries[first...]
    }

    /// A version's exclusive memory is freed outside of the director's loop if it is more than this many bytes.
    static let longRelease = 256 << 10

    /// Adds the newest version and drops the oldest beyond the bounds.
    ///
    /// - Parameters:
    ///   - state: What is published.
    ///   - adapters: The adapters at that moment.
    ///   - changeset: What led to it from the version before; nil where that cannot be retained.
    ///   - causes: The names of the mutations that it is the first to show.
    ///   - variables: The variables then.
    ///   - exclusiveBytes: The memory of the newest version that it does not share; nil has it counted here.
    /// - Returns: The versions that were dropped and take long to be freed.
    /// - Complexity: O(*k* log *n*) for *k* sections and elements that it does not share with the version before.
    @discardableResult
    package mutating func append(
        _ state: PublishedState, adapters: AdapterRegistry, changeset: RetainedChangeset?,
        causes: CauseList = CauseList(),
        variables: PublishedVariables = .unknown, exclusiveBytes: Int? = nil
    ) -> [PublishedState] {
        guard let changeset else {
            // Of the newest it is not known what the next one does not share.
            var dropped = newest.list.memory > Self.longRelease ? [newest] : []
            dropped += entries.filter { $0.exclusiveBytes > Self.longRelease }.map(\.state)
            entries = [RetainedVersion(state: state, adapters: adapters, variables: variables)]
            newest = state
            through = state.version
            bytes = 0
            withCauses = 0
            return dropped
        }
        let exclusive = exclusiveBytes ?? newest.list.bytesNotShared(with: state.list)
        bytes += exclusive + changeset.memory + causes.memory
        if !causes.isEmpty { withCauses += 1 }
        newest = state
        through = state.version
        entries[entries.count - 1].exclusiveBytes = exclusive
        entries.append(
            RetainedVersion(
                state: state, adapters: adapters, changeset: changeset, causes: causes, variables: variables))
        var dropped: [PublishedState] = []
        while entries.count > 1, entries.count > retention.count || bytes > retention.bytes {
            let oldest = entries.removeFirst()
            bytes -= oldest.bytes
            if oldest.exclusiveBytes > Self.longRelease { dropped.append(oldest.state) }
            forgetFirstChangeset()
        }
        return dropped
    }

    /// Drops the changeset that leads to the oldest version: nobody can come from where it begins any more.
    private mutating func forgetFirstChangeset() {
        bytes -= entries[0].changesetBytes
        if !entries[0].causes.isEmpty { withCauses -= 1 }
        entries[0].changeset = nil
        entries[0].causes = CauseList()
    }

    /// The names of the mutations that a retained version shows and an earlier one does not.
    ///
    /// - Complexity: O(1) where no retained version has any, else O(*v*) in the versions between the two.
    package func causes(after earlier: Int, through later: Int) -> CauseList {
        guard withCauses > 0 else { return CauseList() }
        return CauseList(
            newestFirst: entries.reversed().lazy.drop { $0.version > later }.prefix { $0.version > earlier }
                .map(\.causes))
    }

    /// A retained version's state.
    ///
    /// - Complexity: O(1); O(log *v*) in the number of versions where numbers are left out.
    package func state(at version: Int) -> PublishedState? {
        if let index = index(of: version) { return entries[index].state }
        return found.first { $0.version == version }
    }

    /// A retained version.
    ///
    /// - Complexity: that of ``state(at:)``.
    package func retained(at version: Int) -> RetainedVersion? {
        index(of: version).map { entries[$0] }
    }

    /// The position of the version that a number stands for.
    private func index(of version: Int) -> Int? {
        // A version comes from outside and may be the largest integer there is: nothing is added to it.
        guard version >= oldest, version <= through else { return nil }
        let index = version - oldest
        if entries.indices.contains(index), entries[index].version == version { return index }
        var (low, high) = (0, entries.count)
        while low < high {
            let middle = low + (high - low) / 2
            if entries[middle].version <= version { low = middle + 1 } else { high = middle }
        }
        return low - 1
    }

    /// Keeps a version before the oldest that was computed again, for reads and for one changeset from it. At most ``maxFound``
    /// are kept; the first one gives way.
    package mutating func add(found state: PublishedState) {
        guard state.version < oldest, !found.contains(where: { $0.version == state.version }) else { return }
        if found.count == Self.maxFound { found.removeFirst() }
        found.append(state)
    }

    /// How many versions before the oldest are kept.
    package static let maxFound = 4

    /// Lets the newest version stand for later numbers too, up to this one.
    package mutating func extend(through version: Int) {
        through = max(through, version)
    }

    /// The bytes of the single changesets from a version to the newest: about an upper bound for one changeset over all
    /// of them.
    ///
    /// - Complexity: O(*v*) in the number of versions.
    package func changesetBytes(after version: Int) -> Int {
        entries.reversed().prefix { $0.version > version }.reduce(0) { $0 + ($1.changeset?.textSize ?? 0) }
    }

    /// The changesets that lead from a version to the newest, in order; nil where one of them is gone.
    package func changesets(after version: Int) -> [RetainedChangeset]? {
        guard let index = index(of: version) else { return nil }
        let changesets = entries[(index + 1)...].compactMap(\.changeset)
        return changesets.count == entries.count - index - 1 ? changesets : nil
    }

    /// The numbers of the versions after a version, in order.
    package func versions(after version: Int) -> [Int] {
        index(of: version).map { entries[($0 + 1)...].map(\.version) } ?? []
    }
}
