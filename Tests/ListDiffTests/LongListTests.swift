import ListDiff
import TestSupport
import Testing

@testable import ListDiffTesting

@Suite("Long lists")
struct LongListTests {
    @Test("are found the fewest moves for", arguments: [400, 20_000])
    func fewestMoves(alphabet: Int) throws {
        var generator = SeededGenerator(seed: runSeed)
        for length in [700, 900] {
            let before = (0..<length).map { _ in generator.below(alphabet) }
            let after = before.shuffledInPart(using: &generator) + (0..<50).map { _ in generator.below(alphabet) }
            let difference = try checkedDifference(before, after)
            #expect(
                difference.moves == keptCount(before, after) - commonLength(before, after),
                "CALLBOARD_SEED=\(runSeed)")
        }
    }

    /// 1,200 elements of one to four identifiers have more pairs than are all looked at.
    @Test("that are little but duplicates move no more than pairing in turn would", arguments: 1...4)
    func mostlyDuplicates(alphabet: Int) throws {
        var generator = SeededGenerator(seed: runSeed)
        let before = (0..<1_200).map { _ in generator.below(alphabet) }
        let after = before.shuffledInPart(using: &generator) + (0..<50).map { _ in generator.below(alphabet) }
        let difference = try checkedDifference(before, after)
        #expect(difference.moves <= movesInTurn(before, after), "CALLBOARD_SEED=\(runSeed)")
        #expect(difference.moves >= keptCount(before, after) - commonLength(before, after))
    }

    @Test("that only lose or only gain elements move nothing", arguments: 1...4)
    func onlyDeletesOrInserts(alphabet: Int) throws {
        var generator = SeededGenerator(seed: runSeed)
        let longer = (0..<1_200).map { _ in generator.below(alphabet) }
        let shorter = longer.filter { _ in generator.below(5) != 0 }
        let losing = try checkedDifference(longer, shorter)
        #expect(losing.stages.map(\.kinds) == [[.elementDeleted]], "CALLBOARD_SEED=\(runSeed)")
        let gaining = try checkedDifference(shorter, longer)
        #expect(gaining.stages.map(\.kinds) == [[.elementInserted]], "CALLBOARD_SEED=\(runSeed)")
    }

    @Test("of many sections are found the difference of as well")
    func manySections() throws {
        var generator = SeededGenerator(seed: runSeed)
        let source = (0..<300).map { section in Group(section, ids: (0..<20).map { section * 20 + $0 }) }
        var target = source.shuffledInPart(using: &generator)
        for _ in 0..<400 {
            let (from, to) = (generator.below(target.count), generator.below(target.count))
            if let item = target[from].elements.popLast() {
                target[to].elements.insert(item, at: 0)
            }
        }
        target.remove(at: 17)
        target[31].content = 1
        #expect(Judge(Pair(source: source, target: target)).violation() == nil, "CALLBOARD_SEED=\(runSeed)")
    }

    private func checkedDifference(
        _ before: [Int],
        _ after: [Int]
    ) throws -> StagedChangeset<LinearSection<Item>> {
        let source = before.map { Item(id: $0) }
        let target = after.map { Item(id: $0) }
        let difference = StagedChangeset(from: source, to: target)
        #expect(try source.applying(difference) == target, "CALLBOARD_SEED=\(runSeed)")
        return difference
    }

    /// What is left to move when the first occurrence is paired with the first, the second with the second and so on,
    /// once what both lists begin and end with is left out.
    private func movesInTurn(_ before: [Int], _ after: [Int]) -> Int {
        let prefix = zip(before, after).prefix { $0 == $1 }.count
        let rest = (before.dropFirst(prefix), after.dropFirst(prefix))
        let suffix = zip(rest.0.reversed(), rest.1.reversed()).prefix { $0 == $1 }.count
        var places: [Int: [Int]] = [:]
        for (place, id) in rest.0.dropLast(suffix).enumerated().reversed() {
            places[id, default: []].append(place)
        }
        let partners = rest.1.dropLast(suffix).compactMap { places[$0]?.popLast() }
        return partners.count - commonLength(partners.sorted(), partners)
    }
}

extension StagedChangeset {
    fileprivate var moves: Int {
        stages.reduce(0) { $0 + $1.elementMoved.count }
    }
}

extension Array {
    /// The list without a tenth of its elements and with another tenth in other places.
    fileprivate func shuffledInPart(using generator: inout SeededGenerator) -> Self {
        var result = filter { _ in generator.below(10) != 0 }
        for _ in 0..<(count / 10) {
            result.swapAt(generator.below(result.count), generator.below(result.count))
        }
        return result
    }
}
