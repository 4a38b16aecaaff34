/// The making of a staged changeset: sections are aligned first, then the elements of those that stay.
@usableFromInline
@frozen
struct Difference<Section: DifferentiableSection> {
    @usableFromInline let source: [Section]
    @usableFromInline let target: [Section]
    @usableFromInline let firstSection: Int

    /// For each section before, whether it is there after.
    @usableFromInline var isSectionKept: [Bool]
    /// For each section before that is kept, whether it keeps its place among those.
    @usableFromInline var isSectionStaying: [Bool]
    /// For each section after, the one before that it continues, or -1.
    @usableFromInline var sectionSources: [Int]

    /// The kept sections in the order of the target, as far as their elements differ in order.
    @usableFromInline var spans: [SectionSpan] = []
    @usableFromInline var updated: [ElementChange<Section.Element>] = []
    @usableFromInline var replaced: [ElementChange<Section.Element>] = []

    @inlinable
    init(from source: [Section], to target: [Section], firstSection: Int) {
        self.source = source
        self.target = target
        self.firstSection = firstSection
        isSectionKept = Array(repeating: false, count: source.count)
        isSectionStaying = Array(repeating: false, count: source.count)
        sectionSources = Array(repeating: -1, count: target.count)
    }

    /// Finds the five stages, without those that are empty, and what is replaced after the last.
    @inlinable
    mutating func changeset() -> StagedChangeset<Section> {
        alignSections()
        findSpans()
        let alignment = alignElements()
        compareContent(alignment)
        updated.sort { $0.at < $1.at }
        replaced.sort { $0.at < $1.at }
        let updates = Changeset<Section>(elementUpdated: updated)
        let deletes = deletes(alignment)
        let sections = sectionInsertsAndMoves()
        let elements = insertsAndMoves(alignment)
        let stages = [updates, deletes, sections, elements, sectionUpdates()].filter { !$0.isEmpty }
        return StagedChangeset(stages: stages, replaced: replaced)
    }
}

// MARK: - Sections

extension Difference {
    @inlinable
    mutating func alignSections() {
        var prefix = 0
        let shorter = min(source.count, target.count)
        while prefix < shorter, source[prefix].differenceIdentifier == target[prefix].differenceIdentifier {
            keep(prefix, as: prefix, isStaying: true)
            prefix += 1
        }
        var suffix = 0
        while suffix < shorter - prefix {
            let (before, after) = (source.count - 1 - suffix, target.count - 1 - suffix)
            guard source[before].differenceIdentifier == target[after].differenceIdentifier else {
                break
            }
            keep(before, as: after, isStaying: true)
            suffix += 1
        }
        let span = SectionSpan(
            sourceSection: 0,
            targetSection: 0,
            prefix: prefix,
            source: 0..<(source.count - prefix - suffix),
            target: 0..<(target.count - prefix - suffix)
        )
        if !span.source.isEmpty && !span.target.isEmpty {
            alignSections(span)
        }
    }

    @inlinable
    mutating func alignSections(_ span: SectionSpan) {
        var table = IdentityTable<Section.DifferenceIdentifier>(capacity: span.source.count)
        for position in span.source {
            table.add(source[span.sourceElement(position)].differenceIdentifier)
        }
        var expected = 0
        let numbers = span.target.map {
            table.number(of: target[span.targetElement($0)].differenceIdentifier, expected: &expected)
        }
        let alignment = Alignment(source: table.numbers, target: numbers, spans: [span])
        for position in span.target where alignment.sources[position] >= 0 {
            let partner = Int(alignment.sources[position])
            keep(
                span.sourceElement(partner),
                as: span.targetElement(position),
                isStaying: alignment.isStaying[partner]
            )
        }
    }

    @inlinable
    mutating func keep(_ before: Int, as after: Int, isStaying: Bool) {
        isSectionKept[before] = true
        isSectionStaying[before] = isStaying
        sectionSources[after] = before
    }

    /// The third stage: the sections that come, and those that change places.
    @inlinable
    func sectionInsertsAndMoves() -> Changeset<Section> {
        var changeset = Changeset<Section>()
        var ranks: [Int] = []
        var rank = 0
        for isKept in isSectionKept {
            ranks.append(rank)
            rank += isKept ? 1 : 0
        }
        for (after, before) in sectionSources.enumerated() {
            if before < 0 {
                changeset.sectionInserted.append(SectionChange(at: after, section: target[after]))
            } else if !isSectionStaying[before] {
                changeset.sectionMoved.append(SectionMove(from: ranks[before], to: after))
            }
        }
        changeset.sectionMoved.sort { $0.from < $1.from }
        return changeset
    }

    /// The fifth stage: the sections whose own content differs.
    @inlinable
    func sectionUpdates() -> Changeset<Section> {
        var changeset = Changeset<Section>()
        for (after, before) in sectionSources.enumerated() where before >= 0 {
            if !target[after].isContentEqual(to: source[before]) {
                let section = Section(copying: target[after], elements: [])
                changeset.sectionUpdated.append(SectionChange(at: after, section: section))
            }
        }
        return changeset
    }
}
