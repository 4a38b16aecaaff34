import ListDiff
import Testing

@testable import ListDiffTesting

@Suite("The memory that an older list does not share with a newer one")
struct UnsharedBytesTests {
    static let list = PersistentList([Shelf(1, PersistentList((0..<20_000).map { Item(id: $0) })), Shelf(2, [])])

    /// All that the list takes.
    static var all: Int { list.bytesNotShared(with: []) }

    @Test("is none where nothing has changed, and all where the newer one has nothing of it")
    func extremes() {
        #expect(Self.list.bytesNotShared(with: Self.list) == 0)
        #expect(Self.all >= 20_000 * (100 + MemoryLayout<Item>.stride))
        #expect(Self.all < 20_000 * 250)
    }

    @Test("is some nodes and the element where one has changed", arguments: [0, 9_999, 19_999])
    func oneUpdate(position: Int) {
        var newer = Self.list
        newer.update(at: 0) { $0.list.update(at: position) { $0.content = 1 } }
        let bytes = Self.list.bytesNotShared(with: newer)
        #expect(bytes >= 100)
        #expect(bytes < 10_000, "\(bytes) of \(Self.all)")
        // What the newer list has beside that is not the older one's.
        #expect(newer.bytesNotShared(with: Self.list) == bytes)
    }

    @Test("does not grow with the elements that stay when one moves or goes")
    func oneMove() {
        var newer = Self.list
        newer.update(at: 0) { $0.list.move(from: 0, to: 19_999) }
        #expect(Self.list.bytesNotShared(with: newer) < 20_000)
        newer.update(at: 0) { _ = $0.list.remove(at: 10_000) }
        #expect(Self.list.bytesNotShared(with: newer) < 30_000)
    }

    @Test("counts the elements of a section that is gone, not those of one that has another identifier")
    func sections() {
        var newer = Self.list
        newer.update(at: 0) { $0.id = 9 }
        #expect(Self.list.bytesNotShared(with: newer) < 10_000)
        newer.remove(at: 0)
        #expect(Self.list.bytesNotShared(with: newer) > 20_000 * 100)
    }

    @Test("grows with what changes")
    func scattered() {
        var newer = Self.list
        var last = 0
        for step in 1...5 {
            for position in stride(from: step, to: 20_000, by: 2_000) {
                newer.update(at: 0) { $0.list.update(at: position) { $0.content = step } }
            }
            let bytes = Self.list.bytesNotShared(with: newer)
            #expect(bytes > last)
            last = bytes
        }
        #expect(last < Self.all / 5)
    }
}
