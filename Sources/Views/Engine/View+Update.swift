import Directors
import HashTreeCollections
import JSONValues
import ListDiff
import Notation

extension View {
    /// Takes the sections of a version, and changes what follows from them.
    mutating func update(to target: PersistentList<Section>, _ newVariables: TreeDictionary<Name, JSONValue>) {
        var pass = ViewPass(plan, variables: newVariables)
        pass.evaluatesAll = plan.reads.differ(variables, newVariables)
        let ranges =
            pass.evaluatesAll
            ? [ChangedRange(old: 0..<source.count, new: 0..<target.count)]
            : target.changedRanges(since: source) { old, new in
                !old.content.isIdentical(to: new.content) || !new.isContentEqual(to: old)
            }
        var departed = DepartedSections()
        for range in ranges where !range.isInPlace(source, target) {
            for position in range.old {
                let bucket = plan.keepsSections ? buckets[position] : nil
                departed.add(source[position], sources[position], bucket)
            }
        }
        for range in ranges.reversed() where !range.old.isEmpty || !range.new.isEmpty {
            replaceSections(range, of: target, &departed, &pass)
        }
        for old in departed.rest { remove(old.own, of: old.section, &pass) }
        (source, variables) = (target, newVariables)
        if !plan.keepsSections { place(pass.changes, &pass) }
        limit()
        evaluations += pass.evaluation.count
    }

    /// Puts sections of the source in the place of others. Ranges are taken from the last to the first, so that the
    /// positions in earlier ones stay.
    private mutating func replaceSections(
        _ range: ChangedRange, of target: PersistentList<Section>, _ departed: inout DepartedSections,
        _ pass: inout ViewPass
    ) {
        let isInPlace = range.isInPlace(source, target)
        var (new, newBuckets) = ([SourceSection](), [Bucket]())
        for (offset, section) in target[range.new].enumerated() {
            var old: DepartedSection?
            if isInPlace {
                let position = range.old.lowerBound + offset
                old = DepartedSection(
                    section: source[position], own: takeSource(at: position),
                    bucket: plan.keepsSections ? takeBucket(at: position) : nil)
            } else {
                old = departed.take(section)
            }
            let earlier = old?.section
            var update = sectionUpdate(of: section, old.take(), isMoved: earlier != nil && !isInPlace)
            updateSection(&update, from: earlier, to: section, &pass)
            new.append(update.section)
            if plan.keepsSections { newBuckets.append(update.bucket) }
        }
        if range.old.count == 1, new.count == 1 {
            sources.replace(at: range.old.lowerBound, with: new[0])
        } else {
            sources.replaceSubrange(range.old, with: new)
        }
        if plan.keepsSections { put(newBuckets, in: range.old) }
    }

    private mutating func sectionUpdate(
        of section: Section, _ old: consuming DepartedSection?, isMoved: Bool
    ) -> SectionUpdate {
        guard let old else {
            let serial = makeSerial()
            return SectionUpdate(SourceSection(serial: serial), makeBucket(serial, section), isMoved: isMoved)
        }
        return SectionUpdate(old.own, old.bucket ?? makeBucket(old.own.serial, section), isMoved: isMoved)
    }

    private func makeBucket(_ serial: Int, _ section: Section) -> Bucket {
        Bucket(
            serial: serial, header: Section(copying: section, content: []),
            keepsEmpty: plan.definition.keepsEmpty, cap: plan.definition.limit)
    }

    /// Counts the members of a section that has gone.
    private mutating func remove(_ section: SourceSection, of old: Section, _ pass: inout ViewPass) {
        for item in section.members.items {
            totals.change(from: item.entry, to: nil, in: old.identifier)
            if !plan.keepsSections { pass.changes.append(MemberChange(old: item.entry, new: nil)) }
        }
    }

    /// Brings a section of the source to another state, and the view's section beside it.
    private mutating func updateSection(
        _ update: inout SectionUpdate, from old: Section?, to new: Section, _ pass: inout ViewPass
    ) {
        let (before, after) = (old?.content ?? [], new.content)
        update.bucket.header = Section(copying: new, content: [])
        let readsOther = plan.reads.section && old.map { !new.isContentEqual(to: $0) } ?? false
        let ranges =
            pass.evaluatesAll || readsOther
            ? [ChangedRange(old: 0..<before.count, new: 0..<after.count)]
            : after.changedRanges(since: before) { $0 !== $1 }
        let members = update.isMoved && !plan.keepsSections ? update.section.members.items.map(\.entry) : []
        if !ranges.isEmpty { pass.evaluation.enter(new) }
        if plan.isFilter { return filter(ranges, &update, after, &pass) }
        let firstChange = pass.changes.count
        for range in ranges.reversed() where !range.old.isEmpty || !range.new.isEmpty {
            updateElements(range, &update, after, new.identifier, &pass)
        }
        if update.isMoved, !plan.keepsSections {
            // Its members stand elsewhere among those of other sections.
            pass.changes.removeSubrange(firstChange...)
            pass.changes += members.map { MemberChange(old: $0, new: nil) }
            pass.changes += update.section.members.items.map { MemberChange(old: nil, new: $0.entry) }
        } else if plan.keepsSections, !plan.keepsOrder {
            let changes = Array(pass.changes[firstChange...])
            pass.changes.removeSubrange(firstChange...)
            update.place(changes, plan.definition.sort)
        }
        if plan.keepsSections, plan.definition.limitScope == .section {
            update.bucket.show(of: update.section.members)
        }
    }

    /// Evaluates the elements of a range, which come in the place of others.
    private mutating func updateElements(
        _ range: ChangedRange, _ update: inout SectionUpdate, _ after: PersistentList<Element>, _ identifier: String,
        _ pass: inout ViewPass
    ) {
        let indexes = update.section.members.indexes(in: range.old)
        let faulty = update.section.faulty.indexes(in: range.old)
        var partners = MemberPartners(update.section.members, indexes, in: range)
        var (members, failures) = ([(offset: Int, entry: Member)](), [(offset: Int, entry: FaultyElement)]())
        var rest = after.makeIterator(from: range.new.lowerBound)
        for offset in 0..<range.new.count {
            guard let element = rest.next() else { break }
            switch pass.evaluation.outcome(of: element) {
            case .excluded: break
            case .failed(let fault): failures.append((offset, faultyEntry(element, fault)))
            case .included(let content):
                let old = partners.take(offset)
                let shown = plan.shown(element, insteadOf: old?.shown)
                let member = Member(
                    serial: old?.serial ?? makeSerial(), home: update.section.serial, shown: shown, content: content)
                members.append((offset, member))
                note(from: old, to: member, identifier, &pass)
            }
        }
        for old in partners.rest { note(from: old, to: nil, identifier, &pass) }
        update.section.members.replace(range.old, indexes, count: range.new.count, with: members)
        update.section.faulty.replace(range.old, faulty, count: range.new.count, with: failures)
        if plan.keepsSections, plan.keepsOrder { update.bucket.replace(indexes, with: members.map(\.entry)) }
    }

    private mutating func note(from old: Member?, to new: Member?, _ identifier: String, _ pass: inout ViewPass) {
        totals.change(from: old, to: new, in: identifier)
        if !plan.keepsSections || !plan.keepsOrder { pass.changes.append(MemberChange(old: old, new: new)) }
    }
}

extension ChangedRange {
    /// Whether the sections of a range stand where they stood.
    func isInPlace(_ source: PersistentList<Section>, _ target: PersistentList<Section>) -> Bool {
        old.count == new.count
            && zip(old, new).allSatisfy { source[$0].differenceIdentifier == target[$1].differenceIdentifier }
    }
}
