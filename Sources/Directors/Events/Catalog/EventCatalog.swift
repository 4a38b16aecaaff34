import Notation

/// All events of FlowKit, and those that UIKit has got since, by what they come from and their name.
///
/// The tables beside this file are the only place where an event is described: hooks are checked against them, and the
/// documentation and the API's description are made of them.
package enum EventCatalog {
    /// Every event, source by source.
    package static let all: [EventDefinition] = EventSource.allCases.flatMap { events(of: $0) }

    /// The events of a source, those that belong together beside each other.
    package static func events(of source: EventSource) -> [EventDefinition] {
        switch source {
        case .tableCell: tableCellEvents
        case .collectionCell: collectionCellEvents
        case .tableHeaderFooter: tableHeaderFooterEvents
        case .collectionHeaderFooter: collectionHeaderFooterEvents
        case .tableDirector: tableDirectorEvents
        case .collectionDirector: collectionDirectorEvents
        case .stackCell: stackCellEvents
        case .stackHeaderFooter: stackHeaderFooterEvents
        case .stackDirector: stackDirectorEvents
        case .scroll: scrollEvents
        case .section: sectionEvents
        }
    }

    /// The event of a name that a source has.
    package static func event(_ name: String, of source: EventSource) -> EventDefinition? {
        bySource[source]?[name]
    }

    /// The event of a name at a level in a director of a kind. A model row has the events of a section, too.
    package static func event(_ name: String, at level: HookLevel, in kind: DirectorKind) -> EventDefinition? {
        if let event = event(name, of: level.source(in: kind)) { return event }
        return if case .row = level.unviewed { event(name, of: .section) } else { nil }
    }

    private static let bySource = Dictionary(
        uniqueKeysWithValues: EventSource.allCases.map { source in
            (source, Dictionary(events(of: source).map { ($0.name, $0) }) { first, _ in first })
        })

    /// The names that some sources have, each once, those that a misspelt one resembles most before the others.
    package static func names(of sources: [EventSource], nearestTo name: String) -> [String] {
        var seen: Set<String> = []
        let names = sources.flatMap { events(of: $0) }.map(\.name).filter { seen.insert($0).inserted }
        return NearestName.order(names, by: name)
    }

    /// Says that a source does not have an event, and which ones it has, the nearest name first.
    static func unknown(_ name: String, of source: EventSource) -> String {
        "\(source.phrase) has no event \(name.prefix(Name.maximumLength).quoted); it has "
            + names(of: [source], nearestTo: name).joined(separator: ", ")
    }
}
