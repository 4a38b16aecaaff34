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
    /// A cell adapter of a stack.
    case stackCell
    /// A header/footer adapter of a stack.
    case stackHeaderFooter
    /// A stack director.
    case stackDirector
    /// The scroll view of any director.
    case scroll
    /// A section, or a model row: what their elements come from.
    case section

    /// The source in words, with an article.
    package var phrase: String {
        switch self {
        case .tableCell: "a table's cell adapter"
        case .collectionCell: "a collection's cell adapter"
        case .tableHeaderFooter: "a table's header/footer adapter"
        case .collectionHeaderFooter: "a collection's header/footer adapter"
        case .tableDirector: "a table director"
        case .collectionDirector: "a collection director"
        case .stackCell: "a stack's cell adapter"
        case .stackHeaderFooter: "a stack's header/footer adapter"
        case .stackDirector: "a stack director"
        case .scroll: "a director's scroll view"
        case .section: "a section"
        }
    }

    /// The sources of the events that a UI reports in a director of a kind.
    package static func all(of kind: DirectorKind) -> [EventSource] {
        // Constants, of which none is made on the path of an event.
        switch kind {
        case .table: [.tableCell, .tableHeaderFooter, .tableDirector, .scroll]
        case .collection, .flow: [.collectionCell, .collectionHeaderFooter, .collectionDirector, .scroll]
        case .stack: [.stackCell, .stackHeaderFooter, .stackDirector, .scroll]
        }
    }

    /// The cell adapters of a director of a kind.
    static func cell(of kind: DirectorKind) -> EventSource {
        switch kind {
        case .table: .tableCell
        case .collection, .flow: .collectionCell
        case .stack: .stackCell
        }
    }

    /// The header/footer adapters of a director of a kind.
    static func headerFooter(of kind: DirectorKind) -> EventSource {
        switch kind {
        case .table: .tableHeaderFooter
        case .collection, .flow: .collectionHeaderFooter
        case .stack: .stackHeaderFooter
        }
    }

    /// A director of a kind.
    static func director(of kind: DirectorKind) -> EventSource {
        switch kind {
        case .table: .tableDirector
        case .collection, .flow: .collectionDirector
        case .stack: .stackDirector
        }
    }

    /// Whether the events are a director's own.
    var isDirectors: Bool {
        switch self {
        case .tableDirector, .collectionDirector, .stackDirector: true
        case .tableCell, .collectionCell, .stackCell, .tableHeaderFooter, .collectionHeaderFooter, .stackHeaderFooter,
            .scroll, .section:
            false
        }
    }
}
