import Directors
import ListDiff

/// A section of a view: the members in their order, and the elements that are shown, which these begin with.
struct Bucket: Sendable {
    /// The number by which the bucket is found: that of the source's section, or one of its own.
    let serial: Int
    /// The section without elements.
    var header: Section
    /// The members in order; left empty where this is the order of the source's section, which has them already.
    private(set) var order: PersistentList<MemberPlace> = []
    /// The shown elements.
    private(set) var output: PersistentList<Element> = []
    /// How many members there are.
    private(set) var total = 0
    /// Whether the section is shown without elements, too.
    let keepsEmpty: Bool
    /// The most elements that are ever shown.
    let cap: Int
    /// The keys of the members; nil for a section that is not grouped.
    var keys: BucketKeys?

    init(serial: Int, header: Section, keepsEmpty: Bool, cap: Int?, keys: BucketKeys? = nil) {
        self.serial = serial
        self.header = header
        self.keepsEmpty = keepsEmpty
        self.cap = cap ?? .max
        self.keys = keys
    }

    /// Whether the section is shown.
    var isShown: Bool { keepsEmpty || !output.isEmpty }

    /// The section as readers get it.
    var section: Section { Section(copying: header, content: output) }

    /// The bucket without its members in an order of its own: what stays in the list while a copy is changed.
    mutating func dropOrder() {
        order = []
    }

    // MARK: The order of the source

    /// Puts members in the place of those at some indexes, where the order is that of the source's section.
    mutating func replace(_ range: Range<Int>, with members: [Member]) {
        total += members.count - range.count
        replaceOutput(range, with: members)
    }

    /// Shows all elements of the source's section, whose memory is shared.
    mutating func show(all elements: PersistentList<Element>) {
        (output, total) = (elements, elements.count)
    }

    /// Shows elements in the place of those at some indexes.
    mutating func replace(_ range: Range<Int>, withShown elements: [Element]) {
        total += elements.count - range.count
        if range.count == 1, elements.count == 1 {
            output.replace(at: range.lowerBound, with: elements[0])
        } else if !range.isEmpty || !elements.isEmpty {
            output.replaceSubrange(range, with: elements)
        }
    }

    // MARK: An order of its own

    /// Puts members in the place of all, in their order.
    ///
    /// - Complexity: O(*n*) in the numbers of both.
    mutating func replaceAll(with members: [Member], keepingOrder: Bool) {
        if keepingOrder { order = PersistentList(members.lazy.map { MemberPlace($0) }) }
        total = members.count
        output = output.adopting(members.prefix(cap).map(\.shown)) { $0 === $1 }
    }

    /// The position of a member; nil if it is not here.
    func position(of member: Member) -> Int? {
        order.position(hash: hash(ofSerial: member.serial)) { $0.member.serial == member.serial }
    }

    /// Takes a member away.
    ///
    /// - Complexity: O(log *n*).
    mutating func remove(_ member: Member) {
        guard let position = position(of: member) else { return }
        order.remove(at: position)
        total -= 1
        replaceOutput(position..<position + 1, with: [])
    }

    /// Puts a member in the place of its earlier state, which has the same serial and the same place.
    mutating func replace(_ old: Member, with new: Member) {
        guard let position = position(of: old) else { return }
        order.replace(at: position, with: MemberPlace(new))
        if new.shown !== old.shown { replaceOutput(position..<position + 1, with: [new]) }
    }

    /// Inserts a member in front of the first that it precedes.
    ///
    /// - Parameter precedes: Tells whether it precedes one whose first sort key may be the same.
    /// - Complexity: O(log *n*) comparisons.
    mutating func insert(_ member: Member, precedes: (Member) -> Bool) {
        let position = first(behind: member, precedes: precedes)
        order.insert(MemberPlace(member), at: position)
        total += 1
        replaceOutput(position..<position, with: [member])
    }

