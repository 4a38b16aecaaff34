import DirectorLife
import Directors
import HTTPWire
import HashTreeCollections
import JSONValues
import ListDiff
import Notation

/// Decodes what a ``StateEncoder`` has encoded.
struct StateDecoder {
    /// A snapshot's content; the versions are ordered, oldest first, and there are none in some earlier snapshots.
    struct Result {
        let director: Director
        let versions: [RetainedVersion]
        /// The variables of the published version.
        let publishedVariables: PublishedVariables
        let definitionVersion: Int?
    }

    private typealias Fault = ByteReader.Fault
    private typealias Tag = StateEncoder.Tag

    /// The most elements of one section, more than one has ever been.
    private static let longestList = 1 << 29

    private var reader: ByteReader
    private var adapters: [CellAdapter] = []
    private let maker = ElementMaker()
    private let isVerifying: Bool
    /// Blocks that are handed to the maker once they are large enough together.
    private var blocks: [ElementBlock] = []
    private var blockBytes = 0
    private var blockCount = 0

    /// Reads a snapshot from its chunks.
    ///
    /// - Parameter isVerifying: Whether values are read, which is not needed where the chunks' checksums were compared.
    init(isVerifying: Bool = false, _ chunks: @escaping ChunkReader) {
        reader = ByteReader(chunks: chunks)
        self.isVerifying = isVerifying
    }

    /// Reads everything.
    ///
    /// - Throws: The bytes are not well-formed, or inconsistent.
    mutating func decode() throws -> Result {
        let mark = try reader.counted()
        guard mark == StateEncoder.magic || mark == StateEncoder.earlierMagic else {
            throw Fault(detail: "the snapshot is in a form that this program does not know")
        }
        let (name, epoch) = (try reader.text(), try reader.text())
        let definition = try Definition(json: try reader.counted())
        let (revision, version) = (try reader.counter(), try reader.counter())
        let definitionVersion = try reader.counter()
        let variables = try self.variables()
        let working = try list(from: nil)
        let published = try list(from: working)
        let newest = PublishedState(restoring: published.state, version: version)
        let oldestVersion = try reader.counter()
        let oldest =
            oldestVersion == version
            ? newest : PublishedState(restoring: try list(from: published).state, version: oldestVersion)
        let blank = Director(name: name, epoch: epoch, properties: definition.properties, limits: .none)
        let versions = try versions(from: oldest, to: newest, of: blank)
        let causes = try reader.isAtEnd() ? CauseList() : causes()
        let publishedVariables = try reader.isAtEnd() ? nil : self.variables()
        guard try reader.isAtEnd() else { throw Fault(detail: "there is more than a snapshot") }
        let cells = definition.cells.map { cell in adapters.last { $0 == cell } ?? cell }
        let director = Director(
            restoring: name, epoch: epoch, properties: definition.properties,
            adapters: AdapterRegistry(cells: cells, headerFooters: definition.views),
            hooks: definition.hooks,
            working: WorkingState(restoring: working.state, revision: revision, variables: variables, causes: causes),
            published: newest, limits: .none, derivation: definition.derivation)
        return Result(
            director: director, versions: versions,
            publishedVariables: publishedVariables.map {
                $0.isEmpty ? .none : .these(TreeDictionary(uniqueKeysWithValues: $0))
            }
                ?? PublishedVariables(of: director),
            definitionVersion: definitionVersion == 0 ? nil : definitionVersion - 1)
    }

    private mutating func causes() throws -> CauseList {
        let count = try reader.number()
        guard (0...CauseList.limit).contains(count) else { throw Fault(detail: "there is more than a snapshot") }
        return CauseList(try (0..<count).map { _ in try reader.text() })
    }

    private mutating func variables() throws -> [Name: JSONValue] {
        var variables: [Name: JSONValue] = [:]
        for _ in 0..<(try reader.number()) { variables[try reader.text()] = try value() }
        return variables
    }

    private mutating func value() throws -> JSONValue {
        try JSONValue(parsing: try reader.counted(), maximumDepth: JSONDocument.ceilingDepth)
    }

    // MARK: Lists

    /// A list to copy from.
    private struct DecodedList {
        let state: ListState
        let sections: [Section]
    }

    private mutating func list(from earlier: DecodedList?) throws -> DecodedList {
        var drafts: [DecodedSection] = []
        var isAtEnd = false
        while !isAtEnd {
            switch Tag(rawValue: try reader.number()) {
            case .end:
                isAtEnd = true
            case .same:
                let position = try reader.number()
                guard let earlier, earlier.sections.indices.contains(position) else {
                    throw Fault(detail: "a section is to be copied that is not there")
                }
                drafts.append(DecodedSection(earlier.sections[position]))
            case .section:
                drafts.append(try section(from: earlier))
            default: throw Fault(detail: "a section begins in an unknown way")
            }
        }
        try handIn()
        // For all sections at once: waiting for each would leave processors idle.
        let parts = try maker.takeParts()
        blockCount = 0
        let sections = drafts.map { $0.makeSection(parts) }
        return DecodedList(state: ListState(sections: sections, sharing: earlier?.state), sections: sections)
    }

    private mutating func section(from earlier: DecodedList?) throws -> DecodedSection {
        let json = try JSONDocument(try reader.counted(), maximumDepth: JSONDocument.ceilingDepth).root
        let draft = try SectionDraft.decode(json)
        guard let identifier = draft.identifier else { throw Fault(detail: "a section has no id") }
        let position = try reader.number()
        let source = earlier.flatMap { $0.sections.indices.contains(position) ? $0.sections[position] : nil }
        var section = DecodedSection(draft, identifier: identifier, source: source)
        while let tag = Tag(rawValue: try reader.number()), tag != .end {
            guard tag == .row else {
                try part(tag, of: &section, source)
                continue
            }
            let (row, elements) = try row()
            guard section.append(row, elements: elements) else {
                throw Fault(detail: "a row is in a section of elements")
            }
        }
        return section
    }

