import DirectorLife
import Directors
import Dispatch
import Foundation
import JSONValues
import Synchronization

/// An entry as it is read back.
enum DecodedEntry {
    /// Any entry but the one below.
    case entry(LifeEntry)
    /// One operation that appends many elements, which are made later, by several threads.
    case appended(StoredAppend, revision: Int)
}

/// Encodes and decodes a record's entries: for each a tag and what belongs to it, operations in their JSON form.
package enum RecordCoding {
    private enum Tag: Int {
        case defined = 1
        case performed = 2
        /// A reload of an earlier program, which published nothing where no adapter looks.
        case publishedContent = 3
        case deleted = 4
        case published = 5
        case caused = 6
    }

    /// Encodes entries.
    ///
    /// - Complexity: O(*n*) in the text of the operations; a definition costs what its adapters do, not the content.
    package static func encode(_ entries: [LifeEntry]) -> [UInt8] {
        // Room for the small change of one element, which most records are.
        var writer = ByteWriter(reservingCapacity: 192)
        for entry in entries { encode(entry, to: &writer) }
        return writer.bytes
    }

    private static func encode(_ entry: LifeEntry, to writer: inout ByteWriter) {
        switch entry {
        case .defined(let definition, let revision):
            writer.number(Tag.defined.rawValue)
            writer.number(revision)
            writer.counted(definition.json)
        case .performed(let operations, let revision):
            writer.number(Tag.performed.rawValue)
            writer.number(revision)
            writer.json(estimate: operations.reduce(32) { $0 + $1.textEstimate }) { json in
                json.beginArray()
                for operation in operations { operation.encode(to: &json) }
                json.endArray()
            }
        case .published(let version, let animations, let form):
            writer.number((form == .contentOnly ? Tag.publishedContent : .published).rawValue)
            writer.number(version)
            if let animations {
                writer.json(estimate: 64) { animations.encode(to: &$0) }
            } else {
                writer.number(0)
            }
        case .caused(let cause):
            writer.number(Tag.caused.rawValue)
            writer.text(cause)
        case .deleted:
            writer.number(Tag.deleted.rawValue)
        }
    }

    /// Decodes entries.
    static func decode(_ bytes: [UInt8]) throws -> [DecodedEntry] {
        var reader = ByteReader(bytes)
        var entries: [DecodedEntry] = []
        while try !reader.isAtEnd() { entries.append(try entry(&reader)) }
        return entries
    }

    /// The fewest elements for which using other threads pays off.
    private static let manyElements = 64

    /// The only operation, if it appends many elements.
    private static func append(_ root: JSONNode) -> StoredAppend? {
        var operations = root.elements.makeIterator()
        guard let first = operations.next(), operations.next() == nil, let append = StoredAppend(first) else {
            return nil
        }
        return append.count < manyElements ? nil : append
    }

    /// Decodes the entries of many records, on all processors.
    static func decode(_ records: [StoredRecord]) -> [Result<[DecodedEntry], any Error>] {
        // More parts than processors, so that a slow one does not delay all.
        let parts = min(records.count, 4 * ProcessInfo.processInfo.activeProcessorCount)
        let decoded = Mutex([Int: [Result<[DecodedEntry], any Error>]]())
        DispatchQueue.concurrentPerform(iterations: parts) { part in
            let range = (records.count * part / parts)..<(records.count * (part + 1) / parts)
            let entries = records[range].map { record in Result { try decode(record.payload) } }
            decoded.withLock { $0[part] = entries }
        }
        return decoded.withLock { decoded in (0..<parts).flatMap { decoded[$0] ?? [] } }
    }

    private static func entry(_ reader: inout ByteReader) throws -> DecodedEntry {
        switch Tag(rawValue: try reader.number()) {
        case .defined:
            let revision = try reader.counter()
            return .entry(.defined(try Definition(json: try reader.counted()), revision: revision))
        case .performed:
            let revision = try reader.counter()
            let root = try JSONDocument(try reader.counted(), maximumDepth: JSONDocument.ceilingDepth).root
            if let append = append(root) { return .appended(append, revision: revision) }
            let operations = try root.elements.map { try Directors.Operation.decode($0) }
            return .entry(.performed(operations, revision: revision))
        case .published:
            return try published(&reader, .whole)
        case .publishedContent:
            return try published(&reader, .contentOnly)
        case .caused:
            return .entry(.caused(try reader.text()))
        case .deleted:
            return .entry(.deleted)
        case nil:
            throw ByteReader.Fault(detail: "there is an entry of an unknown kind")
        }
    }

    private static func published(_ reader: inout ByteReader, _ form: PublicationForm) throws -> DecodedEntry {
        let version = try reader.counter()
        let json = try reader.counted()
        let animations = json.isEmpty ? nil : try Animations.decode(JSONDocument(json).root)
        return .entry(.published(version: version, animations: animations, form: form))
    }
}
