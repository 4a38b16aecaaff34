import DirectorLife
import Directors
import HashTreeCollections
import JSONValues
import Notation

/// Encodes a snapshot: a director with its retained versions.
///
/// In order: the definition and numbers; the variables; three lists, each as far as possible in pieces of the list
/// before it: the working list with its hidden part, the published list, and the list of the oldest retained version;
/// then the changesets from the oldest version to the published one. Adapters are written where they are first needed
/// and are numbers from then on: an element that was published before its adapter changed keeps the earlier one. Behind
/// all that stand the names of mutations that no version shows yet, where there are any, and the variables that the
/// published version was made with, where the present ones are others: then the names are there too, if only as none.
///
/// Elements are written in blocks that are independent of each other, each element with the identifier that its
/// adapter read from its value. So a start does not parse the values, and several threads can decode the blocks.
struct StateEncoder {
    /// The bytes at the beginning: a mark and the version of the form.
    static let magic = Array("callboard snapshot 2".utf8)
    /// The mark of the form before this one: elements one by one, their identifiers to be read from their values.
    static let earlierMagic = Array("callboard snapshot 1".utf8)

    /// How a list of elements or a section is written.
    enum Tag: Int {
        case end = 0
        case same = 1
        case section = 2
        case copy = 3
        /// Elements of the earlier form.
        case own = 4
        case adapter = 5
        case block = 6
        /// A row of a section of rows, and then its elements; of the working list only.
        case row = 7
    }

    /// The bytes at which a block of elements ends: what a thread takes at once.
    static let blockSize = 64 * 1024

    private var writer = ByteWriter()
    private var adapters: [ObjectIdentifier: Int] = [:]
    /// Keeps the adapters' identities valid.
    private var held: [CellAdapter] = []

    /// Writes everything.
    ///
    /// - Complexity: O(*n*) in the number of elements of three lists; the text of each element is written once.
    mutating func encode(_ state: LifeState, _ take: ([UInt8]) throws -> Void) throws {
        let director = state.director
        writer.counted(Self.magic)
        writer.text(director.name)
        writer.text(director.epoch)
        writer.counted(Definition(of: director).json)
        writer.number(director.revision)
        writer.number(director.version)
        writer.number(state.definitionVersion.map { $0 + 1 } ?? 0)
        try encode(director.working.variables, take)
        let oldest = state.versions.retained.first?.state ?? director.published
        var sections = try encode(director.working.list, from: [], take)
        sections = try encode(director.published.list, from: sections, take)
        writer.number(oldest.version)
        if oldest.version != director.version { _ = try encode(oldest.list, from: sections, take) }
        try encode(state.versions.retained, take)
        let causes = director.working.causes
        let variables = state.unpublishedVariables
        if !causes.isEmpty || variables != nil {
            writer.number(causes.names.count)
            for name in causes.names { writer.text(name) }
        }
        if let variables { try encode(variables, take) }
        try writer.drain(SnapshotLimits.chunk, all: true, take)
    }

    private mutating func encode(
        _ variables: TreeDictionary<Name, JSONValue>, _ take: ([UInt8]) throws -> Void
    ) throws {
        writer.number(variables.count)
        for (name, value) in variables {
            writer.text(name.text)
            writer.counted(value.bytes)
            try flush(take)
        }
    }

    private mutating func flush(_ take: ([UInt8]) throws -> Void) throws {
        guard writer.bytes.count >= SnapshotLimits.chunk else { return }
        try writer.drain(SnapshotLimits.chunk, all: false, take)
    }

    // MARK: Lists

    /// A section that has been written.
    private struct Written {
        let identity: SectionIdentity
        let position: Int
        let attributes: SectionAttributes
        let elements: [Element]
        /// Whether it has rows in place of elements: what is published of it is no copy of it then.
        let hasRows: Bool
    }

    /// Writes a list, each section from the one of its identifier in the list before: the first from the first where
    /// several have that identifier, the second from the second and so on.
    private mutating func encode(
        _ list: ListState, from earlier: [Written], _ take: ([UInt8]) throws -> Void
    ) throws -> [Written] {
        var sources: [SectionIdentity: ArraySlice<Int>] = [:]
        for (position, section) in earlier.enumerated() { sources[section.identity, default: []].append(position) }
        var written: [Written] = []
        for (position, section) in list.sections.enumerated() {
            let (elements, identity) = (section.elements, section.differenceIdentifier)
            let source = sources[identity]?.popFirst()
            try encode(section, elements, from: source.map { earlier[$0] }, take)
            written.append(
                Written(
                    identity: identity, position: position, attributes: section.attributes, elements: elements,
                    hasRows: section.rows != nil))
        }
        writer.number(Tag.end.rawValue)
        return written
    }

