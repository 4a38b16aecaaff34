import Directors
import ListDiff
import Notation

/// The sections of a view that do not follow the source's: one with all elements, or one for each key.
extension View {
    /// Brings members to their sections and to their places there.
    ///
    /// - Complexity: O(*k* log² *n*) for *k* changes, at most O(*n* log *n*).
    mutating func place(_ changes: [MemberChange], _ pass: inout ViewPass) {
        if pass.evaluatesAll || MemberOrder.areMany(changes.count, of: sources.measure.members) {
            return placeAll(&pass)
        }
        let order = MemberOrder(plan.definition.sort)
        var groups: [Name: GroupChanges] = [:]
        for change in changes {
            if let old = change.old, let new = change.new, order.isEqual(old, new),
                old.content.section?.order == new.content.section?.order
            {
                groups[identifier(of: new), default: GroupChanges()].replaced.append((old, new))
                continue
            }
            if let old = change.old { groups[identifier(of: old), default: GroupChanges()].removed.append(old) }
            if let new = change.new { groups[identifier(of: new), default: GroupChanges()].inserted.append(new) }
        }
        for (identifier, changes) in groups.sorted(by: { $0.key < $1.key }) {
            change(identifier, changes, order, &pass)
        }
    }

    private func identifier(of member: Member) -> Name {
        Name(member.content.section?.identifier ?? ViewSectioning.singleIdentifier)
    }

    /// Changes the members of one section.
    private mutating func change(
        _ identifier: Name, _ changes: GroupChanges, _ order: MemberOrder, _ pass: inout ViewPass
    ) {
        let position = position(ofBucket: identifier)
        guard var bucket = position.map({ takeBucket(at: $0) }) ?? makeBucket(changes.inserted.first) else { return }
        let deciding = bucket.keys?.deciding
        for (old, new) in changes.replaced { bucket.replace(old, with: new) }
        if let (old, new) = changes.onlyMove {
            bucket.move(old, to: new, precedes: precedes(new, order))
        } else {
            for member in changes.removed { bucket.remove(member) }
            for member in changes.inserted { bucket.insert(member, precedes: precedes(member, order)) }
        }
        for key in changes.removed.compactMap(\.content.section) { bucket.keys?.remove(key) }
        for key in changes.inserted.compactMap(\.content.section) { bucket.keys?.add(key) }
        if plan.definition.limitScope == .section { bucket.show(of: SparseList()) }
        settle(bucket, at: position, since: deciding, &pass)
    }

    /// Tells whether a member precedes another one: by the keys, and by the source where these are equal.
    private func precedes(_ member: Member, _ order: MemberOrder) -> (Member) -> Bool {
        let ranks = SourceRanks(sources)
        lazy var rank = ranks.rank(of: member)
        return { other in order.precedes(member, other) ?? (rank < ranks.rank(of: other)) }
    }

    /// Puts a changed section where it belongs now, and takes it out without members.
    private mutating func settle(
        _ changed: Bucket, at position: Int?, since deciding: SectionKey?, _ pass: inout ViewPass
    ) {
        var bucket = changed
        guard let keys = bucket.keys else { return put([bucket], in: 0..<1) }
        guard let key = keys.deciding else {
            if let position { put([], in: position..<position + 1) }
            return
        }
        if let position, key.order == deciding?.order { return put([bucket], in: position..<position + 1) }
        bucket.header = header(of: key, &pass)
        if let position { put([], in: position..<position + 1) }
        let place = place(of: key)
        put([bucket], in: place..<place)
    }