    /// Puts a member in the place of its earlier state, which has the same serial, and moves it in front of the first that
    /// it precedes. All other members have to be in order.
    ///
    /// - Parameter precedes: Tells whether it precedes one whose first sort key may be the same.
    /// - Complexity: O(log *n*) comparisons.
    mutating func move(_ old: Member, to new: Member, precedes: (Member) -> Bool) {
        guard let position = position(of: old) else { return }
        // Where its section has moved in the source, the earlier state may be out of order among members of equal keys. It
        // counts as the member in front of it does.
        let isEarlierBehind =
            old.content.leading == new.content.leading && position > 0 && precedes(order[position - 1].member)
        let first = self.first(behind: new) { $0.serial == old.serial ? isEarlierBehind : precedes($0) }
        let low = first > position ? first - 1 : first
        order.replace(at: position, with: MemberPlace(new))
        order.move(from: position, to: low)
        if max(position, low) < output.count {
            output.replace(at: position, with: new.shown)
            output.move(from: position, to: low)
        } else {
            replaceOutput(position..<position + 1, with: [])
            replaceOutput(low..<low, with: [new])
        }
    }

    private func first(behind member: Member, precedes: (Member) -> Bool) -> Int {
        let leading = member.content.leading
        return order.firstPosition(
            deciding: { $0.isBehind(leading) }, inOrder: { $0.measure.isBehind(leading) ?? precedes($0.member) })
    }

    // MARK: The shown part

    /// Changes the part of the shown elements that a change of the order is about.
    private mutating func replaceOutput(_ range: Range<Int>, with members: [Member]) {
        let count = output.count
        guard range.lowerBound <= count else { return }
        let shown = range.lowerBound..<min(range.upperBound, count)
        switch (shown.count, members.count) {
        case (0, 0): break
        case (1, 1):
            if output[shown.lowerBound] !== members[0].shown {
                output.replace(at: shown.lowerBound, with: members[0].shown)
            }
        case (0, 1): output.insert(members[0].shown, at: shown.lowerBound)
        case (1, 0): output.remove(at: shown.lowerBound)
        default: output.replaceSubrange(shown, with: members.prefix(cap - shown.lowerBound).lazy.map(\.shown))
        }
        if output.count > cap { output.removeSubrange(cap..<output.count) }
    }

    /// Shows the first members, and no others.
    ///
    /// - Parameters:
    ///   - count: How many, at most ``total`` and ``cap``; nil for as many as these allow.
    ///   - members: The members, if they stand in the order of the source's section.
    /// - Complexity: O(*m* log *n*) for *m* elements that come or go.
    mutating func show(_ count: Int? = nil, of members: SparseList<Member>) {
        let count = count ?? min(total, cap)
        if output.count > count {
            output.removeSubrange(count..<output.count)
        } else if output.count < count {
            let range = output.count..<count
            output.append(
                contentsOf: order.isEmpty
                    ? members.items[range].map(\.entry.shown) : order[range].map(\.member.shown))
        }
    }
}

extension Bucket: ListItem {
    var differenceIdentifier: Int { serial }
    var identityHash: Int { keys?.hash ?? hash(ofSerial: serial) }
    var measure: Counts { Counts(shown: isShown ? 1 : 0, elements: output.count) }

    func isContentEqual(to source: Bucket) -> Bool {
        output.isIdentical(to: source.output) && header.isContentEqual(to: source.header)
    }

    /// Numbers of shown sections and elements.
    struct Counts: ListMeasure {
        var shown = 0
        var elements = 0

        static func += (left: inout Counts, right: Counts) {
            left.shown += right.shown
            left.elements += right.elements
        }

        static func -= (left: inout Counts, right: Counts) {
            left.shown -= right.shown
            left.elements -= right.elements
        }
    }
}

/// The keys of a grouped section's members: one that is a text and one that is not may have the same identifier.
struct BucketKeys: Sendable {
    /// The identifier of both.
    let identifier: String
    /// A hash of the identifier.
    let hash: Int
    private var other: (key: SectionKey, count: Int)?
    private var text: (key: SectionKey, count: Int)?

    init(_ identifier: String) {
        self.identifier = identifier
        hash = identifier.hashValue
    }

    /// The key that decides the section's place and title; nil without members.
    var deciding: SectionKey? { other?.key ?? text?.key }

    /// Counts a member.
    mutating func add(_ key: SectionKey) {
        if key.order.isText {
            text = (text?.key ?? key, (text?.count ?? 0) + 1)
        } else {
            other = (other?.key ?? key, (other?.count ?? 0) + 1)
        }
    }

    /// Counts a member no longer.
    mutating func remove(_ key: SectionKey) {
        if key.order.isText {
            text = text.flatMap { $0.count > 1 ? ($0.key, $0.count - 1) : nil }
        } else {
            other = other.flatMap { $0.count > 1 ? ($0.key, $0.count - 1) : nil }
        }
    }
}