    private mutating func encode(
        _ section: Section, _ elements: [Element], from source: Written?, _ take: ([UInt8]) throws -> Void
    ) throws {
        let copy = ListCopy(elements, from: source?.elements ?? [])
        if let source, section.rows == nil, !source.hasRows, copy.isWhole(of: source.elements.count),
            source.attributes === section.attributes
        {
            writer.number(Tag.same.rawValue)
            writer.number(source.position)
            return
        }
        writer.number(Tag.section.rawValue)
        var json = JSONWriter()
        section.encodeStored(to: &json)
        writer.counted(json.bytes)
        writer.number(source?.position ?? 0)
        for row in section.rows ?? [] { try encode(row, take) }
        for piece in copy.pieces {
            switch piece {
            case .copy(let range):
                writer.number(Tag.copy.rawValue)
                writer.number(range.lowerBound)
                writer.number(range.count)
            case .own(let range):
                try encode(elements[range], take)
            }
        }
        writer.number(Tag.end.rawValue)
    }

    /// Writes a row and its elements. Its published elements are other objects, and are written by themselves.
    private mutating func encode(_ row: Row, _ take: ([UInt8]) throws -> Void) throws {
        writer.number(Tag.row.rawValue)
        var json = JSONWriter()
        row.encodeStart(to: &json)
        json.endObject()
        writer.counted(json.bytes)
        try encode(Array(row.elements)[...], take)
        writer.number(Tag.end.rawValue)
    }

    private mutating func encode(_ elements: ArraySlice<Element>, _ take: ([UInt8]) throws -> Void) throws {
        var block = ByteWriter()
        var count = 0
        for (position, element) in zip(elements.indices, elements) {
            if adapters[ObjectIdentifier(element.adapter)] == nil {
                writer.number(Tag.adapter.rawValue)
                writer.counted(add(element.adapter))
            }
            block.number(adapters[ObjectIdentifier(element.adapter)] ?? 0)
            block.counted(element.identifier.utf8)
            block.counted(element.value.bytes)
            count += 1
            guard block.bytes.count >= Self.blockSize || position == elements.endIndex - 1 else { continue }
            writer.number(Tag.block.rawValue)
            writer.number(count)
            writer.counted(block.bytes)
            try flush(take)
            block.removeAll()
            count = 0
        }
    }

    /// Gives an adapter the next number.
    ///
    /// - Returns: Its JSON form.
    private mutating func add(_ adapter: CellAdapter) -> [UInt8] {
        adapters[ObjectIdentifier(adapter)] = adapters.count
        held.append(adapter)
        var json = JSONWriter()
        adapter.encodeStored(to: &json)
        return json.bytes
    }

    private mutating func write(_ adapter: CellAdapter) {
        if let number = adapters[ObjectIdentifier(adapter)] { return writer.number(number) }
        writer.number(adapters.count)
        writer.counted(add(adapter))
    }

    // MARK: Versions

    private mutating func encode(_ versions: some Collection<RetainedVersion>, _ take: ([UInt8]) throws -> Void) throws
    {
        writer.number(versions.count)
        var earlier: AdapterRegistry?
        for version in versions {
            writer.number(version.state.version)
            if let earlier, earlier == version.adapters {
                writer.number(0)
            } else {
                let cells = version.adapters.sortedCells
                writer.number(cells.count + 1)
                for cell in cells { write(cell) }
                var json = JSONWriter()
                json.beginArray()
                for view in version.adapters.sortedHeaderFooters { view.encode(to: &json) }
                json.endArray()
                writer.counted(json.bytes)
            }
            earlier = version.adapters
            writer.counted((version.changeset?.frame).map { $0.storage[$0.data] } ?? [])
            try flush(take)
        }
    }
}

extension ListCopy {
    /// Whether the list is all of the other one.
    func isWhole(of count: Int) -> Bool {
        if count == 0 { return pieces.isEmpty }
        guard pieces.count == 1, case .copy(let range)? = pieces.first else { return false }
        return range == 0..<count
    }
}

extension LifeState {
    /// Encodes a snapshot in chunks of at most ``SnapshotLimits/chunk`` bytes.
    ///
    /// - Parameter take: Takes the next chunk. Its error ends the encoding at once.
    /// - Complexity: O(*n*) in the number of elements of three lists; the text of each element is written once.
    package func forEachSnapshotChunk(_ take: ([UInt8]) throws -> Void) throws {
        var encoder = StateEncoder()
        try encoder.encode(self, take)
    }
}

/// Which state of which life a snapshot holds.
package struct SnapshotHead: Sendable, Hashable {
    /// The director's name.
    package let director: String
    /// Which life of that name.
    package let epoch: String
    /// The number of the record that led to the state.
    package let number: Int

    /// Makes a head.
    package init(director: String, epoch: String, number: Int) {
        self.director = director
        self.epoch = epoch
        self.number = number
    }

    /// The head of a state's snapshot.
    package init(of state: LifeState) {
        self.init(director: state.director.name, epoch: state.director.epoch, number: state.number)
    }
}

/// Bounds of snapshots.
package enum SnapshotLimits {
    /// The most bytes of one chunk, and so the most that a commit has to wait for.
    package static let chunk = 256 * 1024
}

/// Returns the next chunk of a snapshot, whose checksum was compared; nil after the last.
package typealias ChunkReader = () throws -> [UInt8]?
