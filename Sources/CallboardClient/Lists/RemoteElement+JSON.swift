import ListDiff

extension RemoteElement {
    /// Reads an element of a list that is published, or of a section that has no rows.
    init(_ reader: JSONReader) throws(RepresentationError) {
        var elements = ElementReader()
        self = try elements.element(reader)
    }

    /// Reads an element of a row from an answer about that row.
    ///
    /// In the working state it is `{"id", "model", "value"}`, and may name its row without a cell.
    init(inRow reader: JSONReader) throws(RepresentationError) {
        guard reader.optional("cell") == nil else {
            try self.init(reader)
            return
        }
        self.init(
            id: try reader.member("id").string(), model: try reader.member("model").string(),
            value: try reader.present("value"))
    }

    /// The element as the wire has it.
    public var json: JSON {
        guard let members else {
            return ["id": .string(id), "model": model.map { .string($0) } ?? .null, "value": value]
        }
        var object: JSONObject = [
            "id": .string(id), "row": .string(members.row), "cell": .string(members.cell),
            "reuseIdentifier": .string(members.reuseIdentifier),
        ]
        object["model"] = model.map { .string($0) }
        object["value"] = value
        object["height"] = members.height.flatMap { JSONNumber($0) }.map { .number($0) }
        object["estimatedHeight"] = members.estimatedHeight.flatMap { JSONNumber($0) }.map { .number($0) }
        object["afterSelection"] = members.afterSelection.map { .string($0) }
        object["config"] = members.config.map { .object($0) }
        for member in members.style?.members.members ?? [] { object[member.name] = member.value }
        return .object(object)
    }
}

/// Reads elements one after another; neighbours whose rows say the same of them share that in memory.
struct ElementReader {
    private var last: RowMembers?

    /// Reads an element.
    ///
    /// - Throws: where a member is missing or of another type; of a row's element only `model` and what the row may leave
    ///   out can be missing.
    mutating func element(_ reader: JSONReader) throws(RepresentationError) -> RemoteElement {
        let id = try reader.member("id").string()
        guard let members = try RowMembers.optional(reader) else {
            return RemoteElement(
                id: id, model: try reader.member("model").string(), value: try reader.present("value"))
        }
        let shared = last.flatMap { $0 == members ? $0 : nil } ?? members
        last = shared
        return RemoteElement(
            id: id, model: try reader.optional("model")?.string(), value: try reader.present("value"), members: shared)
    }

    /// Reads an array of elements.
    mutating func elements(_ reader: JSONReader) throws(RepresentationError) -> [RemoteElement] {
        try reader.map { (item) throws(RepresentationError) in try element(item) }
    }

    /// Reads an array of elements with their places.
    mutating func changes(_ reader: JSONReader) throws(RepresentationError) -> [ElementChange<RemoteElement>] {
        try reader.map { (change) throws(RepresentationError) in
            ElementChange(
                at: try ElementPath(change.member("at")), element: try element(change.member("element")))
        }
    }
}
