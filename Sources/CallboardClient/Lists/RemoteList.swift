import ListDiff

/// A copy of a director's published state at one version.
///
/// Applying a changeset checks that it belongs here: the same life of the director, the version that the copy is at,
/// places that exist, and at the end the counts that the server named. What does not fit changes nothing.
public struct RemoteList: Sendable, Hashable {
    /// The director's properties and adapters.
    public private(set) var definition: ListDefinition
    /// The life of the director that the version belongs to.
    public private(set) var epoch: String
    /// The version that the copy is at.
    public private(set) var version: Int
    /// The sections with their elements, in the order they are shown.
    public private(set) var sections: [RemoteSection]

    /// Makes a copy of a snapshot.
    ///
    /// - Parameters:
    ///   - snapshot: what the stream began with.
    ///   - sections: what to fill it with where the snapshot came without elements.
    /// - Throws: where there are no sections, or not as many as the snapshot counts.
    public init(_ snapshot: Snapshot, sections: [RemoteSection]? = nil) throws(ListMismatch) {
        guard let sections = sections ?? snapshot.sections else { throw ListMismatch.noSections }
        if let counts = snapshot.counts, counts != ListCounts(of: sections) {
            throw ListMismatch.counts(expected: counts, found: ListCounts(of: sections))
        }
        definition = snapshot.definition
        epoch = snapshot.epoch
        version = snapshot.version
        self.sections = sections
    }

    /// How much the copy holds.
    public var counts: ListCounts { ListCounts(of: sections) }

    /// Brings the copy from the changeset's `from` to its `version`, or throws and leaves it as it is.
    ///
    /// - Complexity: that of `applying(_:)` for each stage.
    public mutating func apply(_ changeset: RemoteChangeset) throws(ListMismatch) {
        guard changeset.epoch == epoch || changeset.epoch.isEmpty else {
            throw ListMismatch.epoch(expected: epoch, found: changeset.epoch)
        }
        guard changeset.from == version, changeset.version >= version else {
            throw ListMismatch.version(expected: version, found: changeset.from)
        }
        let result: [RemoteSection]
        do throws(ChangesetError) {
            result = try sections.applying(changeset.stages)
        } catch {
            throw ListMismatch.operation(error)
        }
        if let counts = changeset.counts, counts != ListCounts(of: result) {
            throw ListMismatch.counts(expected: counts, found: ListCounts(of: result))
        }
        sections = result
        version = changeset.version
    }

    /// Takes over properties and adapters that have changed.
    public mutating func apply(_ definition: ListDefinition) { self.definition = definition }
}

/// Why a copy of a list and what the server sent do not fit together.
public enum ListMismatch: Error, Sendable, Hashable, CustomStringConvertible {
    /// A change came before any state it could apply to.
    case noSnapshot
    /// A snapshot came without its sections.
    case noSections
    /// The change belongs to another life of the director.
    case epoch(expected: String, found: String)
    /// The change does not begin at the version that the copy is at.
    case version(expected: Int, found: Int)
    /// An operation does not fit the list.
    case operation(ChangesetError)
    /// The list is not as long as the server says.
    case counts(expected: ListCounts, found: ListCounts)
    /// An event could not be read.
    case unreadable(RepresentationError)

    /// What does not fit, as a sentence without a full stop.
    public var description: String {
        switch self {
        case .noSnapshot: "a change arrived before the list itself"
        case .noSections: "a snapshot arrived without its sections"
        case .epoch(let expected, let found): "the copy belongs to \"\(expected)\" but the change to \"\(found)\""
        case .version(let expected, let found): "the copy is at version \(expected) but the change begins at \(found)"
        case .operation(let error): "an operation does not fit: \(error)"
        case .counts(let expected, let found): "the server counts \(expected) but the copy has \(found)"
        case .unreadable(let error): "an event could not be read: \(error)"
        }
    }
}
