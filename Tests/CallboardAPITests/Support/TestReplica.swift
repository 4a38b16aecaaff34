import Foundation

/// A UI's copy of a list, kept by the wire contract's rules alone: independent of the code under test.
struct TestReplica {
    /// A section: its members without elements, and its elements.
    struct Section {
        var header: [String: Any]
        var elements: [[String: Any]]
    }

    var sections: [Section] = []
    var epoch = ""
    var version = -1

    /// Takes an event in; heartbeats and the like change nothing.
    mutating func apply(_ event: TestEvent) throws {
        let json = try event.json
        switch event.name {
        case "snapshot": try load(json)
        case "changeset": try apply(changeset: json)
        default: break
        }
    }

    private mutating func load(_ json: [String: Any]) throws {
        guard let director = json["director"] as? [String: Any] ?? Optional(json),
            let version = (json["version"] ?? director["version"]) as? Int,
            let epoch = (json["epoch"] ?? director["epoch"]) as? String,
            let sections = json["sections"] as? [[String: Any]]
        else { throw TestClientError(description: "a snapshot without its members: \(json.keys)") }
        self.version = version
        self.epoch = epoch
        self.sections = try sections.map(Self.section)
    }

    private static func section(_ json: [String: Any]) throws -> Section {
        var header = json
        let elements = header.removeValue(forKey: "elements") as? [[String: Any]] ?? []
        return Section(header: header, elements: elements)
    }

    private mutating func apply(changeset json: [String: Any]) throws {
        guard let from = json["from"] as? Int, let to = json["version"] as? Int, from == version,
            json["epoch"] as? String == epoch, let stages = json["stages"] as? [[String: Any]]
        else { throw TestClientError(description: "a changeset that does not follow \(version): \(json)") }
        for stage in stages { try apply(stage: stage) }
        for replaced in json["replaced"] as? [[String: Any]] ?? [] {
            let at = try Self.path(replaced["at"])
            try check(at)
            let (before, after) = (sections[at.0].elements[at.1], replaced["element"] as? [String: Any] ?? [:])
            guard before["id"] as? String == after["id"] as? String,
                before["model"] as? String == after["model"] as? String
            else { throw TestClientError(description: "replaces another element at \(at)") }
            sections[at.0].elements[at.1] = after
        }
        version = to
        guard let counts = json["counts"] as? [String: Int], counts["sections"] == sections.count,
            counts["elements"] == sections.reduce(0, { $0 + $1.elements.count })
        else { throw TestClientError(description: "counts do not agree at \(to)") }
    }

    private mutating func apply(stage: [String: Any]) throws {
        for update in stage["elementUpdated"] as? [[String: Any]] ?? [] {
            let at = try Self.path(update["at"])
            try check(at)
            sections[at.0].elements[at.1] = update["element"] as? [String: Any] ?? [:]
        }
        let moves = try (stage["elementMoved"] as? [[String: Any]] ?? []).map {
            (try Self.path($0["from"]), try Self.path($0["to"]))
        }
        var moved: [[String: Any]] = []
        for move in moves {
            try check(move.0)
            moved.append(sections[move.0.0].elements[move.0.1])
        }
        let leaving = try (stage["elementDeleted"] as? [Any] ?? []).map(Self.path) + moves.map(\.0)
        for at in leaving.sorted(by: >) {
            try check(at)
            sections[at.0].elements.remove(at: at.1)
        }
        try applySections(stage)
        var arriving = try (stage["elementInserted"] as? [[String: Any]] ?? []).map {
            (try Self.path($0["at"]), $0["element"] as? [String: Any] ?? [:])
        }
        arriving += zip(moves.map(\.1), moved).map { ($0, $1) }
        for (at, element) in arriving.sorted(by: { $0.0 < $1.0 }) {
            guard at.0 < sections.count, at.1 <= sections[at.0].elements.count else {
                throw TestClientError(description: "an insert beyond the end: \(at)")
            }
            sections[at.0].elements.insert(element, at: at.1)
        }
        for update in stage["sectionUpdated"] as? [[String: Any]] ?? [] {
            guard let at = update["at"] as? Int, at < sections.count else {
                throw TestClientError(description: "an update beyond the end")
            }
            sections[at].header = try Self.section(update["section"] as? [String: Any] ?? [:]).header
        }
    }

    private mutating func applySections(_ stage: [String: Any]) throws {
        let moves = (stage["sectionMoved"] as? [[String: Int]] ?? []).map { ($0["from"] ?? -1, $0["to"] ?? -1) }
        let moved = try moves.map { move in
            guard sections.indices.contains(move.0) else { throw TestClientError(description: "moves \(move)") }
            return (move.1, sections[move.0])
        }
        let leaving = (stage["sectionDeleted"] as? [Int] ?? []) + moves.map(\.0)
        for at in leaving.sorted(by: >) {
            guard sections.indices.contains(at) else { throw TestClientError(description: "deletes section \(at)") }
            sections.remove(at: at)
        }
        var arriving = moved
        for insert in stage["sectionInserted"] as? [[String: Any]] ?? [] {
            arriving.append(
                (insert["at"] as? Int ?? -1, try Self.section(insert["section"] as? [String: Any] ?? [:])))
        }
        for (at, section) in arriving.sorted(by: { $0.0 < $1.0 }) {
            guard (0...sections.count).contains(at) else { throw TestClientError(description: "inserts at \(at)") }
            sections.insert(section, at: at)
        }
    }

    private func check(_ at: (Int, Int)) throws {
        guard sections.indices.contains(at.0), sections[at.0].elements.indices.contains(at.1) else {
            throw TestClientError(description: "no element at \(at)")
        }
    }

    private static func path(_ value: Any?) throws -> (Int, Int) {
        guard let path = value as? [Int], path.count == 2 else {
            throw TestClientError(description: "not an index path: \(String(describing: value))")
        }
        return (path[0], path[1])
    }

    /// The sections as the API would list them, in a form that can be compared.
    func content() throws -> String {
        try canonical(
            sections.map { section in
                var json = section.header
                json["elements"] = section.elements
                return json
            })
    }
}
