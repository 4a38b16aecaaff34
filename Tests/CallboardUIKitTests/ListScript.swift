import ListDiff
import TestSupport

@testable import CallboardClient

/// A server's list that a test changes: each version with its changeset.
struct ListScript {
    private(set) var sections: [RemoteSection]
    private(set) var version = 1
    private let definition: JSONObject
    private var next = 0

    init(hooks: JSON = [:], model: String = "Contact", _ random: inout SeededGenerator) {
        definition = [
            "director": "d", "kind": "table", "epoch": "e",
            "properties": ["rowHeight": ["explicit": 44]],
            "adapters": [["model": .string(model), "cell": "TestCell", "events": hooks]],
        ]
        sections = []
        for index in 0..<Int.random(in: 0...3, using: &random) {
            sections.append(RemoteSection(id: "s\(index)", elements: makeElements(&random)))
        }
        next = 10
    }

    private func makeElements(_ random: inout SeededGenerator) -> [RemoteElement] {
        (0..<Int.random(in: 0...8, using: &random)).map { Self.element("\($0)", 0) }
    }

    static func element(_ id: String, _ age: Int) -> RemoteElement {
        RemoteElement(id: id, model: "Contact", value: ["name": .string(id), "age": .number(JSONNumber(age))])
    }

    /// The list as a snapshot of the stream.
    func snapshot() throws -> LiveList.Update {
        var object = definition
        object["version"] = .number(JSONNumber(version))
        object["sections"] = .array(sections.map(\.json))
        return .replaced(try RemoteList(Snapshot(JSONReader(.object(object)))), reset: nil)
    }

    /// Changes the list at random, and publishes it.
    mutating func change(_ random: inout SeededGenerator, causes: [String] = []) throws -> LiveList.Update {
        let before = sections
        for _ in 0..<Int.random(in: 1...4, using: &random) { edit(&random) }
        return try publish(from: before, causes)
    }

    /// Publishes sections.
    mutating func publish(_ sections: [RemoteSection], causes: [String] = []) throws -> LiveList.Update {
        let before = self.sections
        self.sections = sections
        return try publish(from: before, causes)
    }

    private mutating func publish(from before: [RemoteSection], _ causes: [String]) throws -> LiveList.Update {
        version += 1
        let changeset = RemoteChangeset(
            epoch: "e", from: version - 1, version: version, causes: causes,
            stages: StagedChangeset(from: before, to: sections), counts: ListCounts(of: sections))
        guard case .replaced(let list, _) = try snapshot() else { preconditionFailure("a snapshot is a list") }
        return .changed(list, by: changeset)
    }

    private mutating func edit(_ random: inout SeededGenerator) {
        next += 1
        guard !sections.isEmpty, Int.random(in: 0..<10, using: &random) > 1 else {
            let place = Int.random(in: 0...sections.count, using: &random)
            return sections.insert(RemoteSection(id: "s\(next)", elements: [Self.element("n\(next)", 0)]), at: place)
        }
        let at = Int.random(in: sections.indices, using: &random)
        let count = sections[at].elements.count
        switch Int.random(in: 0..<6, using: &random) {
        case 0 where sections.count > 1: sections.swapAt(at, (at + 1) % sections.count)
        case 1 where count > 0: sections[at].elements.remove(at: Int.random(in: 0..<count, using: &random))
        case 2 where count > 0:
            let place = Int.random(in: 0..<count, using: &random)
            sections[at].elements[place] = Self.element(sections[at].elements[place].id, next)
        case 3 where count > 1:
            let element = sections[at].elements.remove(at: Int.random(in: 0..<count, using: &random))
            sections[at].elements.insert(element, at: Int.random(in: 0..<count, using: &random))
        case 4 where sections.count > 2: sections.remove(at: at)
        default:
            sections[at].elements.insert(
                Self.element("n\(next)", 0), at: Int.random(in: 0...count, using: &random))
        }
    }
}
