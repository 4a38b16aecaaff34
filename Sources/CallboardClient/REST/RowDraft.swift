/// A row configuration to be written.
///
/// ``constant(_:id:cell:reuseIdentifier:)`` and ``model(_:elements:id:cell:reuseIdentifier:)`` make the two forms; the
/// other members are set on what they return. An expression is JsonLogic over `variables`, `section`, `row` and, in a
/// model row, `model` and `index`:
///
/// ```swift
/// var people = RowDraft.model("Person", elements: [ElementDraft(["name": "Ada", "age": 36])], id: "people")
/// people.hideWhen = ["var": "variables.hidePeople"]
/// people.height = ["if": [[">": [["var": "model.age"], 60]], 60, 44]]
/// people.additionalConfig = ["bold": .logic(["==": [["var": "index"], 0]])]
/// ```
///
/// The server reads the expressions when they arrive: a call with one that is malformed fails with status 422.
public struct RowDraft: Sendable, Hashable {
    /// What a row shows.
    public enum Content: Sendable, Hashable {
        /// One cell with a value of the row's own.
        case constant(JSON)
        /// A cell for each element of a model.
        case model(String, elements: [ElementDraft])
    }

    /// The row's name in its section; the server makes one where it is left out.
    public var id: String?
    /// What the row shows.
    public var content: Content
    /// The name of the cell; a constant row has to have one, a model row takes its adapter's where it is left out.
    public var cell: String?
    /// The identifier that the cells are reused by; the cell's name, or the adapter's, where it is left out.
    public var reuseIdentifier: String?
    /// When the row is hidden: a boolean or an expression. A model row is asked for each element where the expression
    /// reads `model`.
    public var hideWhen: JSON?
    /// The cells' height: a number or an expression.
    public var height: JSON?
    /// The cells' estimated height: a number or an expression.
    public var estimatedHeight: JSON?
    /// The action after the user has selected a cell; nil leaves the adapter's.
    public var afterSelection: AfterSelection?
    /// The additional data for the cells; ``JSON/logic(_:)`` puts an expression anywhere in it.
    public var additionalConfig: JSONObject?
    /// How a stack shows the row; in a director of another kind a row has none.
    public var style = RowStyle()

    private init(_ content: Content, id: String?, cell: String?, reuseIdentifier: String?) {
        self.content = content
        self.id = id
        self.cell = cell
        self.reuseIdentifier = reuseIdentifier
    }

    /// Makes a row of one cell.
    public static func constant(
        _ value: JSON = .null, id: String? = nil, cell: String, reuseIdentifier: String? = nil
    ) -> RowDraft {
        RowDraft(.constant(value), id: id, cell: cell, reuseIdentifier: reuseIdentifier)
    }

    /// Makes a row of a cell for each element; all elements are of the model.
    public static func model(
        _ model: String, elements: [ElementDraft] = [], id: String? = nil, cell: String? = nil,
        reuseIdentifier: String? = nil
    ) -> RowDraft {
        RowDraft(.model(model, elements: elements), id: id, cell: cell, reuseIdentifier: reuseIdentifier)
    }

    /// Makes a draft of a row that was read, to write it again, changed or not.
    ///
    /// - Returns: nil where the row was read without its elements: writing it would remove them.
    public init?(_ row: RemoteRow) {
        switch row.content {
        case .constant(let value): content = .constant(value)
        case .model(let model, let elements?, _):
            content = .model(model, elements: elements.map { ElementDraft($0.value, model: $0.model) })
        case .model(_, nil, _): return nil
        }
        (id, cell, reuseIdentifier) = (row.id, row.cell, row.reuseIdentifier)
        (hideWhen, height, estimatedHeight) = (row.hideWhen, row.height, row.estimatedHeight)
        afterSelection = row.afterSelection.flatMap(AfterSelection.init(rawValue:))
        additionalConfig = row.additionalConfig
        style = row.style ?? RowStyle()
    }

    /// The draft as the wire has it.
    public var json: JSON {
        var object = JSONObject()
        object["id"] = id.map { .string($0) }
        switch content {
        case .constant(let value):
            object["type"] = "constant"
            object["value"] = value
        case .model(let model, let elements):
            object["type"] = "model"
            object["model"] = .string(model)
            object["elements"] = .array(elements.map(\.json))
        }
        object["cell"] = cell.map { .string($0) }
        object["reuseIdentifier"] = reuseIdentifier.map { .string($0) }
        object["hideWhen"] = hideWhen
        object["height"] = height
        object["estimatedHeight"] = estimatedHeight
        object["afterSelection"] = afterSelection.map { .string($0.rawValue) }
        object["additionalConfig"] = additionalConfig.map { .object($0) }
        for member in style.members.members { object[member.name] = member.value }
        return .object(object)
    }
}

extension JSON {
    /// Makes what stands for the value of an expression in a row's `additionalConfig`: `{"$logic": expression}`.
    public static func logic(_ expression: JSON) -> JSON { ["$logic": expression] }
}
