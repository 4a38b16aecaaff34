import Directors
import HashTreeCollections
import JSONLogic
import JSONValues
import Notation

/// The data that a view's expressions read.
struct ViewData {
    /// The members that an expression over an element reads.
    static let elementMembers = ["value", "model", "id", "section", "variables", "parameters", "claims"]
    /// The members that a section's title reads.
    static let titleMembers = ["key", "variables", "parameters", "claims"]

    /// The members that are the same for all elements of a pass, and room for the others.
    private(set) var members: LogicData

    private static let blank = LogicData(members: [
        "value": .null, "model": .null, "id": .null, "section": .null, "key": .null, "variables": .null,
        "parameters": .null, "claims": .null,
    ])
    private static let places = (
        value: place(of: "value"), model: place(of: "model"), id: place(of: "id"), section: place(of: "section"),
        key: place(of: "key"), variables: place(of: "variables"), parameters: place(of: "parameters"),
        claims: place(of: "claims")
    )

    private static func place(of member: String) -> Int {
        guard let place = blank.place(of: member) else { preconditionFailure("all members are there") }
        return place
    }

    /// Takes what is the same for all elements.
    ///
    /// - Complexity: O(*v*) in the number and the length of the variables that the view reads.
    init(_ plan: ViewPlan, variables: TreeDictionary<Name, JSONValue>) {
        members = ViewData.blank
        members[ViewData.places.parameters] = plan.parameters
        members[ViewData.places.claims] = plan.claims
        if plan.reads.anyVariable {
            members[ViewData.places.variables] = .object(
                reading: Dictionary(uniqueKeysWithValues: variables.map { ($0.key, $0.value) }))
        } else if !plan.reads.variables.isEmpty {
            let read = plan.reads.variables.compactMap { name in variables[name].map { (name, $0) } }
            members[ViewData.places.variables] = .object(reading: Dictionary(uniqueKeysWithValues: read))
        }
    }

    /// Exchanges the section.
    mutating func set(_ section: Section, _ reads: ViewReads) {
        guard reads.section else { return }
        members[ViewData.places.section] = .object([
            "id": .string(section.identifier),
            "headerTitle": section.attributes.headerTitle.map { .string($0) } ?? .null,
        ])
    }

    /// Exchanges the element.
    ///
    /// - Complexity: O(*n*) in the length of its value, if that is read.
    mutating func set(_ element: Element, _ reads: ViewReads) {
        if reads.value { members[ViewData.places.value] = .json(element.value.document.root) }
        if reads.model { members[ViewData.places.model] = .string(element.model) }
        if reads.id { members[ViewData.places.id] = .string(element.identifier) }
    }

    /// Exchanges the key of a section's title.
    mutating func set(key: LogicValue) {
        members[ViewData.places.key] = key
    }
}

/// The inputs of all expressions of a view together.
struct ViewReads: Sendable {
    private(set) var value = false
    private(set) var model = false
    private(set) var id = false
    private(set) var section = false
    private(set) var variables: Set<Name> = []
    private(set) var anyVariable = false

    /// Unites what some expressions read.
    init(_ expressions: [LogicExpression]) {
        for path in expressions.lazy.flatMap(\.reads.paths) {
            switch path.first {
            case nil: (value, model, id, section, anyVariable) = (true, true, true, true, true)
            case "value": value = true
            case "model": model = true
            case "id": id = true
            case "section": section = true
            case "variables":
                if path.count > 1 { variables.insert(Name(path[1])) } else { anyVariable = true }
            default: break
            }
        }
    }

    /// Whether a variable that is read has another value.
    ///
    /// - Complexity: O(*r*) in the number of variables that are read; O(*v*) if any may be.
    func differ(_ old: TreeDictionary<Name, JSONValue>, _ new: TreeDictionary<Name, JSONValue>) -> Bool {
        anyVariable ? old != new : variables.contains { old[$0] != new[$0] }
    }
}
