import Directors
import JSONValues

/// What a director is, besides its content: properties, adapters and event hooks.
struct Definition {
    let properties: DirectorProperties
    let cells: [CellAdapter]
    let views: [HeaderFooterAdapter]
    let hooks: HookRegistry

    /// The definition of a director at this moment.
    init(of director: Director) {
        properties = director.properties
        cells = director.adapters.sortedCells
        views = director.adapters.sortedHeaderFooters
        hooks = director.hooks
    }

    /// The definition's JSON form. A hook stands in it with its secrets.
    var json: [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.key("kind")
        writer.string(properties.kind.rawValue)
        writer.key("properties")
        properties.encode(to: &writer)
        writer.key("adapters")
        writer.beginArray()
        for cell in cells { cell.encode(to: &writer) }
        writer.endArray()
        writer.key("headerFooterAdapters")
        writer.beginArray()
        for view in views { view.encode(to: &writer) }
        writer.endArray()
        if !hooks.isEmpty {
            writer.key("hooks")
            hooks.encodeStored(to: &writer)
        }
        writer.endObject()
        return writer.bytes
    }

    /// Reads the JSON form; without the member `hooks` there are none.
    init(json: [UInt8]) throws {
        let root = try JSONDocument(json, maximumDepth: JSONDocument.ceilingDepth).root
        guard let kind = root["kind"]?.string.flatMap(DirectorKind.init(rawValue:)),
            let properties = root["properties"], let cells = root["adapters"], let views = root["headerFooterAdapters"]
        else { throw ByteReader.Fault(detail: "a definition lacks a member") }
        self.properties = try DirectorProperties.decode(properties, kind: kind)
        self.cells = try cells.elements.map { try CellAdapter.decode($0, model: nil) }
        self.views = try views.elements.map { try HeaderFooterAdapter.decode($0, view: nil) }
        self.hooks = try root["hooks"].map { try HookRegistry.decodeStored($0, kind: kind) } ?? HookRegistry()
    }
}

extension Director {
    /// Whether nothing has happened to the director yet.
    var isNew: Bool { revision == 0 && version == 0 }

    /// Makes the director what a definition says, as the calls did that led to it.
    ///
    /// A call that has changed an adapter and its hooks has raised the revision by one, and so does this.
    ///
    /// - Throws: An adapter that does not fit the elements, or that is in use and gone.
    mutating func redefine(as definition: Definition) throws(DirectorError) {
        let before = revision
        redefine(definition.properties)
        for cell in definition.cells { try register(cell) }
        for view in definition.views { try register(view) }
        let models = Set(definition.cells.map(\.model))
        for cell in adapters.sortedCells where !models.contains(cell.model) {
            try removeCellAdapter(model: cell.model)
        }
        let names = Set(definition.views.map(\.view))
        for view in adapters.sortedHeaderFooters where !names.contains(view.view) {
            try removeHeaderFooterAdapter(view: view.view)
        }
        restore(definition.hooks, since: before)
    }
}
