import Testing

@testable import ListDiff

@Suite("Positions in a list that is in order")
struct SortedListTests {
    private struct Number: ListItem {
        let value: Int
        var differenceIdentifier: Int { value }
        func isContentEqual(to source: Number) -> Bool { true }
    }

    @Test("the first element that meets a condition is found", arguments: [0, 1, 2, 31, 33, 1_000, 40_000])
    func firstPosition(_ count: Int) {
        let list = PersistentList((0..<count).map { Number(value: 2 * $0) })
        let stride = 1 + count / 500
        for position in Swift.stride(from: 0, to: count, by: stride) {
            #expect(list.firstPosition(inOrder: { $0.value >= 2 * position }) == position)
            #expect(list.firstPosition(inOrder: { $0.value > 2 * position }) == position + 1)
        }
        #expect(list.firstPosition(inOrder: { _ in true }) == 0 && list.firstPosition(inOrder: { _ in false }) == count)
    }

    @Test("few elements are asked")
    func cost() {
        let list = PersistentList((0..<40_000).map { Number(value: $0) })
        var asked = 0
        let position = list.firstPosition(inOrder: { number in
            asked += 1
            return number.value >= 12_345
        })
        #expect(position == 12_345 && asked <= 24)
    }
}
