import ListDiff

/// A member in an order, with what stands for its first sort key beside it: most comparisons read no member.
struct MemberPlace: ListItem {
    let member: Member
    let leading: UInt64

    init(_ member: Member) {
        (self.member, leading) = (member, member.content.leading)
    }

    var differenceIdentifier: Int { member.serial }
    var identityHash: Int { hash(ofSerial: member.serial) }
    var measure: First { First(leading: leading) }
    func isContentEqual(to source: MemberPlace) -> Bool { member === source.member }
    static func settle(_ measure: inout First, first: MemberPlace?) { measure = First(leading: first?.leading) }

    /// The number that stands for the first sort key of the first of some members; nil of none.
    struct First: ListMeasure {
        var leading: UInt64?

        /// Whether the first member stands behind one with another key; nil where the keys may be equal.
        func isBehind(_ other: UInt64) -> Bool? {
            leading == other ? nil : leading.map { other < $0 }
        }

        static func += (left: inout First, right: First) { left.leading = left.leading ?? right.leading }
        static func -= (left: inout First, right: First) {}
    }
}
