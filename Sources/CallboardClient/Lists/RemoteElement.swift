import ListDiff

/// An element of a list as the server shows it.
public struct RemoteElement: Sendable, Hashable {
    /// What the element's adapter makes of the value; unique in a section as a rule, though nothing enforces it.
    public let id: String
    /// The name of the element's model, which picks its cell.
    public let model: String
    /// The element's value, as it was written.
    public let value: JSON

    /// Makes an element.
    public init(id: String, model: String, value: JSON) {
        self.id = id
        self.model = model
        self.value = value
    }

    init(_ reader: JSONReader) throws(RepresentationError) {
        id = try reader.member("id").string()
        model = try reader.member("model").string()
        guard let value = reader.value["value"] else { throw reader.fault("Expected a member \"value\"") }
        self.value = value
    }

    /// The element as the wire has it.
    public var json: JSON { ["id": .string(id), "model": .string(model), "value": value] }
}

extension RemoteElement: Differentiable {
    /// An element's model with its identifier: together they say which element it is.
    public struct Identity: Sendable, Hashable {
        /// The name of the model.
        public let model: String
        /// The identifier within the model.
        public let id: String
    }

    /// The identity by which a changeset knows the element.
    public var differenceIdentifier: Identity { Identity(model: model, id: id) }

    /// Whether both have equal values.
    public func isContentEqual(to source: Self) -> Bool { value == source.value }
}
