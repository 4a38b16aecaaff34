import ListDiff

/// Judges a whole staged changeset: legal stages, the right result, and nothing in it that need not be.
struct Judge {
    let source: [Group]
    let target: [Group]

    init(_ pair: Pair) {
        source = pair.source
        target = pair.target
    }

    /// What is wrong with the difference that the library finds, or nil.
    func violation() -> Violation? {
        let staged = StagedChangeset(from: source, to: target)
        // The order is no part of what makes a changeset right, so that planted faults are not caught by it.
        guard staged.stages.allSatisfy(\.isAscending), staged.isReplacedAscending else {
            return Violation("a stage is not in ascending order: \(staged)")
        }
        return violation(of: staged)
    }

    /// What is wrong with a changeset from the source to the target, or nil.
    func violation(of staged: StagedChangeset<Group>) -> Violation? {
        do throws(Violation) {
            try checkShape(staged.stages)
            let origins = try replay(staged)
            try checkSectionCounts(staged.stages, origins)
            try checkElementCounts(staged.stages, origins)
            return nil
        } catch {
            return error
        }
    }

    // MARK: - Stages

    /// The kinds of operation that each of the five stages may have.
    private static let kinds: [Set<ChangesetOperation>] = [
        [.elementUpdated],
        [.sectionDeleted, .elementDeleted],
        [.sectionInserted, .sectionMoved],
        [.elementInserted, .elementMoved],
        [.sectionUpdated],
    ]

    private func checkShape(_ stages: [Changeset<Group>]) throws(Violation) {
        var next = 0
        for stage in stages {
            let kinds = stage.kinds
            guard !kinds.isEmpty else {
                throw Violation("a stage is empty")
            }
            guard let place = Self.kinds[next...].firstIndex(where: { kinds.isSubset(of: $0) }) else {
                throw Violation("\(kinds) cannot be stage \(next + 1) or later")
            }
            next = place + 1
        }
    }

    /// Replays stage by stage, beside the library's own replay, and gives where each section of the target comes from.
    private func replay(_ staged: StagedChangeset<Group>) throws(Violation) -> [Int?] {
        var oracle = BatchUpdateOracle(source)
        for (number, stage) in staged.stages.enumerated() {
            try checkUpdates(stage, oracle.list)
            let replayed: [Group]
            do {
                replayed = try oracle.list.applying(stage)
            } catch {
                throw Violation("the library refuses its own stage \(number): \(error)")
            }
            try oracle.perform(stage)
            if replayed != oracle.list {
                throw Violation("stage \(number) is replayed to \(replayed), not \(oracle.list)")
            }
        }
        if try replace(staged.replaced, in: oracle.list) != target {
            throw Violation("the last stage leaves \(oracle.list), of which \(staged.replaced) are replaced")
        }
        let replayed: [Group]
        do {
            replayed = try source.applying(staged)
        } catch {
            throw Violation("the library refuses its own changeset: \(error)")
        }
        if replayed != target {
            throw Violation("all at once is replayed to \(replayed)")
        }
        return oracle.origins
    }

    /// Puts in what is replaced: each once, where its like stands, which shows the same and is another.
    private func replace(
        _ replaced: [ElementChange<Item>], in list: [Group]
    ) throws(Violation) -> [Group] {
        var result = list
        for change in replaced {
            let (section, element) = (change.at.section, change.at.element)
            guard list.indices.contains(section), list[section].elements.indices.contains(element) else {
                throw Violation("\(change.at) is replaced where nothing is")
            }
            let before = result[section].elements[element]
            guard before.id == change.element.id else {
                throw Violation("\(change.at) is replaced by another one")
            }
            guard before.content == change.element.content, before.detail != change.element.detail else {
                throw Violation("\(change.at) is replaced by what is the same, or shows something else")
            }
            result[section].elements[element] = change.element
        }
        return result
    }

    /// Nothing is updated whose content is equal.
    private func checkUpdates(_ stage: Changeset<Group>, _ list: [Group]) throws(Violation) {
        for update in stage.elementUpdated
        where list.indices.contains(update.at.section)
            && list[update.at.section].elements.indices.contains(update.at.element)
        {
            if list[update.at.section].elements[update.at.element].content == update.element.content {
                throw Violation("the update of \(update.at) changes nothing")
            }
        }
        for update in stage.sectionUpdated where list.indices.contains(update.at) {
            if list[update.at].content == update.section.content {
                throw Violation("the update of section \(update.at) changes nothing")
            }
        }
    }

    // MARK: - Nothing redundant

