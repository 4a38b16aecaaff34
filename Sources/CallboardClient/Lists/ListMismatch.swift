import ListDiff

/// Why a copy of a list and what the server sent do not fit together.
public enum ListMismatch: Error, Sendable, Hashable, CustomStringConvertible {
    /// A change came before any state it could apply to.
    case noSnapshot
    /// A snapshot came without its sections.
    case noSections
    /// A snapshot without elements came without the number of a section's elements.
    case noCount(section: Int)
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

    /// The mismatch, as a sentence without a full stop.
    public var description: String {
        switch self {
        case .noSnapshot: "a change arrived before the list itself"
        case .noSections: "a snapshot arrived without its sections"
        case .noCount(let section): "a snapshot arrived without the number of elements of its section \(section)"
        case .epoch(let expected, let found): "the copy belongs to \"\(expected)\" but the change to \"\(found)\""
        case .version(let expected, let found): "the copy is at version \(expected) but the change begins at \(found)"
        case .operation(let error): "an operation does not fit: \(error)"
        case .counts(let expected, let found): "the server counts \(expected) but the copy has \(found)"
        case .unreadable(let error): "an event could not be read: \(error)"
        }
    }
}
