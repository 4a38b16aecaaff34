import ListDiff
import TestSupport

@testable import ListDiffTesting

/// A list, what is done to it, and when it is reloaded: at each step that says so, and at the end.
struct ShelfCase: Sendable, CustomStringConvertible {
    var groups: [Group]
    var steps: [ShelfStep]

    var description: String {
        "\(groups) with \(steps)"
    }

    /// How many pairs of lists are compared.
    var pairs: Int {
        1 + steps.count { if case .reload = $0 { true } else { false } }
    }

    /// What is wrong with one of the changesets between reloads, or nil.
    func violation() -> Violation? {
        var run = ShelfRun(PersistentList(groups.map { Shelf($0) }))
        for step in steps + [.reload] {
            run.run(step)
            if case .reload = step {
                if let violation = ReloadJudge(source: run.reference, target: run.list).violation() {
                    return violation
                }
                run.reference = run.list
                run.retained.append(run.list)
            }
        }
        return nil
    }

    /// The case as small as it gets by leaving out steps, sections and elements as long as it fails.
    func shrunk(_ violation: Violation) -> (ShelfCase, Violation) {
        var best = (self, violation)
        var isShrinking = true
        while isShrinking {
            isShrinking = false
            for candidate in best.0.smaller() {
                if let violation = candidate.violation() {
                    best = (candidate, violation)
                    isShrinking = true
                    break
                }
            }
        }
        return best
    }

    private func smaller() -> [ShelfCase] {
        var result: [ShelfCase] = []
        for index in steps.indices {
            var steps = steps
            steps.remove(at: index)
            result.append(ShelfCase(groups: groups, steps: steps))
        }
        for index in groups.indices {
            var groups = groups
            groups.remove(at: index)
            result.append(ShelfCase(groups: groups, steps: steps))
            let elements = self.groups[index].elements
            var length = elements.count
            while length > 0 {
                for start in stride(from: 0, to: elements.count, by: length) {
                    var groups = self.groups
                    groups[index].elements.removeSubrange(start..<min(start + length, elements.count))
                    result.append(ShelfCase(groups: groups, steps: steps))
                }
                length /= 2
            }
        }
        return result
    }
}

extension SeededGenerator {
    /// Mostly short lists with many duplicates; some of several leaves a section, with many, few or no duplicates.
    mutating func shelfCase() -> ShelfCase {
        switch below(100) {
        case 0: shelfCase(sections: 3, elements: 400, identifiers: 100_000, steps: 12)
        case 1: shelfCase(sections: 3, elements: 160, identifiers: 120, steps: 10)
        case 2: shelfCase(sections: 70, elements: 4, identifiers: 100_000, steps: 10)
        case 3: shelfCase(sections: 2, elements: 240, identifiers: 3_000, steps: 10)
        case 4: shelfCase(sections: 3, elements: 100, identifiers: 100_000, steps: 12)
        case 5: shelfCase(sections: 3, elements: 80, identifiers: 70, steps: 10)
        default: shelfCase(sections: 5, elements: 8, identifiers: 2 + below(20), steps: 8)
        }
    }

    private mutating func shelfCase(sections: Int, elements: Int, identifiers: Int, steps: Int) -> ShelfCase {
        var size = ShelfSize(elements: elements, identifiers: identifiers, sectionIDs: sections * (1 + below(3)))
        let groups = (0..<below(sections + 1)).map { id in
            Group(size.sectionIDs > sections ? id : below(size.sectionIDs), items(elements, &size), content: below(2))
        }
        return ShelfCase(groups: groups, steps: (0..<(1 + below(steps))).map { _ in step(&size) })
    }

    private mutating func items(_ limit: Int, _ size: inout ShelfSize) -> [Item] {
        (0..<below(limit + 1)).map { _ in item(&size) }
    }

    /// An element; where there are very many identifiers they are taken in turn, so that none occurs twice.
    private mutating func item(_ size: inout ShelfSize) -> Item {
        size.next += 1
        let id = size.identifiers >= 100_000 ? size.next : below(size.identifiers)
        return Item(id: id, content: below(2), detail: below(2))
    }

    private mutating func step(_ size: inout ShelfSize) -> ShelfStep {
        let (one, other, third) = (below(1 << 20), below(1 << 20), below(1 << 20))
        switch below(40) {
        case 0, 1, 2: return .insert(item(&size), one, other)
        case 3: return .insertMany(items(size.elements / 2 + 2, &size), one, other)
        case 4, 5, 6: return .remove(one, other)
        case 7: return .removeRange(one, other, third)
        case 8: return .removeEvery(one, 2 + below(30))
        case 9, 10: return .set(content: below(3), one, other)
        case 11: return .annotate(detail: below(3), one, other)
        case 12, 13: return .move(one, other, third)
        case 14, 15: return .moveRange(one, other, third, length: 1 + below(size.elements))
        case 16, 17, 18: return .cross(one, other, third, below(1 << 20))
        case 19, 20: return .swap(one, other, third)
        case 21: return .reverse(one, other, length: below(size.elements + 1))
        case 22, 23: return .adopt((0..<below(4)).map { _ in step(&size) })
        case 24: return .bringBack(one)
        case 25, 26, 27: return .reload
        case 28: return .copy(one, other, third)
        default: return sectionStep(&size, one, other)
        }
    }

    private mutating func sectionStep(_ size: inout ShelfSize, _ one: Int, _ other: Int) -> ShelfStep {
        let id = below(size.sectionIDs)
        switch below(12) {
        case 0, 1: return .insertShelf(Group(id, items(size.elements, &size), content: below(2)), one)
        case 2: return .removeShelf(one)
        case 3, 4: return .moveShelf(one, other)
        case 5: return .swapShelves(one, other)
        case 6: return .rename(one, id: id)
        case 7: return .retitle(one, below(3))
        case 8: return .collapse(one)
        case 9: return .exchangeContents(one, other)
        case 10: return .divide(one, other, id: id)
        default: return .join(one, other)
        }
    }
}

/// How large lists become, and of how many identifiers.
private struct ShelfSize {
    let elements: Int
    let identifiers: Int
    let sectionIDs: Int
    var next = 0
}
