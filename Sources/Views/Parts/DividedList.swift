import Directors
import HashTreeCollections
import JSONValues
import ListDiff

/// A list that is divided into parts by a value of its elements, and is kept up from version to version.
///
/// A part has the sections of the list that hold elements of it, with these alone, in the order of the list. A change of
/// an element changes one part or two; all others stay the same memory.
package struct DividedList: Sendable {
    /// The rule.
    package let rule: PartRule
    private let steps: JSONSteps
    private var source: PersistentList<Section> = []
    private var parts: TreeDictionary<PartKey, PersistentList<Section>> = [:]
    /// How often a section's header was another one.
    private var headerChanges = 0

    /// Divides a list.
    ///
    /// - Returns: Nil where the list cannot be divided: an element may be needed in many parts, or identifiers are not
    ///   unique.
    /// - Complexity: O(*n* log *n*) in the number of elements.
    package init?(_ list: ListState, by rule: PartRule) {
        self.rule = rule
        var steps = JSONSteps()
        for name in rule.path { steps.append(name) }
        self.steps = steps
        guard update(to: list) != nil else { return nil }
    }

    /// The memory beside the source's, estimated: an entry for each element, a section for each part.
    package var memory: Int { 64 * ListState(content: source).elementCount + 1_024 * parts.count }

    /// The part of a key, with the sections' headers as they are now.
    ///
    /// - Complexity: O(*s* log *n*) in the number of its sections.
    package func part(_ key: PartKey) -> ListState {
        guard let sections = parts[key] else { return ListState() }
        let shown = sections.map { section in
            let position = position(of: section, in: source)
            return position.map { Section(copying: source[$0], content: section.content) } ?? section
        }
        return ListState(content: PersistentList(shown))
    }

    /// Whether a part is as it was in an earlier version of the list; false where that takes long to tell.
    ///
    /// - Complexity: O(1).
    package func hasSamePart(_ key: PartKey, as earlier: DividedList) -> Bool {
        guard headerChanges == earlier.headerChanges else { return false }
        switch (parts[key], earlier.parts[key]) {
        case (nil, nil): return true
        case (let part?, let other?): return part.isIdentical(to: other)
        default: return false
        }
    }

    /// Takes a version of the list.
    ///
    /// - Returns: The parts that have changed; nil where the list cannot be divided any more, and the value is of no more
    ///   use.
    /// - Complexity: For *k* elements that differ from the earlier version's, out of *n*, O(*k* log² *n*), at most O(*n*
    ///   log *n*); O(*p* log *n*) for *p* parts where the header of a section is another one.
    package mutating func update(to list: ListState) -> Set<PartKey>? {
        let target = list.content
        guard !target.hasDuplicateHashes else { return nil }
        var changed: Set<PartKey> = []
        let ranges = target.changedRanges(since: source) { old, new in
            !old.content.isIdentical(to: new.content) || !new.isContentEqual(to: old)
        }
        var placed: [Int] = []
        for range in ranges where !range.isInPlace(source, target) {
            for position in range.old { remove(source[position], &changed) }
            placed += range.new
        }
        let earlier = source
        source = target
        for position in placed { guard insert(target[position], &changed) else { return nil } }
        for range in ranges where range.isInPlace(earlier, target) {
            for (old, new) in zip(range.old, range.new) {
                guard change(earlier[old], to: target[new], &changed) else { return nil }
            }
        }
        return changed
    }

    // MARK: Sections

    private mutating func remove(_ section: Section, _ changed: inout Set<PartKey>) {
        for key in keys(of: section.content) ?? [] {
            changed.insert(key)
            guard let position = parts[key].flatMap({ self.position(of: section, in: $0) }) else { continue }
            parts[key]?.remove(at: position)
            if parts[key]?.isEmpty == true { parts[key] = nil }
        }
    }

    /// Inserts a section; false where it cannot be divided.
    private mutating func insert(_ section: Section, _ changed: inout Set<PartKey>) -> Bool {
        let content = section.content
        guard !content.hasDuplicateHashes, let keys = keys(of: content) else { return false }
        var elements: [PartKey: [Element]] = [:]
        for element in content {
            if case .part(let key) = rule.placement(of: element, steps) { elements[key, default: []].append(element) }
        }
        for key in keys {
            changed.insert(key)
            put(Section(copying: section, content: PersistentList(elements[key] ?? [])), in: key)
        }
        return true
    }

    /// The parts that some elements are needed in; nil where the rule cannot tell that of one.
    private func keys(of elements: PersistentList<Element>) -> Set<PartKey>? {
        var keys: Set<PartKey> = []
        for element in elements {
            switch rule.placement(of: element, steps) {
            case .part(let key): keys.insert(key)
            case .nowhere: break
            case .unknown: return nil
            }
        }
        return keys
    }

    /// Inserts a section of a part at its place among the others.
    private mutating func put(_ section: Section, in key: PartKey) {
        var sections = parts[key] ?? []
        let place = position(of: section, in: source) ?? source.count
        var (low, high) = (0, sections.count)
        while low < high {
            let middle = low + (high - low) / 2
            if position(of: sections[middle], in: source) ?? 0 < place { low = middle + 1 } else { high = middle }
        }
        sections.insert(section, at: low)
        parts[key] = sections
    }

    private func position(of section: Section, in sections: PersistentList<Section>) -> Int? {
        sections.firstPosition(identicalTo: section)
    }

    // MARK: Elements

    /// Brings a section to another state; false where it cannot be divided any more.
    private mutating func change(_ old: Section, to new: Section, _ changed: inout Set<PartKey>) -> Bool {
        let (before, after) = (old.content, new.content)
        guard !after.hasDuplicateHashes else { return false }
        if !new.isContentEqual(to: old) {
            headerChanges += 1
            for (key, sections) in parts where position(of: new, in: sections) != nil { changed.insert(key) }
        }
        let ranges = after.changedRanges(since: before) { $0 !== $1 }
        if MemberOrder.areMany(ranges.reduce(0) { $0 + $1.new.count }, of: after.count) {
            remove(old, &changed)
            return insert(new, &changed)
        }
        var coming: [Int] = []
        for range in ranges { exchange(range, before, new, &coming, &changed) }
        for position in coming {
            switch rule.placement(of: after[position], steps) {
            case .part(let key):
                changed.insert(key)
                insert(after[position], at: position, of: new, key)
            case .nowhere: break
            case .unknown: return false
            }
        }
        return true
    }

    /// Takes the elements of a range away, and puts those in their places that are of the same identity and part; notes the
    /// positions of the others that come.
    private mutating func exchange(
        _ range: ChangedRange, _ before: PersistentList<Element>, _ section: Section, _ coming: inout [Int],
        _ changed: inout Set<PartKey>
    ) {
        let isPaired = range.old.count == range.new.count
        if !isPaired { coming += range.new }
        for (offset, position) in range.old.enumerated() {
            let (old, place) = (before[position], range.new.lowerBound + offset)
            let new = isPaired ? section.content[place] : old
            let placement = rule.placement(of: old, steps)
            if case .part(let key) = placement {
                changed.insert(key)
                if isPaired, old.differenceIdentifier == new.differenceIdentifier,
                    rule.placement(of: new, steps) == placement
                {
                    replace(old, with: new, of: section, key)
                    continue
                }
                replace(old, with: nil, of: section, key)
            }
            if isPaired { coming.append(place) }
        }
    }

    private mutating func replace(_ old: Element, with new: Element?, of section: Section, _ key: PartKey) {
        guard var sections = parts[key], let place = position(of: section, in: sections) else { return }
        var content = sections[place].content
        guard let position = position(of: old, in: content) else { return }
        if let new { content.replace(at: position, with: new) } else { content.remove(at: position) }
        if content.isEmpty {
            sections.remove(at: place)
        } else {
            sections.replace(at: place, with: Section(copying: section, content: content))
        }
        parts[key] = sections.isEmpty ? nil : sections
    }

    private mutating func insert(_ element: Element, at position: Int, of section: Section, _ key: PartKey) {
        guard var sections = parts[key], let place = self.position(of: section, in: sections) else {
            return put(Section(copying: section, content: [element]), in: key)
        }
        let all = section.content
        var content = sections[place].content
        var (low, high) = (0, content.count)
        while low < high {
            let middle = low + (high - low) / 2
            if self.position(of: content[middle], in: all) ?? 0 < position { low = middle + 1 } else { high = middle }
        }
        content.insert(element, at: low)
        sections.replace(at: place, with: Section(copying: section, content: content))
        parts[key] = sections
    }

    private func position(of element: Element, in elements: PersistentList<Element>) -> Int? {
        elements.firstPosition(hash: element.identityHash) { $0 === element }
    }
}
