import TestSupport
import Testing

@testable import ListDiff

@Suite("The order of an index")
struct HashOrderTests {
    /// How the hashes of a list can lie.
    enum Hashes: String, CaseIterable, Sendable {
        case spread
        case few
        case equal
        case ascending
        case sameHighBits
        case clustered
    }

    private func hash(_ hashes: Hashes, _ number: Int, _ generator: inout SeededGenerator) -> Int {
        switch hashes {
        case .spread: Int(truncatingIfNeeded: generator.next())
        case .few: generator.below(5) &* 0x1E37_79B9_7F4A_7C15
        case .equal: 42
        case .ascending: number
        case .sameHighBits: generator.below(1 << 20) | 1 << 61
        case .clustered: (number % 2 == 0 ? -1 : generator.below(3)) << 40 | generator.below(1 << 16)
        }
    }

    @Test("is that of the hashes and then of the labels", arguments: Hashes.allCases, [0, 1, 2, 33, 1_000, 20_000])
    func order(hashes: Hashes, count: Int) {
        var generator = SeededGenerator(seed: runSeed)
        var entries: ContiguousArray<IndexEntry> = []
        for number in 0..<count {
            entries.append(IndexEntry(hash: hash(hashes, number, &generator), label: Int64(number) - 500))
        }
        let expected = entries.sorted()
        HashOrder.sort(&entries)
        #expect(entries.elementsEqual(expected), "CALLBOARD_SEED=\(runSeed)")
    }

    @Test("lets repeated hashes be found without a walk over the others")
    func repeats() {
        var list = PersistentList((0..<10_000).map { Card(id: 2 * $0) })
        #expect(!list.hasDuplicateHashes)
        #expect(list.positionsOfDuplicateHashes() == [])
        list.insert(Card(id: 1_000), at: 9_000)
        list.insert(Card(id: 1_000), at: 9_500)
        list.append(Card(id: 0))
        #expect(list.hasDuplicateHashes)
        #expect(list.positionsOfDuplicateHashes() == [0, 500, 9_000, 9_500, 10_002])
        list.remove(at: [500, 9_000, 0])
        #expect(!list.hasDuplicateHashes)
    }
}
