import Directors
import ListDiff

/// A section of the source that is brought to another state, with the view's section beside it.
struct SectionUpdate {
    var section: SourceSection
    /// The view's section; of no use where the view has sections of its own.
    var bucket: Bucket
    /// Whether the section stands elsewhere among the others than before.
    let isMoved: Bool

    init(_ section: SourceSection, _ bucket: Bucket, isMoved: Bool) {
        self.section = section
        self.bucket = bucket
        self.isMoved = isMoved
    }

    /// Brings members to their places by sort keys, where the sections are the source's.
    ///
    /// - Complexity: O(*k* log² *n*) for *k* changes, at most O(*n* log *n*).
    mutating func place(_ changes: [MemberChange], _ rules: [ViewSortRule]) {
        if changes.isEmpty { return }
        if MemberOrder.areMany(changes.count, of: bucket.total) {
            let members = MemberOrder(rules).sorted(section.members.items.map(\.entry))
            return bucket.replaceAll(with: members, keepingOrder: true)
        }
        let order = MemberOrder(rules)
        let rest = changes.filter { change in
            guard let old = change.old, let new = change.new, order.isEqual(old, new) else { return true }
            bucket.replace(old, with: new)
            return false
        }
        let members = section.members
        if rest.count == 1, let old = rest[0].old, let new = rest[0].new {
            lazy var index = members.index(ofSerial: new.serial) ?? 0
            bucket.move(old, to: new) { other in
                order.precedes(new, other) ?? (index < members.index(ofSerial: other.serial) ?? 0)
            }
            return
        }
        for change in rest { if let old = change.old { bucket.remove(old) } }
        for change in rest {
            guard let new = change.new, let index = members.index(ofSerial: new.serial) else { continue }
            bucket.insert(new) { other in
                order.precedes(new, other) ?? (index < members.index(ofSerial: other.serial) ?? 0)
            }
        }
    }
}
