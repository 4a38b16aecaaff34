import CallboardClient
import ListDiff

/// How many operations of each kind a changeset has, and how many elements it replaces.
struct ChangeCounts: Sendable, Equatable, CustomStringConvertible {
    private(set) var counts: [(operation: ChangesetOperation, count: Int)]
    /// How many elements are replaced after the last stage.
    let replaced: Int

    init(_ changeset: RemoteChangeset) {
        let stages = changeset.stages.stages
        func sum(_ count: (Changeset<RemoteSection>) -> Int) -> Int { stages.reduce(0) { $0 + count($1) } }
        let all: [(operation: ChangesetOperation, count: Int)] = [
            (.sectionInserted, sum { $0.sectionInserted.count }), (.sectionDeleted, sum { $0.sectionDeleted.count }),
            (.sectionMoved, sum { $0.sectionMoved.count }), (.sectionUpdated, sum { $0.sectionUpdated.count }),
            (.elementInserted, sum { $0.elementInserted.count }), (.elementDeleted, sum { $0.elementDeleted.count }),
            (.elementMoved, sum { $0.elementMoved.count }), (.elementUpdated, sum { $0.elementUpdated.count }),
        ]
        counts = all.filter { $0.count > 0 }
        replaced = changeset.stages.replaced.count
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