    private func checkSectionCounts(_ stages: [Changeset<Group>], _ origins: [Int?]) throws(Violation) {
        let before = source.map(\.id)
        let after = target.map(\.id)
        let kept = keptCount(before, after)
        let moves = stages.reduce(0) { $0 + $1.sectionMoved.count }
        try expect("sections inserted", stages.reduce(0) { $0 + $1.sectionInserted.count }, after.count - kept)
        try expect("sections deleted", stages.reduce(0) { $0 + $1.sectionDeleted.count }, before.count - kept)
        try expect("sections moved", moves, kept - commonLength(before, after))
        for (place, origin) in origins.enumerated() {
            if let origin, before[origin] != after[place] {
                throw Violation("section \(place) continues one with another identifier")
            }
        }
    }

    /// The least that the elements of the kept sections need: what is equal is kept, within its section first, and of
    /// what is kept within a section only what lies outside of a longest common subsequence moves.
    private func checkElementCounts(_ stages: [Changeset<Group>], _ origins: [Int?]) throws(Violation) {
        var before: [Int] = []
        var after: [Int] = []
        var staying = 0
        for (place, origin) in origins.enumerated() {
            if let origin {
                let old = source[origin].elements.map(\.id)
                let new = target[place].elements.map(\.id)
                staying += commonLength(old, new)
                before += old
                after += new
            }
        }
        let kept = keptCount(before, after)
        try expect("elements inserted", stages.reduce(0) { $0 + $1.elementInserted.count }, after.count - kept)
        try expect("elements deleted", stages.reduce(0) { $0 + $1.elementDeleted.count }, before.count - kept)
        try expect("elements moved", stages.reduce(0) { $0 + $1.elementMoved.count }, kept - staying)
    }

    private func expect(_ what: String, _ count: Int, _ least: Int) throws(Violation) {
        if count != least {
            throw Violation("\(what): \(count) instead of \(least)")
        }
    }
}

extension Changeset {
    /// The kinds of operation that a stage has.
    var kinds: Set<ChangesetOperation> {
        var result: Set<ChangesetOperation> = []
        if !elementUpdated.isEmpty { result.insert(.elementUpdated) }
        if !sectionDeleted.isEmpty { result.insert(.sectionDeleted) }
        if !elementDeleted.isEmpty { result.insert(.elementDeleted) }
        if !sectionInserted.isEmpty { result.insert(.sectionInserted) }
        if !sectionMoved.isEmpty { result.insert(.sectionMoved) }
        if !elementInserted.isEmpty { result.insert(.elementInserted) }
        if !elementMoved.isEmpty { result.insert(.elementMoved) }
        if !sectionUpdated.isEmpty { result.insert(.sectionUpdated) }
        return result
    }
}

extension StagedChangeset {
    /// Whether what is replaced is listed in the order of its places.
    var isReplacedAscending: Bool {
        replaced.indices.dropFirst().allSatisfy { replaced[$0 - 1].at < replaced[$0].at }
    }
}

extension Changeset {
    /// Whether the operations of each kind are listed in the order of their places.
    var isAscending: Bool {
        ascends(sectionDeleted) { $0 < $1 }
            && ascends(elementDeleted) { $0 < $1 }
            && ascends(elementUpdated) { $0.at < $1.at }
            && ascends(sectionInserted) { $0.at < $1.at }
            && ascends(sectionMoved) { $0.from < $1.from }
            && ascends(elementInserted) { $0.at < $1.at }
            && ascends(elementMoved) { $0.from < $1.from }
            && ascends(sectionUpdated) { $0.at < $1.at }
    }

    private func ascends<Operation>(_ operations: [Operation], by isBefore: (Operation, Operation) -> Bool) -> Bool {
        operations.indices.dropFirst().allSatisfy { isBefore(operations[$0 - 1], operations[$0]) }
    }
}

/// How many occurrences two lists have in common, whatever their order.
func keptCount(_ before: [Int], _ after: [Int]) -> Int {
    let old = before.sorted()
    let new = after.sorted()
    var (count, left, right) = (0, 0, 0)
    while left < old.count, right < new.count {
        if old[left] == new[right] {
            count += 1
            left += 1
            right += 1
        } else if old[left] < new[right] {
            left += 1
        } else {
            right += 1
        }
    }
    return count
}

/// The length of a longest common subsequence, by the textbook's table, once what both begin and end with is left out.
func commonLength(_ before: [Int], _ after: [Int]) -> Int {
    let prefix = zip(before, after).prefix { $0 == $1 }.count
    let rest = (before.dropFirst(prefix), after.dropFirst(prefix))
    let suffix = zip(rest.0.reversed(), rest.1.reversed()).prefix { $0 == $1 }.count
    return prefix + suffix + tableLength(Array(rest.0.dropLast(suffix)), Array(rest.1.dropLast(suffix)))
}

private func tableLength(_ before: [Int], _ after: [Int]) -> Int {
    var row = Array(repeating: 0, count: after.count + 1)
    for old in before {
        var diagonal = 0
        for (column, new) in after.enumerated() {
            let above = row[column + 1]
            row[column + 1] = old == new ? diagonal + 1 : max(above, row[column])
            diagonal = above
        }
    }
    return row[after.count]
}
