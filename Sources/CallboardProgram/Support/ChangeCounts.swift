import CallboardClient
import ListDiff

/// How many operations of each kind a changeset has.
struct ChangeCounts: Sendable, Equatable, CustomStringConvertible {
    private(set) var counts: [(operation: ChangesetOperation, count: Int)]

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
    }

    static func == (left: Self, right: Self) -> Bool { left.description == right.description }

    /// The counts in words, such as `3 elements inserted, 1 section moved`.
    var description: String {
        guard !counts.isEmpty else { return "nothing" }
        return counts.map { entry in
            let (noun, verb) = Self.words(entry.operation)
            return "\(Count.of(entry.count, noun)) \(verb)"
        }.joined(separator: ", ")
    }

    /// The counts by the operations' names on the wire.
    var json: JSON {
        .object(JSONObject(counts.map { ($0.operation.rawValue, .number(JSONNumber($0.count))) }))
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
