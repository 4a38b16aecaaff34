import ListDiff

/// An event of a list that a UI reports to the server, or a question that it asks.
///
/// The names are FlowKit's, such as `didSelect` and `rowHeight`; the server's page *Events* lists them.
public struct ListEvent: Sendable, Hashable {
    /// The part of the list that the event happens at.
    public enum Place: Sendable, Hashable {
        /// At the whole list.
        case list
        /// At the element of a path, in the list of the event's version.
        case element(ElementPath)
        /// At several elements, in the list of the event's version; only some events can be reported so.
        case elements([ElementPath])
        /// At the element of a name, wherever it stands when the server takes the event; `row` is the element's row in a
        /// section of rows, and nil in any other.
        case named(section: ListAddress, row: ListAddress?, element: ListAddress)
        /// At a section's header.
        case header(Int)
        /// At a section's footer.
        case footer(Int)
    }

    /// The event's name.
    public var name: String
    /// The part of the list that the event happens at.
    public var place: Place
    /// The version that the place is meant in; nil is the one that the server has published last.
    public var version: Int?
    /// The event's further parameters, such as `to` of `moveRow`.
    public var parameters: JSONObject

    /// Makes an event.
    public init(
        _ name: String, at place: Place = .list, version: Int? = nil, parameters: JSONObject = JSONObject()
    ) {
        self.name = name
        self.place = place
        self.version = version
        self.parameters = parameters
    }
}

extension ListEvent {
    /// The event as the wire has it.
    public var json: JSONObject {
        var object: JSONObject = ["event": .string(name)]
        switch place {
        case .list: break
        case .element(let path): object["indexPath"] = path.json
        case .elements(let paths): object["indexPaths"] = .array(paths.map(\.json))
        case .named(let section, let row, let element):
            object["section"] = .string(section.text)
            object["row"] = row.map { .string($0.text) }
            object["element"] = .string(element.text)
        case .header(let section): object["header"] = .number(JSONNumber(section))
        case .footer(let section): object["footer"] = .number(JSONNumber(section))
        }
        if let version { object["version"] = .number(JSONNumber(version)) }
        if !parameters.isEmpty { object["parameters"] = .object(parameters) }
        return object
    }
}

extension ElementPath {
    /// The path as the wire has it.
    var json: JSON { [.number(JSONNumber(section)), .number(JSONNumber(element))] }
}

extension ListAddress {
    /// Reads an address as an operation has it.
    init(text: String) {
        switch text {
        case "@first": self = .first
        case "@last": self = .last
        case _ where text.hasPrefix("@@"): self = .identifier(String(text.dropFirst()))
        case _ where text.hasPrefix("@"):
            self = Int(text.dropFirst()).map { .position($0) } ?? .identifier(text)
        default: self = .identifier(text)
        }
    }
}

extension ListEvent {
    /// Reads an event as the wire has it.
    init(_ reader: JSONReader) throws(RepresentationError) {
        name = try reader.member("event").string()
        version = try reader.optional("version")?.position()
        parameters = try reader.optional("parameters")?.object() ?? JSONObject()
        if let path = reader.optional("indexPath") {
            place = .element(try ElementPath(path))
        } else if let paths = reader.optional("indexPaths") {
            place = .elements(try paths.map { (path) throws(RepresentationError) in try ElementPath(path) })
        } else if let element = reader.optional("element") {
            place = .named(
                section: ListAddress(text: try reader.member("section").string()),
                row: try reader.optional("row").map { (row) throws(RepresentationError) in
                    ListAddress(text: try row.string())
                }, element: ListAddress(text: try element.string()))
        } else if let header = reader.optional("header") {
            place = .header(try header.position())
        } else if let footer = reader.optional("footer") {
            place = .footer(try footer.position())
        } else {
            place = .list
        }
    }
}
