import Notation

/// Which events have hooks, as a definition says.
struct HookNames: Hashable {
    /// The events of a row.
    private struct Row: Hashable {
        let section: Name
        let row: Name
    }

    private var models: [Name: Set<Name>] = [:]
    private var rows: [Row: Set<Name>] = [:]
    private var views: [Name: Set<Name>] = [:]
    /// The events of the director and of its scroll view that have hooks.
    private let director: Set<Name>

    init(_ definition: ListDefinition?) {
        director = HookNames.names(definition.map { .object($0.hooks.director) })
            .union(HookNames.names(definition.map { .object($0.hooks.scroll) }))
        for adapter in definition?.adapters ?? [] {
            guard let model = adapter["model"]?.stringValue else { continue }
            models[Name(model)] = HookNames.names(adapter["events"])
        }
        for adapter in definition?.headerFooterAdapters ?? [] {
            guard let view = adapter["view"]?.stringValue else { continue }
            views[Name(view)] = HookNames.names(adapter["events"])
        }
        for hooked in definition?.hooks.rows ?? [] {
            guard let section = hooked["section"]?.stringValue, let row = hooked["row"]?.stringValue else { continue }
            rows[Row(section: Name(section), row: Name(row))] = HookNames.names(hooked["events"])
        }
    }

    private static func names(_ events: JSON?) -> Set<Name> {
        Set(events?.objectValue?.members.map { Name($0.name) } ?? [])
    }

    /// Whether an event of an element has a hook: one of its row, or of its model's adapter.
    func contains(_ event: String, of element: RemoteElement, in section: String) -> Bool {
        if let row = element.row, rows[Row(section: Name(section), row: Name(row))]?.contains(Name(event)) == true {
            return true
        }
        return element.model.flatMap { models[Name($0)] }?.contains(Name(event)) == true
    }

    /// Whether an event of the director or of its scroll view has a hook.
    func contains(_ event: String) -> Bool { director.contains(Name(event)) }

    /// Whether an event of a header or footer view has a hook.
    func contains(_ event: String, ofView view: String) -> Bool { views[Name(view)]?.contains(Name(event)) == true }
}
