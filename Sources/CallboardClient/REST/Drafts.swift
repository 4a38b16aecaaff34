/// An element to be written; the server makes its identifier of the value.
public struct ElementDraft: Sendable, Hashable {
    /// The name of the model; may be left out where the director has exactly one cell adapter.
    public var model: String?
    /// The value.
    public var value: JSON

    /// Makes a draft.
    public init(_ value: JSON, model: String? = nil) {
        self.value = value
        self.model = model
    }

    /// The draft as the wire has it.
    public var json: JSON {
        guard let model else { return ["value": value] }
        return ["model": .string(model), "value": value]
    }
}

/// A section to be written.
public struct SectionDraft: Sendable, Hashable {
    /// The identifier; the server makes a UUID where it is left out.
    public var id: String?
    /// Everything else besides the elements, such as `headerTitle`.
    public var attributes: JSONObject
    /// The elements in the order they are shown; not sent where there are ``rows``.
    public var elements: [ElementDraft]
    /// The row configurations in their order; nil makes a section of elements.
    public var rows: [RowDraft]?

    /// Makes a draft of a section of elements.
    public init(id: String? = nil, attributes: JSONObject = JSONObject(), elements: [ElementDraft] = []) {
        self.id = id
        self.attributes = attributes
        self.elements = elements
    }

    /// Makes a draft of a section of rows.
    public init(id: String? = nil, attributes: JSONObject = JSONObject(), rows: [RowDraft]) {
        self.init(id: id, attributes: attributes)
        self.rows = rows
    }

    /// The draft as the wire has it.
    public var json: JSON {
        var object = JSONObject()
        if let id { object["id"] = .string(id) }
        for member in attributes.members { object[member.name] = member.value }
        if let rows {
            object["rows"] = .array(rows.map(\.json))
        } else {
            object["elements"] = .array(elements.map(\.json))
        }
        return .object(object)
    }
}

/// A cell adapter to be registered: which cell shows a model, and how the model's values are told apart.
public struct CellAdapterDraft: Sendable, Hashable {
    /// The name of the model.
    public var model: String
    /// The name of the cell.
    public var cell: String
    /// A template over members of the value, such as `{firstName}_{lastName}`; nil leaves the server's `{id}`.
    public var identifier: String?
    /// JSON pointers to what content equality looks at; nil is the whole value.
    public var content: [String]?
    /// Whether two elements of the model may not have the same identifier; nil leaves the server's `false`.
    public var unique: Bool?
    /// How a stack shows the model's rows; in a director of another kind an adapter has none.
    public var style = RowStyle()
    /// Anything else that the adapter takes, such as `reuseIdentifier` or `viewSource`.
    public var attributes: JSONObject

    /// Makes a draft.
    public init(
        model: String, cell: String, identifier: String? = nil, content: [String]? = nil, unique: Bool? = nil,
        attributes: JSONObject = JSONObject()
    ) {
        self.model = model
        self.cell = cell
        self.identifier = identifier
        self.content = content
        self.unique = unique
        self.attributes = attributes
    }

    /// The draft as the wire has it; the model's name is in the path too.
    public var json: JSON {
        var object: JSONObject = ["model": .string(model), "cell": .string(cell)]
        if let identifier { object["identifier"] = .string(identifier) }
        if let content { object["content"] = .array(content.map { .string($0) }) }
        if let unique { object["unique"] = .bool(unique) }
        for member in style.members.members { object[member.name] = member.value }
        for member in attributes.members { object[member.name] = member.value }
        return .object(object)
    }
}
