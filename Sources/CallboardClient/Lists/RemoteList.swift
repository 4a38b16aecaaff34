import ListDiff

/// A whole copy of a director's published state at one version.
public struct RemoteList: ListReplica {
    /// The director's properties and adapters.
    public private(set) var definition: ListDefinition
    /// The life of the director that the version belongs to.
    public private(set) var epoch: String
    /// The version that the copy is at.
    public private(set) var version: Int
    /// The totals of a view, by name; empty for a director without any.
    public private(set) var totals: JSONObject
    /// The sections with their elements, in the order they are shown.
    public private(set) var sections: [RemoteSection]

    /// Makes a copy of what a stream began with.
    ///
    /// - Throws: if there are no sections, or their number of elements differs from the snapshot's count.
    public init(_ snapshot: Snapshot) throws(ListMismatch) { try self.init(snapshot, sections: nil) }

    /// Makes a copy of a snapshot.
    ///
    /// - Parameters:
    ///   - snapshot: the state that the stream sent.
    ///   - sections: the content for a snapshot without elements.
    /// - Throws: if there are no sections, or their number of elements differs from the snapshot's count.
    public init(_ snapshot: Snapshot, sections: [RemoteSection]?) throws(ListMismatch) {
        guard let sections = sections ?? snapshot.sections else { throw ListMismatch.noSections }
        try ListCounts(of: sections).check(against: snapshot.counts)
        definition = snapshot.definition
        epoch = snapshot.epoch
        version = snapshot.version
        totals = snapshot.totals
        self.sections = sections
    }

    /// Brings the copy from the changeset's `from` to its `version`, or throws and leaves it as it is.
    ///
    /// - Complexity: that of `applying(_:)` for each stage.
    public mutating func apply(_ changeset: RemoteChangeset) throws(ListMismatch) {
        sections = try sections(after: changeset) { (sections) throws(ChangesetError) in
            try sections.applying(changeset.stages)
        }
        version = changeset.version
        if let changed = changeset.totals { totals = changed }
    }

    /// Takes over properties and adapters that have changed.
    public mutating func apply(_ definition: ListDefinition) { self.definition = definition }

    /// Takes over the number that a stream resumes from.
    public mutating func apply(_ resumption: Resumption) { version = resumption.from }
}
