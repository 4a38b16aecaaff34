import ListDiff
import Notation

/// A section of a list as the server shows it.
public struct RemoteSection: Sendable {
    /// The section's identifier; unique in its director as a rule, though nothing enforces it.
    public let id: String
    /// Everything else that the section carries besides its elements, such as `headerTitle`; members that this
    /// version of the client does not know are kept too.
    public let attributes: JSONObject
    /// The elements in the order they are shown; none in the working state of a section of rows.
    public var elements: [RemoteElement]
    /// The row configurations of a section as they were written; nil in a section of elements, and in the published
    /// state, where what the rows show stands in ``elements``.
    public let rows: [RemoteRow]?

    /// Makes a section.
    public init(id: String, attributes: JSONObject = JSONObject(), elements: [RemoteElement] = []) {
        self.init(id: id, attributes: attributes, elements: elements, rows: nil)
    }

    private init(id: String, attributes: JSONObject, elements: [RemoteElement], rows: [RemoteRow]?) {
        self.id = id
        self.attributes = attributes
        self.elements = elements
        self.rows = rows
    }

    init(_ reader: JSONReader) throws(RepresentationError) {
        id = try reader.member("id").string()
        var attributes = try reader.object()
        attributes["id"] = nil
        attributes["elements"] = nil
        attributes["rows"] = nil
        self.attributes = attributes
        var read = ElementReader()
        let elements = try reader.optional("elements").map { (elements) throws(RepresentationError) in
            try read.elements(elements)
        }
        rows = try reader.optional("rows")?.map { (row) throws(RepresentationError) in try RemoteRow(row) }
        guard elements == nil || rows == nil else { throw reader.fault("Expected either elements or rows, not both") }
        self.elements = elements ?? []
    }

    /// The section with its elements or rows as the wire has it.
    public var json: JSON {
        var object: JSONObject = ["id": .string(id)]
        for member in attributes.members { object[member.name] = member.value }
        if let rows {
            object["rows"] = .array(rows.map(\.json))
        } else {
            object["elements"] = .array(elements.map(\.json))
        }
        return .object(object)
    }
}

extension RemoteSection: ListSection {
    /// The element at a position, or nil where there is none.
    public func element(at position: Int) -> RemoteElement? {
        elements.indices.contains(position) ? elements[position] : nil
    }
}

extension RemoteSection: Hashable {
    /// The section's identity in its list: the bytes of its identifier.
    public struct Identity: Sendable, Hashable {
        private let name: Name

        /// Takes an identifier.
        public init(_ id: String) {
            name = Name(id)
        }
    }

    /// Whether both have the same identifier, by its bytes, and equal attributes, elements and rows.
    public static func == (left: Self, right: Self) -> Bool {
        left.id.isVerbatim(right.id) && left.attributes == right.attributes && left.elements == right.elements
            && left.rows == right.rows
    }

    /// Feeds the identifier, the attributes and the elements.
    public func hash(into hasher: inout Hasher) {
        id.hashVerbatim(into: &hasher)
        hasher.combine(attributes)
        hasher.combine(elements)
    }
}

extension RemoteSection: DifferentiableSection {
    /// The identity by which a changeset knows the section.
    public var differenceIdentifier: Identity { Identity(id) }

    /// Whether both have equal attributes; elements and rows do not count.
    public func isContentEqual(to source: Self) -> Bool { attributes == source.attributes }

    /// Makes a section with the identity and attributes of another and with these elements.
    public init(copying section: Self, elements: [RemoteElement]) {
        self.init(id: section.id, attributes: section.attributes, elements: elements, rows: section.rows)
    }
}
