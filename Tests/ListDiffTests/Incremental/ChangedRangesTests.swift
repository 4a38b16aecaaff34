import ListDiff
import TestSupport
import Testing

@Suite("The parts in which two lists differ")
struct ChangedRangesTests {
    @Test("lead from one list to the other, and all between them is kept", arguments: 0..<4)
    func random(shard: Int) {
        let seed = runSeed &+ UInt64(shard)
        var generator = SeededGenerator(seed: seed)
        for number in 0..<3_000 {
            let rangeCase = generator.rangeCase()
            if let violation = rangeCase.violation() {
                let (shrunk, reason) = rangeCase.shrunk(violation)
                Issue.record("CALLBOARD_SEED=\(runSeed) shard \(shard) case \(number): \(reason) in \(shrunk)")
                return
            }
        }
    }

    @Test("are one small part after one change in a long list", arguments: [0, 1, 50_000, 99_999])
    func oneChange(position: Int) {
        let list = PersistentList((0..<100_000).map { Card(id: $0) })
        func ranges(_ change: (inout PersistentList<Card>) -> Void) -> [ChangedRange] {
            var copy = list
            change(&copy)
            return copy.changedRanges(since: list) { $0 != $1 }
        }
        #expect(ranges { _ in }.isEmpty)
        #expect(
            ranges { $0.replace(at: position, with: Card(id: position, content: 1)) }
                == [ChangedRange(old: position..<position + 1, new: position..<position + 1)])
        #expect(
            ranges { $0.insert(Card(id: -1), at: position) }
                == [ChangedRange(old: position..<position, new: position..<position + 1)])
        #expect(
            ranges { $0.remove(at: position) }
                == [ChangedRange(old: position..<position + 1, new: position..<position)])
        let moved = ranges { $0.move(from: position, to: 70_000) }
        #expect(moved.reduce(0) { $0 + $1.old.count + $1.new.count } == 2)
    }

    @Test("ask of an element that both lists share nothing")
    func shared() {
        let list = PersistentList((0..<10_000).map { Card(id: $0) })
        var copy = list
        copy.replace(at: 5_000, with: Card(id: 5_000, content: 1))
        var asked = 0
        _ = copy.changedRanges(since: list) { _, _ in
            asked += 1
            return false
        }
        #expect(asked < 100)
    }

    /// Ranges that are wrong, made of right ones.
    static let faults: [(String, @Sendable ([ChangedRange]) -> [ChangedRange])] = [
        ("one is lost", { Array($0.dropLast()) }),
        ("the order is another", { $0.reversed() }),
        ("one is twice", { $0 + $0.suffix(1) }),
        ("one is late", { $0.dropLast() + $0.suffix(1).map { $0.shifted(old: 1, new: 1) } }),
        ("one is late in the new list", { $0.dropLast() + $0.suffix(1).map { $0.shifted(old: 0, new: 1) } }),
        ("one is too long in the old list", { $0.dropLast() + $0.suffix(1).map { $0.longer() } }),
    ]

    @Test("are judged: every fault that is planted is caught", arguments: faults.indices)
    func planted(fault: Int) {
        var generator = SeededGenerator(seed: 7)
        let (name, plant) = Self.faults[fault]
        let isCaught = (0..<2_000).contains { _ in
            let rangeCase = generator.rangeCase()
            return rangeCase.violation() == nil && rangeCase.violation(plant) != nil
        }
        #expect(isCaught, "\(name)")
    }
}

extension ChangedRange {
    fileprivate func shifted(old: Int, new: Int) -> ChangedRange {
        ChangedRange(
            old: self.old.lowerBound + old..<self.old.upperBound + old,
            new: self.new.lowerBound + new..<self.new.upperBound + new)
    }

    fileprivate func longer() -> ChangedRange {
        ChangedRange(old: old.lowerBound..<old.upperBound + 1, new: new)
    }
}
