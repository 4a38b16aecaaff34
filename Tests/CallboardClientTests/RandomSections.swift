import TestSupport

@testable import CallboardClient

/// Random lists whose sections and elements come from so few that many agree.
enum RandomSections {
    static func make(_ generator: inout SeededGenerator) -> [RemoteSection] {
        var ids = ["a", "b", "c", "d", "e", "f"].shuffled(using: &generator)
        ids.removeLast(Int.random(in: 0...6, using: &generator))
        return ids.map { id in
            let title: JSONObject = Bool.random(using: &generator) ? ["headerTitle": .string(id)] : [:]
            let hasRows = Bool.random(using: &generator)
            let elements = (0..<Int.random(in: 0...8, using: &generator)).map { _ in
                hasRows ? rowElement(&generator) : element(&generator)
            }
            return RemoteSection(id: id, attributes: title, elements: elements)
        }
    }

    private static func element(_ generator: inout SeededGenerator) -> RemoteElement {
        RemoteElement(
            id: String(Int.random(in: 0..<6, using: &generator)), model: Bool.random(using: &generator) ? "A" : "B",
            value: ["n": .number(JSONNumber(Int.random(in: 0..<3, using: &generator)))])
    }

    /// An element whose row, model, cell, heights and config come from so few that many agree in all, some or none.
    private static func rowElement(_ generator: inout SeededGenerator) -> RemoteElement {
        func one<Value>(of values: [Value]) -> Value { values[generator.below(values.count)] }
        return RemoteElement(
            id: one(of: ["0", "1", "2"]), row: one(of: ["r", "s"]), cell: one(of: ["C", "C", "D"]),
            reuseIdentifier: one(of: ["c", "c", "d"]), model: one(of: ["A", nil]), value: one(of: [1, 2]),
            height: one(of: [nil, 44, 60.5]), estimatedHeight: one(of: [nil, nil, 44]),
            config: one(of: [nil, [:], ["on": true], ["on": false]]))
    }

    /// An element with another value and the rest as it was.
    static func element(_ element: RemoteElement, with value: JSON) -> RemoteElement {
        guard let members = element.members else {
            return RemoteElement(id: element.id, model: element.model ?? "", value: value)
        }
        return RemoteElement(id: element.id, model: element.model, value: value, members: members)
    }
}
