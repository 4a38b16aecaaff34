import ListDiff

extension Changeset where Section == RemoteSection {
    /// Reads one stage; members that this version of the client does not know are an error, since an operation that is
    /// left out leaves a wrong list.
    init(_ reader: JSONReader) throws(RepresentationError) {
        self.init()
        for member in try reader.object().members {
            guard let operation = ChangesetOperation(rawValue: member.name) else {
                throw reader.fault("Unknown operation \"\(member.name)\"")
            }
            try read(operation, from: JSONReader(member.value, pointer: "\(reader.pointer)/\(member.name)"))
        }
    }

    private mutating func read(
        _ operation: ChangesetOperation, from reader: JSONReader
    ) throws(RepresentationError) {
        var elements = ElementReader()
        switch operation {
        case .elementUpdated: elementUpdated = try elements.changes(reader)
        case .sectionDeleted:
            sectionDeleted = try reader.map { (position) throws(RepresentationError) in try position.position() }
        case .elementDeleted:
            elementDeleted = try reader.map { (path) throws(RepresentationError) in try ElementPath(path) }
        case .sectionInserted: sectionInserted = try reader.map(Self.sectionChange)
        case .sectionMoved:
            sectionMoved = try reader.map { (move) throws(RepresentationError) in
                SectionMove(from: try move.member("from").position(), to: try move.member("to").position())
            }
        case .elementInserted: elementInserted = try elements.changes(reader)
        case .elementMoved:
            elementMoved = try reader.map { (move) throws(RepresentationError) in
                ElementMove(from: try ElementPath(move.member("from")), to: try ElementPath(move.member("to")))
            }
        case .sectionUpdated: sectionUpdated = try reader.map(Self.sectionChange)
        }
    }

    private static func sectionChange(
        _ reader: JSONReader
    ) throws(RepresentationError) -> SectionChange<RemoteSection> {
        SectionChange(at: try reader.member("at").position(), section: try RemoteSection(reader.member("section")))
    }
}

extension Changeset where Section == RemoteSection {
    /// The stage as the wire has it, empty members left out.
    var json: JSON {
        var object = JSONObject()
        func add(_ operation: ChangesetOperation, _ entries: [JSON]) {
            if !entries.isEmpty { object[operation.rawValue] = .array(entries) }
        }
        add(.elementUpdated, elementUpdated.map(Self.json))
        add(.sectionDeleted, sectionDeleted.map(Self.json))
        add(.elementDeleted, elementDeleted.map(Self.json))
        add(.sectionInserted, sectionInserted.map { ["at": Self.json($0.at), "section": $0.section.json] })
        add(.sectionMoved, sectionMoved.map { ["from": Self.json($0.from), "to": Self.json($0.to)] })
        add(.elementInserted, elementInserted.map(Self.json))
        add(.elementMoved, elementMoved.map { ["from": Self.json($0.from), "to": Self.json($0.to)] })
        add(.sectionUpdated, sectionUpdated.map(Self.updateJSON))
        return .object(object)
    }

    private static func json(_ position: Int) -> JSON { .number(JSONNumber(position)) }

    private static func json(_ path: ElementPath) -> JSON { [json(path.section), json(path.element)] }

    static func json(_ change: ElementChange<RemoteElement>) -> JSON {
        ["at": json(change.at), "element": change.element.json]
    }

    private static func updateJSON(_ change: SectionChange<RemoteSection>) -> JSON {
        var section = change.section.json.objectValue ?? JSONObject()
        section["elements"] = nil
        section["rows"] = nil
        return ["at": json(change.at), "section": .object(section)]
    }
}

extension ElementPath {
    init(_ reader: JSONReader) throws(RepresentationError) {
        let parts = try reader.elements()
        guard parts.count == 2 else { throw reader.fault("Expected an index path of a section and an element") }
        self.init(section: try parts[0].position(), element: try parts[1].position())
    }
}
