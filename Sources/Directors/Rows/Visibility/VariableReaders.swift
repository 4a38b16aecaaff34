import HashTreeCollections
import Notation

/// Which rows read which variables.
///
/// A copy shares everything with its original until one of them changes.
struct VariableReaders: Sendable {
    /// What is read.
    private enum Key: Hashable, Sendable {
        case variable(Name)
        /// Any variable: which one is known only when the expression is evaluated.
        case any
    }

    /// A row, by the identifiers of its section and its own. Sections may have the same identifier.
    struct RowKey: Hashable, Sendable {
        let section: SectionIdentity
        let row: RowIdentity
    }

    private var readers: TreeDictionary<Key, TreeDictionary<RowKey, Int>> = [:]

    /// The rows that read some variables, by their sections.
    ///
    /// - Complexity: O(*r*) in the number of rows that do.
    func rows(reading names: Set<Name>) -> [SectionIdentity: Set<RowIdentity>] {
        var rows: [SectionIdentity: Set<RowIdentity>] = [:]
        guard !names.isEmpty else { return rows }
        for key in names.map(Key.variable) + [.any] {
            for (row, _) in readers[key] ?? [:] { rows[row.section, default: []].insert(row.row) }
        }
        return rows
    }

    /// Whether a row reads a variable, or may read any.
    func isRead(_ name: Name) -> Bool {
        readers[.variable(name)] != nil || readers[.any] != nil
    }

    /// Adds a row to the readers of what it reads.
    ///
    /// - Complexity: O(*v*) in the number of variables that it reads.
    mutating func add(_ row: Row, of section: SectionIdentity) {
        for key in VariableReaders.keys(of: row) {
            readers[key, default: [:]][RowKey(section: section, row: row.differenceIdentifier), default: 0] += 1
        }
    }

    /// Takes a row away from the readers of what it reads.
    mutating func remove(_ row: Row, of section: SectionIdentity) {
        let place = RowKey(section: section, row: row.differenceIdentifier)
        for key in VariableReaders.keys(of: row) {
            guard let count = readers[key]?[place] else { continue }
            readers[key]?[place] = count > 1 ? count - 1 : nil
            if readers[key]?.isEmpty == true { readers[key] = nil }
        }
    }

    private static func keys(of row: Row) -> [Key] {
        let reads = row.settings.reads
        return reads.variables.map(Key.variable) + (reads.readsAnyVariable ? [.any] : [])
    }
}
