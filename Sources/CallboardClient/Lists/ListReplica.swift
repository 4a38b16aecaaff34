import ListDiff

/// A copy of a director's published state at one version: ``RemoteList``, or ``SparseList`` of which only some elements are
/// here.
///
/// Applying a changeset checks that it belongs here: the same life of the director, the version that the copy is at,
/// places that exist, and at the end the counts that the server named. A mismatch changes nothing.
public protocol ListReplica: Sendable, Hashable {
    /// What the list consists of.
    associatedtype Section: ListSection

    /// The director's properties and adapters.
    var definition: ListDefinition { get }
    /// The life of the director that the version belongs to.
    var epoch: String { get }
    /// The version that the copy is at.
    var version: Int { get }
    /// The totals of a view, by name: a number or null, of a total by section an object by the sections' identifiers. Empty
    /// for a director without any.
    var totals: JSONObject { get }
    /// The sections with their elements, in the order they are shown.
    var sections: [Section] { get }

    /// Makes a copy of what a stream began with.
    ///
    /// - Throws: A snapshot that lacks something the copy needs, or differs from its own counts.
    init(_ snapshot: Snapshot) throws(ListMismatch)

    /// Brings the copy from the changeset's `from` to its `version`, or throws and leaves it as it is.
    mutating func apply(_ changeset: RemoteChangeset) throws(ListMismatch)

    /// Takes over properties and adapters that have changed.
    mutating func apply(_ definition: ListDefinition)

    /// Takes over the number that a stream resumes from. Of a view, several numbers stand for one list, and the server's may be
    /// another one than the copy's.
    mutating func apply(_ resumption: Resumption)
}

extension ListReplica {
    /// How much the list holds, whether or not it is here.
    ///
    /// - Complexity: O(*s*) in the number of sections.
    public var counts: ListCounts { ListCounts(of: sections) }

    /// The element at a path, or nil where there is none, or it is not here.
    public func element(at path: ElementPath) -> RemoteElement? { sections.element(at: path) }

    /// The height that a row sets for its cell at a path; nil where it sets none, in an ordinary section, and where there
    /// is no element.
    public func rowHeight(at path: ElementPath) -> Double? { sections.rowHeight(at: path) }

    /// The estimated height that a row sets for its cell at a path; nil as for ``rowHeight(at:)``.
    public func estimatedRowHeight(at path: ElementPath) -> Double? { sections.estimatedRowHeight(at: path) }

    /// The identifier that the cell at a path is reused by; nil where there is no element, and where its model has no
    /// adapter.
    ///
    /// - Complexity: that of ``ListDefinition/reuseIdentifier(for:)``.
    public func reuseIdentifier(at path: ElementPath) -> String? {
        element(at: path).flatMap { definition.reuseIdentifier(for: $0) }
    }

    /// The sections after a changeset that begins at the copy's life and version, and leads to its own counts.
    func sections(
        after changeset: RemoteChangeset, _ replay: ([Section]) throws(ChangesetError) -> [Section]
    ) throws(ListMismatch) -> [Section] {
        guard changeset.epoch == epoch || changeset.epoch.isEmpty else {
            throw ListMismatch.epoch(expected: epoch, found: changeset.epoch)
        }
        guard changeset.from == version, changeset.version >= version else {
            throw ListMismatch.version(expected: version, found: changeset.from)
        }
        let result: [Section]
        do throws(ChangesetError) {
            result = try replay(sections)
        } catch {
            throw ListMismatch.operation(error)
        }
        try ListCounts(of: result).check(against: changeset.counts)
        return result
    }
}

extension RandomAccessCollection where Element: ListSection, Index == Int {
    /// The element at a path, or nil where there is none, or it is not here.
    ///
    /// It serves a view's data source, which answers from the sections that it was given for a stage.
    public func element(at path: ElementPath) -> RemoteElement? {
        indices.contains(path.section) ? self[path.section].element(at: path.element) : nil
    }

    /// The height that a row sets for its cell at a path; nil where it sets none, in an ordinary section, and where there
    /// is no element.
    public func rowHeight(at path: ElementPath) -> Double? { element(at: path)?.height }

    /// The estimated height that a row sets for its cell at a path; nil as for `rowHeight(at:)`.
    public func estimatedRowHeight(at path: ElementPath) -> Double? { element(at: path)?.estimatedHeight }
}
