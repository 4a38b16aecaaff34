/// The source of an event: the kind of adapter, or of director, whose closure it is in FlowKit.
package enum EventSource: String, Hashable, Sendable, CaseIterable {
    /// A cell adapter of a table.
    case tableCell
    /// A cell adapter of a collection, with a flow layout or without.
    case collectionCell
    /// A header/footer adapter of a table.
    case tableHeaderFooter
    /// A header/footer adapter of a collection.
    case collectionHeaderFooter
    /// A table director.
    case tableDirector
    /// A collection director.
    case collectionDirector
    /// The scroll view of any director.
    case scroll

    /// The source in words, with an article.
    package var phrase: String {
        switch self {
        case .tableCell: "a table's cell adapter"
        case .collectionCell: "a collection's cell adapter"
        case .tableHeaderFooter: "a table's header/footer adapter"
        case .collectionHeaderFooter: "a collection's header/footer adapter"
        case .tableDirector: "a table director"
        case .collectionDirector: "a collection director"
        case .scroll: "a director's scroll view"
        }
    }

    /// The sources of events in a director of a kind.
    package static func all(of kind: DirectorKind) -> [EventSource] {
        kind == .table
            ? [.tableCell, .tableHeaderFooter, .tableDirector, .scroll]
            : [.collectionCell, .collectionHeaderFooter, .collectionDirector, .scroll]
    }
}
