import TestSupport
import Testing

@testable import HTTPClient

@Suite("A queue, beside an array")
struct FIFOTests {
    @Test("whatever is put in and taken out, the order is that of an array", arguments: 0..<20)
    func order(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var (queue, array): (FIFO<Int>, [Int]) = (FIFO(), [])
        for step in 0..<2000 {
            // Grows for a while, then shrinks.
            switch generator.below(step % 400 < 200 ? 4 : 8) {
            case 0, 1, 2:
                queue.append(step)
                array.append(step)
            case 3:
                let index = generator.below(array.count + 1)
                #expect(queue.remove(at: index) == (index < array.count ? array.remove(at: index) : nil))
            default:
                #expect(queue.popFirst() == (array.isEmpty ? nil : array.removeFirst()))
            }
            let meant = { (element: Int) in element % 7 == 3 }
            #expect(queue.firstIndex(where: meant) == array.firstIndex(where: meant))
            #expect(queue.count == array.count && queue.isEmpty == array.isEmpty)
        }
    }
}
