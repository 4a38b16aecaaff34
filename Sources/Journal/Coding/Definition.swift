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

/// The versions of what a journal holds, as programs have to know them.
///
/// A database tells the version that is written; see ``SharingStatus/version``. Each version reads what earlier ones have
/// written. A new kind of content gets the next number, and is written once no node is left that does not know it.
package enum ContentVersion {
    /// Everything up to version 0.2.0.
    package static let plain = 2
    /// Views, and previews of adapters.
    package static let views = 3
    /// The newest that this program writes.
    package static let newest = views
}

extension Definition {
    /// The version that a program has to know in order to read the definition.
    ///
    /// - Complexity: O(adapters).
    package var contentVersion: Int {
        derivation != nil || cells.contains { $0.preview != nil } ? ContentVersion.views : ContentVersion.plain
    }
}
