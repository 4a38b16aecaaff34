import CallboardClient
import ListDiff

/// How many operations of each kind a changeset has, and how many elements it replaces.
struct ChangeCounts: Sendable, Equatable, CustomStringConvertible {
    private(set) var counts: [(operation: ChangesetOperation, count: Int)]
    /// How many elements are replaced after the last stage.
    let replaced: Int

    /// Counts what a changeset has been found to have of each kind.
    ///
    /// - Parameters:
    ///   - replaced: How many elements are replaced after the last stage.
    ///   - number: How many operations of a kind there are.
    init(replaced: Int, _ number: (ChangesetOperation) -> Int) {
        self.replaced = replaced
        let operations: [ChangesetOperation] = [
            .sectionInserted, .sectionDeleted, .sectionMoved, .sectionUpdated, .elementInserted, .elementDeleted,
            .elementMoved, .elementUpdated,
        ]
        counts = operations.map { ($0, number($0)) }.filter { $0.count > 0 }
    }

    init(_ changeset: RemoteChangeset) {
        self.init(replaced: changeset.stages.replaced.count) { changeset.stages.count(of: $0) }
    }

    static func == (left: Self, right: Self) -> Bool { left.description == right.description }

    /// The counts in words, such as `3 elements inserted, 1 section moved`.
    var description: String {
        var parts = counts.map { entry in
            let (noun, verb) = Self.words(entry.operation)
            return "\(Count.of(entry.count, noun)) \(verb)"
        }
        if replaced > 0 { parts.append("\(Count.of(replaced, "element")) replaced") }
        return parts.isEmpty ? "nothing" : parts.joined(separator: ", ")
    }

    /// The counts by the operations' names on the wire.
    var json: JSON {
        var object = JSONObject(counts.map { ($0.operation.rawValue, .number(JSONNumber($0.count))) })
        if replaced > 0 { object["replaced"] = .number(JSONNumber(replaced)) }
        return .object(object)
    }

    private static func words(_ operation: ChangesetOperation) -> (noun: String, verb: String) {
        switch operation {
        case .sectionInserted: ("section", "inserted")
        case .sectionDeleted: ("section", "deleted")
        case .sectionMoved: ("section", "moved")
        case .sectionUpdated: ("section", "updated")
        case .elementInserted: ("element", "inserted")
        case .elementDeleted: ("element", "deleted")
        case .elementMoved: ("element", "moved")
        case .elementUpdated: ("element", "updated")
        }
    }
}
