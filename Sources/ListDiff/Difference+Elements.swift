extension Difference {
    /// Finds what the elements of each kept section begin and end with on both sides, and what lies between.
    @inlinable
    mutating func findSpans() {
        var sourceCount = 0
        var targetCount = 0
        for (after, before) in sectionSources.enumerated() where before >= 0 {
            let old = source[before].elements
            let new = target[after].elements
            if old.sharesStorage(with: new) {
                continue
            }
            let prefix = pairPrefix(old, new, before, after)
            let suffix = pairSuffix(old, new, before, after, prefix)
            let span = SectionSpan(
                sourceSection: before,
                targetSection: after,
                prefix: prefix,
                source: sourceCount..<(sourceCount + old.count - prefix - suffix),
                target: targetCount..<(targetCount + new.count - prefix - suffix)
            )
            if !span.source.isEmpty || !span.target.isEmpty {
                spans.append(span)
                sourceCount = span.source.upperBound
                targetCount = span.target.upperBound
            }
        }
    }

    @inlinable
    mutating func pairPrefix(
        _ old: [Section.Element],
        _ new: [Section.Element],
        _ before: Int,
        _ after: Int
    ) -> Int {
        let shorter = min(old.count, new.count)
        var length = 0
        while length < shorter, old[length].differenceIdentifier == new[length].differenceIdentifier {
            compare(old[length], new[length], path(length, in: before), path(length, in: after))
            length += 1
        }
        return length
    }

    @inlinable
    mutating func pairSuffix(
        _ old: [Section.Element],
        _ new: [Section.Element],
        _ before: Int,
        _ after: Int,
        _ prefix: Int
    ) -> Int {
        let shorter = min(old.count, new.count) - prefix
        var length = 0
        while length < shorter {
            let (index, other) = (old.count - 1 - length, new.count - 1 - length)
            guard old[index].differenceIdentifier == new[other].differenceIdentifier else {
                break
            }
            compare(old[index], new[other], path(index, in: before), path(other, in: after))
            length += 1
        }
        return length
    }

    /// Notes an update, at the place in the source, where the target's content is another; where only the value is, that
    /// it is replaced, at the place in the target.
    @inlinable
    @inline(__always)
    mutating func compare(
        _ old: Section.Element,
        _ new: Section.Element,
        _ source: ElementPath,
        _ target: ElementPath
    ) {
        if new.isValueEqual(to: old) {
            return
        }
        if new.isContentEqual(to: old) {
            replaced.append(ElementChange(at: target, element: new))
        } else {
            updated.append(ElementChange(at: source, element: new))
        }
    }

    @inlinable
    func path(_ element: Int, in section: Int) -> ElementPath {
        ElementPath(section: section + firstSection, element: element)
    }

    /// Numbers the elements of the spans and pairs them.
    @inlinable
    func alignElements() -> Alignment {
        guard let last = spans.last else {
            return Alignment(source: [], target: [], spans: [])
        }
        var table = IdentityTable<Section.Element.DifferenceIdentifier>(capacity: last.source.upperBound)
        for span in spans {
            let elements = source[span.sourceSection].elements
            for position in span.source {
                table.add(elements[span.sourceElement(position)].differenceIdentifier)
            }
        }
        var numbers: [Int32] = []
        numbers.reserveCapacity(last.target.upperBound)
        for span in spans {
            let elements = target[span.targetSection].elements
            var expected = span.source.lowerBound
            for position in span.target {
                let identifier = elements[span.targetElement(position)].differenceIdentifier
                numbers.append(table.number(of: identifier, expected: &expected))
            }
        }
        return Alignment(source: table.numbers, target: numbers, spans: spans)
    }

    /// Compares the content of the pairs inside the spans.
    @inlinable
    mutating func compareContent(_ alignment: Alignment) {
        for span in spans {
            let new = target[span.targetSection].elements
            let old = source[span.sourceSection].elements
            for position in span.target where alignment.sources[position] >= 0 {
                let partner = Int(alignment.sources[position])
                let index = span.targetElement(position)
                let target = path(index, in: span.targetSection)
                if span.source.contains(partner) {
                    let place = span.sourceElement(partner)
                    compare(old[place], new[index], path(place, in: span.sourceSection), target)
                } else {
                    let other = spans.holding(source: partner)
                    let place = other.sourceElement(partner)
                    compare(
                        source[other.sourceSection].elements[place], new[index],
                        path(place, in: other.sourceSection), target)
                }
            }
        }
    }

    /// The second stage: the sections that go, and the elements that leave those that stay.
    @inlinable
    func deletes(_ alignment: Alignment) -> Changeset<Section> {
        var changeset = Changeset<Section>()
        changeset.sectionDeleted = isSectionKept.indices.filter { !isSectionKept[$0] }
        for span in spans {
            for position in span.source where alignment.targets[position] < 0 {
                let element = span.sourceElement(position)
                changeset.elementDeleted.append(
                    ElementPath(section: span.sourceSection + firstSection, element: element)
                )
            }
        }
        // Sections that moved have been visited where they stand in the target.
        changeset.elementDeleted.sort()
        return changeset
    }

    /// The fourth stage: the elements that come to sections that stay, and those that change places.
    ///
    /// A move's source counts the list as the stages before leave it: sections as in the target, without what is deleted.
    @inlinable
    func insertsAndMoves(_ alignment: Alignment) -> Changeset<Section> {
        var changeset = Changeset<Section>()
        for span in spans {
            let elements = target[span.targetSection].elements
            for position in span.target where alignment.sources[position] < 0 {
                let element = span.targetElement(position)
                let path = ElementPath(section: span.targetSection + firstSection, element: element)
                changeset.elementInserted.append(ElementChange(at: path, element: elements[element]))
            }
        }
        for span in spans {
            var deleted = 0
            for position in span.source {
                let partner = Int(alignment.targets[position])
                if partner < 0 {
                    deleted += 1
                } else if !alignment.isStaying[position] {
                    changeset.elementMoved.append(move(span, position, to: partner, deleted: deleted))
                }
            }
        }
        return changeset
    }

    @inlinable
    func move(_ span: SectionSpan, _ position: Int, to partner: Int, deleted: Int) -> ElementMove {
        let other = span.target.contains(partner) ? span : spans.holding(target: partner)
        return ElementMove(
            from: ElementPath(
                section: span.targetSection + firstSection, element: span.sourceElement(position) - deleted),
            to: ElementPath(section: other.targetSection + firstSection, element: other.targetElement(partner))
        )
    }
}

extension Array {
    /// Whether two arrays are the same one in memory, so that comparing their elements can be spared.
    @inlinable
    func sharesStorage(with other: Self) -> Bool {
        // SAFETY: the addresses are compared while both arrays are alive; nothing is read through them.
        unsafe withUnsafeBufferPointer { mine in
            unsafe other.withUnsafeBufferPointer { theirs in
                unsafe mine.baseAddress == theirs.baseAddress && mine.count == theirs.count
            }
        }
    }
}
