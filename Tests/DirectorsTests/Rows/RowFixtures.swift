import JSONValues
import ListDiff

@testable import Directors

/// A director with the adapters of the models `Item` and `Other`, and sections as their JSON forms.
func rowDirector(
    _ sections: String..., variables: [String: String] = [:], limits: DirectorLimits = DirectorLimits()
) throws -> LiveDirector {
    let director = try emptyDirector(limits: limits)
    try director.register(CellAdapter(model: "Other", cell: "OtherCell"))
    for (name, value) in variables { try director.perform([.setVariable(name: name, value: json(value))]) }
    try director.performForms(["{\"op\":\"setSections\",\"sections\":[\(sections.joined(separator: ","))]}"])
    return director
}

/// A section with rows.
func rowSection(_ id: String, _ rows: String..., members: String = "") -> String {
    "{\"id\":\"\(id)\"\(members),\"rows\":[\(rows.joined(separator: ","))]}"
}

/// A constant row.
func constant(_ id: String, _ members: String = "") -> String {
    "{\"id\":\"\(id)\",\"type\":\"constant\",\"cell\":\"C\"\(members)}"
}

/// A model row of elements that are their own identifiers, or of the model's values as they are written.
func modelRow(_ id: String, _ values: [String], _ members: String = "") -> String {
    let elements = values.map { "{\"value\":\($0)}" }.joined(separator: ",")
    return "{\"id\":\"\(id)\",\"type\":\"model\",\"model\":\"Item\",\"elements\":[\(elements)]\(members)}"
}

/// Values `{"id": "e0", "n": 0}` and so on.
func numbered(_ count: Int) -> [String] {
    (0..<count).map { "{\"id\":\"e\($0)\",\"n\":\($0)}" }
}

extension LiveDirector {
    /// Performs operations that are written as JSON.
    func performForms(_ operations: [String]) throws {
        try perform(operations.map { try Directors.Operation.decode(node($0)) })
    }

    func perform(form operation: String) throws {
        try performForms([operation])
    }

    /// How many expressions a reload evaluates.
    func evaluationsOfReload() throws -> Int {
        let before = value.evaluations
        _ = try reload()
        return value.evaluations - before
    }

    /// What is published, in short: `s: a b | t:`.
    var shown: String { value.published.list.outline }

    /// A published element's form.
    func form(_ section: Int, _ element: Int) -> String {
        let element = value.published.list.sections[section].list[element]
        return text { element.encode(to: &$0) }
    }
}
