import Directors
import JSONValues

/// An entry as it comes back from a store.
enum DecodedEntry {
    case defined(Definition, revision: Int)
    case performed([Directors.Operation], revision: Int)
    case published(version: Int, animations: Animations?)
    case deleted
}

/// The bytes of a record's entries: for each a tag and what belongs to it, operations in their JSON form.
enum RecordCoding {
    private enum Tag: Int {
        case defined = 1
        case performed = 2
        case published = 3
        case deleted = 4
    }

    /// Writes entries.
    ///
    /// - Complexity: O(*n*) in the text of the operations; a definition costs what its adapters do, not the content.
    static func encode(_ entries: [JournalEntry]) -> [UInt8] {
        // Room for the small change of one element, which most records are.
        var writer = ByteWriter(reservingCapacity: 192)
        for entry in entries { encode(entry, to: &writer) }
        return writer.bytes
    }

    private static func encode(_ entry: JournalEntry, to writer: inout ByteWriter) {
        switch entry {
        case .defined(let director):
            writer.number(Tag.defined.rawValue)
            writer.number(director.revision)
            writer.counted(Definition(of: director).json)
        case .performed(let operations, let revision):
            writer.number(Tag.performed.rawValue)
            writer.number(revision)
            var json = JSONWriter(reservingCapacity: 160)
            json.beginArray()
            for operation in operations { operation.encode(to: &json) }
            json.endArray()
            writer.counted(json.bytes)
        case .published(let version, let animations):
            writer.number(Tag.published.rawValue)
            writer.number(version)
            var json = JSONWriter()
            animations?.encode(to: &json)
            writer.counted(json.bytes)
        case .deleted:
            writer.number(Tag.deleted.rawValue)
        }
    }

    /// Reads entries.
    static func decode(_ bytes: [UInt8]) throws -> [DecodedEntry] {
        var reader = ByteReader(bytes)
        var entries: [DecodedEntry] = []
        while try !reader.isAtEnd() { entries.append(try entry(&reader)) }
        return entries
    }

    private static func entry(_ reader: inout ByteReader) throws -> DecodedEntry {
        switch Tag(rawValue: try reader.number()) {
        case .defined:
            let revision = try reader.number()
            return .defined(try Definition(json: try reader.counted()), revision: revision)
        case .performed:
            let revision = try reader.number()
            let root = try JSONDocument(try reader.counted(), maximumDepth: JSONDocument.ceilingDepth).root
            return .performed(try root.elements.map { try Directors.Operation.decode($0) }, revision: revision)
        case .published:
            let version = try reader.number()
            let json = try reader.counted()
            let animations = json.isEmpty ? nil : try Animations.decode(JSONDocument(json).root)
            return .published(version: version, animations: animations)
        case .deleted:
            return .deleted
        case nil:
            throw ByteReader.Fault(detail: "there is an entry of an unknown kind")
        }
    }
}