    /// Groups and sorts all members anew.
    private mutating func placeAll(_ pass: inout ViewPass) {
        var groups: [Name: [Member]] = [:]
        for section in sources {
            for item in section.members.items { groups[identifier(of: item.entry), default: []].append(item.entry) }
        }
        if plan.definition.sectioning == .single, groups.isEmpty { groups[Name(ViewSectioning.singleIdentifier)] = [] }
        let order = MemberOrder(plan.definition.sort)
        var new: [Bucket] = []
        for (identifier, members) in groups {
            let earlier = position(ofBucket: identifier).map { buckets[$0] }
            guard var bucket = earlier ?? makeBucket(members.first) else { continue }
            bucket.replaceAll(with: order.sorted(members), keepingOrder: true)
            if bucket.keys != nil {
                var keys = BucketKeys(identifier.text)
                for member in members { if let key = member.content.section { keys.add(key) } }
                bucket.keys = keys
                if let key = keys.deciding { bucket.header = header(of: key, &pass) }
            }
            if plan.definition.limitScope == .section { bucket.show(of: SparseList()) }
            new.append(bucket)
        }
        new.sort { one, other in
            guard let left = one.keys?.deciding, let right = other.keys?.deciding else { return false }
            return precedes(left, right)
        }
        buckets = PersistentList(new)
        content = content.adopting(new.filter(\.isShown).map(\.section)) { old, new in
            old.differenceIdentifier == new.differenceIdentifier && old.content.isIdentical(to: new.content)
                && old.isContentEqual(to: new)
        }
    }

    // MARK: Sections

    private func position(ofBucket identifier: Name) -> Int? {
        if plan.definition.sectioning == .single { return 0 }
        return buckets.firstPosition(hash: identifier.text.hashValue) {
            $0.keys?.identifier.isVerbatim(identifier.text) ?? false
        }
    }

    /// The place of a new section among the others.
    private func place(of key: SectionKey) -> Int {
        var (low, high) = (0, buckets.count)
        while low < high {
            let middle = low + (high - low) / 2
            if let other = buckets[middle].keys?.deciding, precedes(other, key) {
                low = middle + 1
            } else {
                high = middle
            }
        }
        return low
    }

    private func precedes(_ one: SectionKey, _ other: SectionKey) -> Bool {
        plan.definition.sectioning?.grouping?.direction == .descending
            ? other.order < one.order : one.order < other.order
    }

    private mutating func makeBucket(_ member: Member?) -> Bucket? {
        guard let key = member?.content.section else { return nil }
        return Bucket(
            serial: makeSerial(), header: Section(identifier: key.identifier, attributes: .none, list: []),
            keepsEmpty: false, cap: plan.definition.limit, keys: BucketKeys(key.identifier))
    }

    private func header(of key: SectionKey, _ pass: inout ViewPass) -> Section {
        let title = pass.evaluation.title(of: key)
        return Section(
            identifier: key.identifier, attributes: SectionAttributes { $0.headerTitle = title }, list: [])
    }
}

/// The places of members in the source.
private struct SourceRanks {
    private let sources: PersistentList<SourceSection>

    init(_ sources: PersistentList<SourceSection>) {
        self.sources = sources
    }

    /// The place of a member: its section's position, and its own among the members there.
    ///
    /// - Complexity: O(log *n*).
    func rank(of member: Member) -> SourceRank {
        let home = sources.firstPosition(hash: hash(ofSerial: member.home)) { $0.serial == member.home } ?? 0
        return SourceRank(section: home, member: sources[home].members.index(ofSerial: member.serial) ?? 0)
    }
}

/// The changes of one section of a view.
private struct GroupChanges {
    /// Members that take the places of their earlier states.
    var replaced: [(old: Member, new: Member)] = []
    var removed: [Member] = []
    var inserted: [Member] = []

    /// The only change, if that is a member's of which the place is another now.
    var onlyMove: (old: Member, new: Member)? {
        guard removed.count == 1, inserted.count == 1, removed[0].serial == inserted[0].serial else { return nil }
        return (removed[0], inserted[0])
    }
}

/// A place in the order of the source.
private struct SourceRank: Comparable {
    let section: Int
    let member: Int

    static func < (left: SourceRank, right: SourceRank) -> Bool {
        (left.section, left.member) < (right.section, right.member)
    }
}
