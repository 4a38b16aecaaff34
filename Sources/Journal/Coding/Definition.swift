import DirectorLife
import Directors
import JSONValues

extension Definition {
    /// The definition's JSON form, as records and snapshots hold it. It contains the secrets of hooks.
    var json: [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.key("kind")
        writer.string(properties.kind.rawValue)
        writer.key("properties")
        properties.encode(to: &writer)
        if let derivation {
            writer.key("view")
            writer.value(derivation.definition)
        }
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

    /// Reads the JSON form; without the members `hooks` and `view`, as earlier programs wrote it, there are none.
    init(json: [UInt8]) throws {
        let root = try JSONDocument(json, maximumDepth: JSONDocument.ceilingDepth).root
        guard let kind = root["kind"]?.string.flatMap(DirectorKind.init(rawValue:)),
            let properties = root["properties"], let cells = root["adapters"], let views = root["headerFooterAdapters"]
        else { throw ByteReader.Fault(detail: "a definition lacks a member") }
        let derivation = root["view"].flatMap { Derivation(stored: $0.value) }
        guard root["view"] == nil || derivation != nil else {
            throw ByteReader.Fault(detail: "a view names no source")
        }
        self.init(
            properties: try DirectorProperties.decode(properties, kind: kind), derivation: derivation,
            cells: try cells.elements.map { try CellAdapter.decode($0, model: nil) },
            views: try views.elements.map { try HeaderFooterAdapter.decode($0, view: nil) },
            hooks: try root["hooks"].map { try HookRegistry.decodeStored($0, kind: kind) } ?? HookRegistry())
    }
}

extension Definition {
    /// The version that a program has to know in order to read the definition.
    ///
    /// - Complexity: O(adapters and hooks).
    package var contentVersion: Int {
        let hooked = hooks.entries.map { hook in
            let event = EventCatalog.event(hook.event, at: hook.level, in: properties.kind)?.contentVersion
            return hook.level.view == nil ? event : max(event ?? ContentVersion.plain, ContentVersion.views)
        }
        let others = [properties.contentVersion, derivation == nil ? ContentVersion.plain : ContentVersion.views]
        return (cells.map(\.contentVersion) + hooked.compactMap(\.self) + others).max() ?? ContentVersion.plain
    }
}

extension LifeDraft {
    /// The version that a program has to know in order to read what the command stores. A definition counts where it has
    /// become harder to read.
    ///
    /// - Parameter earlier: The director before the command.
    /// - Complexity: O(sections and rows) that the command brings in, and O(adapters and hooks) where the definition has
    ///   changed.
    package func contentVersion(since earlier: Director) -> Int {
        let content = entries.map(\.contentVersion).max() ?? ContentVersion.plain
        guard !done.isDisjoint(with: [.definition, .hooks]) else { return content }
        let needed = Definition(of: director).contentVersion
        return needed > Definition(of: earlier).contentVersion ? max(needed, content) : content
    }
}

extension LifeEntry {
    /// The version that a program has to know in order to read the content that the entry brings in.
    fileprivate var contentVersion: Int {
        switch self {
        case .performed(let operations, _): operations.map(\.contentVersion).max() ?? ContentVersion.plain
        case .defined, .published, .caused, .deleted: ContentVersion.plain
        }
    }
}
