import Directors
import ListDiff

/// A section of the source as it was, with what the view knows of it.
struct DepartedSection {
    let section: Section
    let own: SourceSection
    let bucket: Bucket?
}

/// The sections of the source that are gone from their places, found by those of the same identity elsewhere.
struct DepartedSections {
    private var sections: [SectionIdentity: [DepartedSection]] = [:]

    mutating func add(_ section: Section, _ own: SourceSection, _ bucket: Bucket?) {
        let departed = DepartedSection(section: section, own: own, bucket: bucket)
        sections[section.differenceIdentifier, default: []].append(departed)
    }

    /// The section that another one continues; each continues one at most.
    mutating func take(_ section: Section) -> DepartedSection? {
        sections[section.differenceIdentifier]?.popLast()
    }

    /// The sections that nothing continues.
    var rest: [DepartedSection] { sections.values.flatMap { $0 } }
}

/// The members of a range of elements, found by those that come in their place.
struct MemberPartners {
    /// The members that nothing continues yet, each with its element's place in the range, the last one first.
    private var waiting: [(offset: Int, member: Member)] = []
    private var passed: [Member] = []
    private let isPaired: Bool

    /// Finds the members of a range. Elements are asked for in the order of their places.
    init(_ members: SparseList<Member>, _ indexes: Range<Int>, in range: ChangedRange) {
        isPaired = range.old.count == range.new.count
        if range.old.count == 1 {
            for index in indexes { waiting.append((0, members[index])) }
            return
        }
        for index in indexes.reversed() {
            waiting.append((members.position(at: index) - range.old.lowerBound, members[index]))
        }
    }

    /// The member that the element at a place continues, if as many elements come as go.
    mutating func take(_ offset: Int) -> Member? {
        guard isPaired else { return nil }
        while let last = waiting.last, last.offset < offset { passed.append(waiting.removeLast().member) }
        return waiting.last?.offset == offset ? waiting.removeLast().member : nil
    }

    /// The members that nothing continues.
    var rest: [Member] { passed + waiting.map(\.member) }
}
