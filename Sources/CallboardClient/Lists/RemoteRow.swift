/// A row configuration of a section as the working state has it: what is shown, in which cell, and when.
///
/// Subscribers see what a row shows as elements of its section; see ``RemoteElement/row``.
public struct RemoteRow: Sendable, Hashable {
    /// What a row shows.
    public enum Content: Sendable, Hashable {
        /// One cell with a value of the row's own.
        case constant(JSON)
        /// A cell for each element of a model; `elements` is nil where the row was read without them.
        case model(String, elements: [RemoteElement]?, count: Int)
    }

    /// The row's name in its section.
    public let id: String
    /// What the row shows.
    public let content: Content
    /// The name of the cell; nil in a model row that takes its adapter's.
    public let cell: String?
    /// The identifier that the cells are reused by; nil in a model row that takes its adapter's.
    public let reuseIdentifier: String?
    /// When the row, or an element of it, is hidden: a boolean or an expression; nil is never.
    public let hideWhen: JSON?
    /// The cells' height: a number or an expression.
    public let height: JSON?
    /// The cells' estimated height: a number or an expression.
    public let estimatedHeight: JSON?
    /// The name of what becomes of a cell's selection once the user has selected it.
    public let afterSelection: String?
    /// The additional data for the cells; expressions stand in it unevaluated.
    public let additionalConfig: JSONObject?
    /// How a stack shows the row; nil where it says nothing of it.
    public let style: RowStyle?
    /// The identifier of the row's section, where the row was read by itself.
    public let section: String?
    /// The row's position in its section, where the row was read by itself.
    public let position: Int?

    /// The name of a model row's model; nil for a constant row.
    public var model: String? {
        if case .model(let model, _, _) = content { model } else { nil }
    }
}

extension RemoteRow {
    init(_ reader: JSONReader) throws(RepresentationError) {
        id = try reader.member("id").string()
        cell = try reader.optional("cell")?.string()
        reuseIdentifier = try reader.optional("reuseIdentifier")?.string()
        content = try Content(reader)
        hideWhen = reader.optional("hideWhen")?.value
        height = reader.optional("height")?.value
        estimatedHeight = reader.optional("estimatedHeight")?.value
        afterSelection = try reader.optional("afterSelection")?.string()
        additionalConfig = try reader.optional("additionalConfig")?.object()
        style = try RowStyle(reader)
        section = try reader.optional("section")?.string()
        position = try reader.optional("position")?.position()
    }

    /// The row as the wire has it, without its place; one that was read without elements has their `count` instead.
    public var json: JSON {
        var object: JSONObject = ["id": .string(id)]
        var rest = JSONObject()
        switch content {
        case .constant(let value):
            object["type"] = "constant"
            rest["value"] = value
        case .model(let model, let elements, let count):
            object["type"] = "model"
            object["model"] = .string(model)
            if let elements {
                rest["elements"] = .array(elements.map(\.json))
            } else {
                rest["count"] = .number(JSONNumber(count))
            }
        }
        object["cell"] = cell.map { .string($0) }
        object["reuseIdentifier"] = reuseIdentifier.map { .string($0) }
        for member in rest.members { object[member.name] = member.value }
        object["hideWhen"] = hideWhen
        object["height"] = height
        object["estimatedHeight"] = estimatedHeight
        object["afterSelection"] = afterSelection.map { .string($0) }
        object["additionalConfig"] = additionalConfig.map { .object($0) }
        for member in style?.members.members ?? [] { object[member.name] = member.value }
        return .object(object)
    }
}

extension RemoteRow.Content {
    fileprivate init(_ reader: JSONReader) throws(RepresentationError) {
        let type = try reader.member("type")
        switch try type.string() {
        case "constant":
            _ = try reader.member("cell")
            self = .constant(reader.value["value"] ?? .null)
        case "model":
            let elements = try reader.optional("elements")?.map { (element) throws(RepresentationError) in
                try RemoteElement(inRow: element)
            }
            let model = try reader.member("model").string()
            if let elements {
                self = .model(model, elements: elements, count: elements.count)
            } else {
                self = .model(model, elements: nil, count: try reader.member("count").position())
            }
        default: throw type.fault("Expected \"constant\" or \"model\"")
        }
    }
}
