import ListDiff

extension StreamEvent {
    /// Reads what an event of the stream says; never fails, since an event may be unreadable or unknown.
    init(_ event: ServerSentEvent) {
        do throws(RepresentationError) {
            self = try StreamEvent.read(event) ?? .unknown(event)
        } catch {
            self = .unreadable(event, error)
        }
    }

    private static func read(_ event: ServerSentEvent) throws(RepresentationError) -> StreamEvent? {
        switch event.name {
        case "snapshot": .snapshot(try Snapshot(reader(event)))
        case "resumed": .resumed(try Resumption(reader(event)))
        case "changeset": .changeset(try RemoteChangeset(reader(event)))
        case "heartbeat": .heartbeat(try Heartbeat(reader(event)))
        case "refresh": .refresh(try Refresh(reader(event)))
        case "scroll": .scroll(try ScrollCommand(reader(event)))
        case "definition": .definition(try ListDefinition(reader(event)))
        case "end": .end(try StreamEnd(reader(event)))
        default: nil
        }
    }

    private static func reader(_ event: ServerSentEvent) throws(RepresentationError) -> JSONReader {
        do {
            return JSONReader(try JSON(parsing: event.data))
        } catch {
            throw RepresentationError(pointer: "", reason: "Not JSON: \(error)")
        }
    }
}

extension JSONReader {
    /// The director's name where a member `director` carries it, by itself or in a description.
    func directorName() throws(RepresentationError) -> String? {
        guard let director = optional("director") else { return nil }
        if let name = director.value.stringValue { return name }
        return try director.optional("name")?.string()
    }

    /// The place of the members of the director's description: in `director` or beside it.
    var description: JSONReader {
        guard let director = optional("director"), director.value.objectValue != nil else { return self }
        return director
    }
}

extension JSONReader {
    /// The member of that name, which stands beside the description or in it.
    func memberHereOrInDescription(_ name: String) throws(RepresentationError) -> JSONReader {
        if let member = optional(name) { return member }
        return try description.member(name)
    }
}

extension ListDefinition {
    init(_ reader: JSONReader) throws(RepresentationError) {
        let description = reader.description
        if let name = try reader.directorName() {
            self.name = name
        } else {
            name = try description.member("name").string()
        }
        kind = try description.optional("kind").map { (kind) throws(RepresentationError) in
            DirectorDescription.Kind(rawValue: try kind.string())
        }
        properties = try description.optional("properties")?.object() ?? JSONObject()
        adapters = reader.optional("adapters")?.value.arrayValue ?? []
        headerFooterAdapters = reader.optional("headerFooterAdapters")?.value.arrayValue ?? []
        hooks = Hooks(
            director: reader.optional("events")?.value.objectValue ?? JSONObject(),
            scroll: reader.optional("scrollEvents")?.value.objectValue ?? JSONObject(),
            rows: reader.optional("rowEvents")?.value.arrayValue ?? [])
    }
}

extension Snapshot {
    init(_ reader: JSONReader) throws(RepresentationError) {
        definition = try ListDefinition(reader)
        epoch = try reader.memberHereOrInDescription("epoch").string()
        version = try reader.memberHereOrInDescription("version").position()
        sections = try reader.optional("sections")?.map { (section) throws(RepresentationError) in
            try RemoteSection(section)
        }
        counts = try reader.optional("counts").map { (counts) throws(RepresentationError) in
            try ListCounts(counts)
        }
        totals = try reader.optional("totals")?.object() ?? JSONObject()
        reset = try reader.optional("reset")?.string()
    }
}

extension Resumption {
    init(_ reader: JSONReader) throws(RepresentationError) {
        director = try reader.directorName()
        version = try reader.member("version").position()
        from = try reader.optional("from")?.position() ?? version
    }
}

extension Heartbeat {
    init(_ reader: JSONReader) throws(RepresentationError) {
        version = try reader.optional("version")?.position()
        versions =
            try reader.optional("versions")?.object().members.compactMap { member in
                member.value.intValue.map { DirectorVersion(director: member.name, version: $0) }
            } ?? []
    }
}

extension Refresh {
    init(_ reader: JSONReader) throws(RepresentationError) {
        director = try reader.directorName()
        version = try reader.optional("version")?.position()
        elements = try reader.optional("elements")?.map { (cell) throws(RepresentationError) in
            Cell(
                path: try ElementPath(cell.member("at")), element: try RemoteElement(cell.member("element")))
        }
    }
}

extension ScrollCommand {
    init(_ reader: JSONReader) throws(RepresentationError) {
        director = try reader.directorName()
        version = try reader.optional("version")?.position()
        path = try ElementPath(reader.member("indexPath"))
        section = try reader.member("section").string()
        element = try reader.member("element").string()
        let position = reader.optional("position")?.value.stringValue
        self.position = position.flatMap { Position(rawValue: $0) } ?? .none
        isAnimated = reader.optional("animated")?.value.boolValue ?? true
    }
}

extension StreamEnd {
    init(_ reader: JSONReader) throws(RepresentationError) {
        director = try reader.directorName()
        reason = try reader.member("reason").string()
    }
}