    private mutating func part(_ tag: Tag, of section: inout DecodedSection, _ source: Section?) throws {
        switch tag {
        case .copy:
            let (start, count) = (try reader.number(), try reader.number())
            guard let all = source?.list, start <= all.count, count <= all.count - start,
                section.count + count <= Self.longestList
            else {
                throw Fault(detail: "elements are to be copied that are not there, or too many of them")
            }
            section.append(copyOf: start..<(start + count))
        case .adapter: try addAdapter()
        case .block:
            let count = try reader.number()
            try add(try reader.counted(), count, hasIdentifiers: true, to: &section)
        case .own: try readOwn(into: &section)
        default: throw Fault(detail: "a part of a section is of an unknown kind")
        }
    }

    /// Reads a row and its elements, which are decoded as those of a section are.
    private mutating func row() throws -> (RowDraft, DecodedSection) {
        let json = try JSONDocument(try reader.counted(), maximumDepth: JSONDocument.ceilingDepth).root
        let draft = try RowDraft.decode(json)
        guard !draft.values.identifier.isEmpty else { throw Fault(detail: "a row has no id") }
        var elements = DecodedSection(SectionDraft(identifier: nil), identifier: "", source: nil)
        while let tag = Tag(rawValue: try reader.number()), tag != .end { try part(tag, of: &elements, nil) }
        return (draft, elements)
    }

    /// Reads elements of the earlier form: one by one, with adapters between them, and without their identifiers.
    private mutating func readOwn(into section: inout DecodedSection) throws {
        var block = ByteWriter()
        var count = 0
        for _ in 0..<(try reader.number()) {
            let number = try reader.number()
            if number == adapters.count { try addAdapter() }
            block.number(number)
            block.counted(try reader.counted())
            count += 1
            guard block.bytes.count >= StateEncoder.blockSize else { continue }
            try add(block.bytes, count, hasIdentifiers: false, to: &section)
            block.removeAll()
            count = 0
        }
        try add(block.bytes, count, hasIdentifiers: false, to: &section)
    }

    private mutating func add(
        _ bytes: [UInt8], _ count: Int, hasIdentifiers: Bool, to section: inout DecodedSection
    ) throws {
        guard count <= bytes.count, section.count + count <= Self.longestList else {
            throw Fault(detail: "a block cannot hold \(count) elements")
        }
        guard count > 0 else { return }
        blocks.append(
            ElementBlock(bytes: bytes, count: count, position: section.count, hasIdentifiers: hasIdentifiers))
        section.append(part: blockCount, of: count)
        blockCount += 1
        blockBytes += bytes.count
        // Many small sections are handed in together.
        if blockBytes >= StateEncoder.blockSize / 2 { try handIn() }
    }

    private mutating func handIn() throws {
        guard !blocks.isEmpty else { return }
        try maker.add { [blocks, adapters, isVerifying] in
            try blocks.map { try $0.makePart(adapters, isVerifying: isVerifying) }
        }
        blocks = []
        blockBytes = 0
    }

    private mutating func addAdapter() throws {
        let json = try JSONDocument(try reader.counted(), maximumDepth: JSONDocument.ceilingDepth).root
        adapters.append(try CellAdapter.decodeStored(json))
    }

    private mutating func adapter() throws -> CellAdapter {
        let number = try reader.number()
        if number == adapters.count { try addAdapter() }
        guard adapters.indices.contains(number) else { throw Fault(detail: "an adapter is missing") }
        return adapters[number]
    }

    // MARK: Versions

    private mutating func versions(
        from oldest: PublishedState, to newest: PublishedState, of blank: Director
    ) throws -> [RetainedVersion] {
        var versions: [RetainedVersion] = []
        var context = blank
        for _ in 0..<(try reader.number()) {
            let number = try reader.number()
            try readAdapters(into: &context, of: blank)
            let changeset = try reader.counted()
            let state: PublishedState
            var causes = CauseList()
            if let last = versions.last {
                let root = try JSONDocument(changeset, maximumDepth: JSONDocument.ceilingDepth).root
                let change = try PublishedChange.decode(root, for: context)
                guard change.from == last.state.version, change.version == number else {
                    throw Fault(detail: "the changeset to version \(number) does not follow version \(change.from)")
                }
                causes = change.causes
                let next = try last.state.applying(change)
                guard next.list.counts == change.counts else {
                    throw Fault(detail: "the changeset to version \(number) leads to another list than it says")
                }
                // The decoded published list shares its elements with the working list; the applied one does not.
                state = number == newest.version ? newest : next
            } else {
                guard number == oldest.version else { throw Fault(detail: "the oldest version is another one") }
                state = oldest
            }
            let frame =
                versions.isEmpty
                ? nil : RetainedChangeset.encoded(.changeset(json: changeset, epoch: blank.epoch, version: number))
            versions.append(
                RetainedVersion(state: state, adapters: context.adapters, changeset: frame, causes: causes))
        }
        guard (versions.last?.state.version ?? newest.version) == newest.version else {
            throw Fault(detail: "the changesets do not lead to the published version")
        }
        return versions
    }

    private mutating func readAdapters(into context: inout Director, of blank: Director) throws {
        let count = try reader.number()
        guard count > 0 else { return }
        context = blank
        for _ in 1..<count { try context.register(try adapter()) }
        let json = try JSONDocument(try reader.counted(), maximumDepth: JSONDocument.ceilingDepth).root
        for view in json.elements { try context.register(try HeaderFooterAdapter.decode(view, view: nil)) }
    }
}
