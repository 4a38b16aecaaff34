import ListDiff
import TestSupport

/// A list and what is done to a copy of it, whose changed ranges are judged.
struct RangeCase: CustomStringConvertible {
    var steps: ListCase
    /// Whether what came of it is taken over by the list it came of, and has no memory of its own in common with it.
    let isAdopted: Bool

    var description: String { "\(steps)\(isAdopted ? ", adopted" : "")" }

    /// What is wrong with the ranges, or nil.
    ///
    /// - Parameter fault: A change to the ranges, for testing the judge.
    func violation(_ fault: ([ChangedRange]) -> [ChangedRange] = { $0 }) -> String? {
        let old = PersistentList(steps.cards)
        var version = ListVersion(list: old, array: steps.cards)
        for step in steps.steps { version.take(step) }
        let new = isAdopted ? old.adopting(version.array) { $0 == $1 } : version.list
        return violation(in: fault(new.changedRanges(since: old) { $0 != $1 }), steps.cards, version.array)
    }

    private func violation(in ranges: [ChangedRange], _ old: [Card], _ new: [Card]) -> String? {
        var result: [Card] = []
        var (before, after) = (0, 0)
        let ends = ChangedRange(old: old.count..<old.count, new: new.count..<new.count)
        for (number, range) in (ranges + [ends]).enumerated() {
            if number < ranges.count, range.old.isEmpty && range.new.isEmpty { return "\(range) is empty" }
            guard range.old.lowerBound >= before, range.old.upperBound <= old.count,
                range.new.lowerBound >= after, range.new.upperBound <= new.count
            else { return "\(ranges) do not ascend in lists of \(old.count) and \(new.count)" }
            guard old[before..<range.old.lowerBound] == new[after..<range.new.lowerBound] else {
                return "something differs in front of \(range) of \(ranges)"
            }
            result += old[before..<range.old.lowerBound] + new[range.new]
            (before, after) = (range.old.upperBound, range.new.upperBound)
        }
        return result == new ? nil : "\(ranges) lead to \(result)"
    }

    /// The case as small as it gets while it fails.
    func shrunk(_ violation: String) -> (RangeCase, String) {
        let (smaller, reason) = shrink(steps, violation) { RangeCase(steps: $0, isAdopted: isAdopted).violation() }
        return (RangeCase(steps: smaller, isAdopted: isAdopted), reason)
    }
}

extension SeededGenerator {
    /// A case like those of persistent lists, more often a long one.
    mutating func rangeCase() -> RangeCase {
        var steps = listCase()
        if chance(40) {
            let count = below(4_000)
            let cards = (0..<count).map { Card(id: chance(10) ? below(100) : $0) }
            steps = ListCase(cards: cards, steps: steps.steps)
        }
        return RangeCase(steps: steps, isAdopted: chance(4))
    }
}
