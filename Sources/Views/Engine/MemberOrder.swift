/// The order of members by their sort keys.
struct MemberOrder {
    private let isDescending: [Bool]

    init(_ rules: [ViewSortRule]) {
        isDescending = rules.map { $0.direction == .descending }
    }

    /// Whether a member stands in front of another one; nil if their keys are equal.
    func precedes(_ one: Member, _ other: Member) -> Bool? {
        if one.content.leading != other.content.leading { return one.content.leading < other.content.leading }
        for (index, isDescending) in isDescending.enumerated() {
            let (left, right) = (one.content.keys[index], other.content.keys[index])
            if left == right { continue }
            return (left < right) != isDescending
        }
        return nil
    }

    /// Whether the keys of two members are equal.
    func isEqual(_ one: Member, _ other: Member) -> Bool {
        precedes(one, other) == nil
    }

    /// Some members in order; of equal ones the first stays in front.
    func sorted(_ members: [Member]) -> [Member] {
        if isDescending.isEmpty { return members }
        var places = ContiguousArray(members.indices.map { (leading: members[$0].content.leading, offset: $0) })
        places.sort { one, other in
            if one.leading != other.leading { return one.leading < other.leading }
            return precedes(members[one.offset], members[other.offset]) ?? (one.offset < other.offset)
        }
        return places.map { members[$0.offset] }
    }

    /// Whether so many changes are made sooner by sorting all than one by one.
    static func areMany(_ changes: Int, of total: Int) -> Bool {
        changes > 32 + total / 8
    }
}
