import JSONLogic
import JSONValues

@testable import Directors

/// What a row says, evaluated on the data of one element or, with nulls in their place, on those of the row alone.
struct RowView {
    private let says: RowSettings
    private let data: String
    private let pointer: String

    /// The pointers of the expressions that have no value.
    private(set) var failures: [String] = []

    init(
        _ says: RowSettings, _ section: Section, _ variables: String, _ model: String, _ index: String,
        _ pointer: String
    ) {
        self.says = says
        self.pointer = pointer
        let titles = [section.attributes.headerTitle, section.attributes.footerTitle]
            .map { $0.map(NaiveRows.quoted) ?? "null" }
        data = """
            {"variables":\(variables),"section":{"id":\(NaiveRows.quoted(section.identifier)),"headerTitle":\(titles[0]),\
            "footerTitle":\(titles[1])},"row":{"id":\(NaiveRows.quoted(says.identifier))},"model":\(model),"index":\(index)}
            """
    }

    /// Whether something is asked for each element: it is a model row's, and reads the element, or a name that is computed.
    func asksEach(_ text: String?) -> Bool {
        guard let text, says.kind == .model else { return false }
        return ["\"model", "\"index", "{\"var\":{", "{\"var\":\"\"}"].contains(where: text.contains)
    }

    func asksEach(_ rule: RowRule?) -> Bool {
        asksEach(rule?.source.text)
    }

    mutating func isHidden() -> Bool {
        guard let rule = says.hideWhen else { return false }
        let node = rule.source.document.root
        return node.bool ?? value(node, "/hideWhen")?.isTruthy ?? false
    }

    /// The evaluated members of which the texts pass a filter.
    mutating func members(_ isWanted: (String) -> Bool) -> [String] {
        var members: [String] = []
        for (name, rule) in [("height", says.height), ("estimatedHeight", says.estimatedHeight)] {
            guard let rule, isWanted(rule.source.text), let length = length(rule, "/\(name)") else { continue }
            members.append("\"\(name)\":\(length)")
        }
        if let source = says.additionalConfig?.source, isWanted(source.text) {
            members.append("\"config\":\(filled(source.document.root))")
        }
        return members
    }

    /// The published form of an element.
    mutating func element(
        _ id: String, _ cell: String, _ reuseIdentifier: String?, _ model: String?, _ value: String
    ) -> String {
        let own = says.cell ?? cell
        let reuse = says.reuseIdentifier ?? (says.cell == nil ? reuseIdentifier ?? own : own)
        let named =
            [("row", says.identifier), ("cell", own), ("reuseIdentifier", reuse)]
            + (model.map { [("model", $0)] } ?? [])
        let members =
            ["\"id\":\(id)"] + named.map { "\"\($0.0)\":\(NaiveRows.quoted($0.1))" } + ["\"value\":\(value)"]
            + members { _ in true } + (says.afterSelection.map { ["\"afterSelection\":\"\($0)\""] } ?? [])
        return "{\(members.joined(separator: ","))}"
    }

    private mutating func length(_ rule: RowRule, _ place: String) -> String? {
        let node = rule.source.document.root
        if node.kind == .number { return rule.source.text }
        guard let value = value(node, place), value.kind != .null else { return nil }
        if value.kind == .number, let length = value.double, length >= 0, length <= 1e9 {
            return try? value.json.text
        }
        failures.append(pointer + place)
        return nil
    }

    private mutating func filled(_ node: JSONNode) -> String {
        switch node.kind {
        case .object:
            if let expression = node["$logic"] {
                return (try? value(expression, "/additionalConfig" + expression.pointer.description)?.json.text)
                    ?? "null"
            }
            return "{" + node.members.map { "\(NaiveRows.quoted($0.name)):\(filled($0.value))" }.joined(separator: ",")
                + "}"
        case .array: return "[" + node.elements.map { filled($0) }.joined(separator: ",") + "]"
        default: return node.value.text
        }
    }

    private mutating func value(_ expression: JSONNode, _ place: String) -> LogicValue? {
        do {
            return try LogicExpression(expression).evaluate(LogicData(.json(JSONDocument(data).root)))
        } catch {
            failures.append(pointer + place)
            return nil
        }
    }
}
