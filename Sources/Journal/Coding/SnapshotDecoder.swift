import Directors
import JSONValues

/// Reads what a ``SnapshotEncoder`` has written.
struct SnapshotDecoder {
    /// What a snapshot holds.
    struct Result {
        let director: Director
        let versions: [RetainedVersion]
        let definitionVersion: Int?
    }

    private typealias Fault = ByteReader.Fault
    private typealias Tag = SnapshotEncoder.Tag

    private var reader: ByteReader
    private var adapters: [CellAdapter] = []
    private var batch = ElementBatch()

    init(_ chunks: @escaping ChunkReader) {
        reader = ByteReader(chunks: chunks)
    }

    /// Reads everything.
    ///
    /// - Throws: What does not fit; nothing is half-read.
    mutating func decode() throws -> Result {
        guard try reader.counted() == SnapshotEncoder.magic else {
            throw Fault(detail: "the snapshot is in a form that this program does not know")
        }
        let (name, epoch) = (try reader.text(), try reader.text())
        let definition = try Definition(json: try reader.counted())
        let (revision, version) = (try reader.number(), try reader.number())
        let definitionVersion = try reader.number()
        var variables: [String: JSONValue] = [:]
        for _ in 0..<(try reader.number()) { variables[try reader.text()] = try value() }
        let working = try list(from: nil)
        let published = try list(from: working)
        let newest = PublishedState(restoring: published.state, version: version)
        let oldestVersion = try reader.number()
        let oldest =
            oldestVersion == version
            ? newest : PublishedState(restoring: try list(from: published).state, version: oldestVersion)
        let blank = Director(name: name, epoch: epoch, properties: definition.properties, limits: .none)
        let versions = try versions(from: oldest, to: newest, of: blank)
        guard try reader.isAtEnd() else { throw Fault(detail: "there is more than a snapshot") }
        let cells = definition.cells.map { cell in adapters.last { $0 == cell } ?? cell }
        let director = Director(
            restoring: name, epoch: epoch, properties: definition.properties,
            adapters: AdapterRegistry(cells: cells, headerFooters: definition.views),
            hooks: definition.hooks,
            working: WorkingState(restoring: working.state, revision: revision, variables: variables),
            published: newest, limits: .none)
        return Result(
            director: director, versions: versions,
            definitionVersion: definitionVersion == 0 ? nil : definitionVersion - 1)
    }

    private mutating func value() throws -> JSONValue {
        try JSONValue(parsing: try reader.counted(), maximumDepth: JSONDocument.ceilingDepth)
    }

    // MARK: Lists

    /// A list with its elements at hand, to copy from.
    private struct DecodedList {
        let state: ListState
        let sections: [(section: Section, elements: [Element])]
    }

    private mutating func list(from earlier: DecodedList?) throws -> DecodedList {
        var sections: [(section: Section, elements: [Element])] = []
        while true {
            switch Tag(rawValue: try reader.number()) {
            case .end:
                guard Set(sections.map(\.section.differenceIdentifier)).count == sections.count else {
                    throw Fault(detail: "two sections have the same id")
                }
                let state = ListState(sections: sections.map(\.section), sharing: earlier?.state)
                return DecodedList(state: state, sections: sections)
            case .same:
                let position = try reader.number()
                guard let earlier, earlier.sections.indices.contains(position) else {
                    throw Fault(detail: "a section is to be copied that is not there")
                }
                sections.append(earlier.sections[position])
            case .section:
                sections.append(try section(from: earlier))
            default: throw Fault(detail: "a section begins in an unknown way")
            }
        }
    }

    private mutating func section(
        from earlier: DecodedList?
    ) throws -> (section: Section, elements: [Element]) {
        let json = try JSONDocument(try reader.counted(), maximumDepth: JSONDocument.ceilingDepth).root
        let draft = try SectionDraft.decode(json)
        guard let identifier = draft.identifier else { throw Fault(detail: "a section has no id") }
        let position = try reader.number()
        let source = earlier.flatMap { $0.sections.indices.contains(position) ? $0.sections[position] : nil }
        var elements: [Element] = []
        while let tag = Tag(rawValue: try reader.number()), tag != .end {
            switch tag {
            case .copy:
                let (start, count) = (try reader.number(), try reader.number())
                guard let all = source?.elements, start <= all.count, count <= all.count - start else {
                    throw Fault(detail: "elements are to be copied that are not there")
                }
                elements.append(contentsOf: all[start..<(start + count)])
            case .own:
                for _ in 0..<(try reader.number()) {
                    let adapter = try adapter()
                    batch.append(try reader.counted(), adapter)
                    if batch.isFull { elements += try batch.makeElements() }
                }
                elements += try batch.makeElements()
            default: throw Fault(detail: "a part of a section is of an unknown kind")
            }
        }
        let section = Section(
            identifier: identifier, attributes: draft.attributes, elements: elements, sharing: source?.section)
        return (section, elements)
    }

    private mutating func adapter() throws -> CellAdapter {
        let number = try reader.number()
        if adapters.indices.contains(number) { return adapters[number] }
        guard number == adapters.count else { throw Fault(detail: "an adapter is missing") }
        let json = try JSONDocument(try reader.counted(), maximumDepth: JSONDocument.ceilingDepth).root
        let adapter = try CellAdapter.decode(json, model: nil)
        adapters.append(adapter)
        return adapter
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
            if let last = versions.last {
                let root = try JSONDocument(changeset, maximumDepth: JSONDocument.ceilingDepth).root
                let change = try PublishedChange.decode(root, for: context)
                guard change.from == last.state.version, change.version == number else {
                    throw Fault(detail: "the changeset to version \(number) does not follow version \(change.from)")
                }
                let next = try last.state.applying(change)
                guard next.list.counts == change.counts else {
                    throw Fault(detail: "the changeset to version \(number) leads to another list than it says")
                }
                // What the list itself says of the newest version shares its elements with the working list.
                state = number == newest.version ? newest : next
            } else {
                guard number == oldest.version else { throw Fault(detail: "the oldest version is another one") }
                state = oldest
            }
            versions.append(
                RetainedVersion(
                    state: state, adapters: context.adapters, changeset: changeset.isEmpty ? nil : changeset[...]))
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
