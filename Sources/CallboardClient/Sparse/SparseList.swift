import ListDiff

/// A copy of a director's published state at one version, of which only some elements are here.
///
/// It knows each section and its length. A ``LiveSparseList`` brings the elements that somebody looks at.
public struct SparseList: ListReplica {
    /// The director's properties and adapters.
    public private(set) var definition: ListDefinition
    /// The life of the director that the version belongs to.
    public private(set) var epoch: String
    /// The version that the copy is at.
    public private(set) var version: Int
    /// The totals of a view, by name; empty for a director without any.
    public private(set) var totals: JSONObject
    /// The sections with what is here of their elements, in the order they are shown.
    public internal(set) var sections: [SparseSection]

    /// Makes a copy of a snapshot without elements; none is here then.
    ///
    /// - Throws: where there are no sections, a section does not tell its length, or the lengths are not what the
    ///   snapshot counts.
    public init(_ snapshot: Snapshot) throws(ListMismatch) {
        guard let shells = snapshot.sections else { throw ListMismatch.noSections }
        var sections: [SparseSection] = []
        for (position, shell) in shells.enumerated() {
            guard let section = SparseSection(counted: shell) else { throw ListMismatch.noCount(section: position) }
            sections.append(section)
        }
        try ListCounts(of: sections).check(against: snapshot.counts)
        definition = snapshot.definition
        epoch = snapshot.epoch
        version = snapshot.version
        totals = snapshot.totals
        self.sections = sections
    }

    /// Brings the copy from the changeset's `from` to its `version`, or throws and leaves it as it is.
    ///
    /// Unloaded elements move with the rest, and the elements of the changeset are loaded afterwards.
    ///
    /// - Complexity: O(*s* log *k*) for *s* sections and *k* operations, and O((*h* + *k*) log *k*) in each section that
    ///   elements change in, *h* of which are here.
    public mutating func apply(_ changeset: RemoteChangeset) throws(ListMismatch) {
        sections = try sections(after: changeset) { (sections) throws(ChangesetError) in
            try changeset.stages.states(from: sections).last ?? sections
        }
        version = changeset.version
        if let changed = changeset.totals { totals = changed }
    }

    /// Takes over properties and adapters that have changed.
    public mutating func apply(_ definition: ListDefinition) { self.definition = definition }

    /// Takes over the number that a stream resumes from.
    public mutating func apply(_ resumption: Resumption) { version = resumption.from }

    /// The number of elements that are here.
    ///
    /// - Complexity: O(*s* + *h*).
    public var heldCount: Int { sections.reduce(0) { $0 + $1.elements.heldCount } }

    /// Forgets the elements that were asked for longest ago, so that at most three quarters of a limit are left; does
    /// nothing while the limit is not reached. The elements of the newest load stay.
    mutating func trim(to limit: Int, newest load: Int) {
        guard heldCount > limit else { return }
        let uses = sections.flatMap { $0.elements.slots.filter { $0.element != nil }.map(\.lastUse) }.sorted(by: >)
        let oldest = uses[limit * 3 / 4]
        for section in sections.indices where !sections[section].elements.slots.isEmpty {
            sections[section].elements.keep { $0.element == nil || $0.lastUse > oldest || $0.lastUse == load }
        }
    }
}
