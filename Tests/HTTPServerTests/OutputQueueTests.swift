import Testing

@testable import HTTPServer

@Suite("Output")
struct OutputQueueTests {
    /// The bytes that `queue` hands to the kernel, which takes `step` at a time.
    private static func sent(_ queue: inout OutputQueue, step: Int) -> [UInt8] {
        var sent: [UInt8] = []
        while !queue.isEmpty {
            var bytes = Array(queue.bytes.suffix(queue.unsentCount))
            if let part = queue.part { bytes += part.bytes[part.range] }
            sent += bytes.prefix(step)
            queue.advance(by: min(step, bytes.count))
        }
        return sent
    }

    @Test("bytes, a part and its end go out in order, whatever the kernel takes at a time", arguments: 1...12)
    func order(step: Int) {
        var queue = OutputQueue()
        queue.bytes = [1, 2, 3]
        queue.part = .init(bytes: [0, 4, 5, 6, 0], range: 1..<4, end: [7, 8])
        #expect(Self.sent(&queue, step: step) == Array(1...8))
        #expect(queue.unsentCount == 0 && queue.ownSize == 0)
    }

    @Test("memory that is lent comes back, and what is not sent stays")
    func lending() {
        var memory: [UInt8] = []
        memory.reserveCapacity(1000)
        var queue = OutputQueue()
        queue.lend(&memory)
        #expect(queue.bytes.capacity >= 1000)
        queue.bytes += [1, 2, 3]
        queue.advance(by: 2)
        queue.takeBack(&memory)
        #expect(queue.bytes == [3] && queue.unsentCount == 1 && memory.isEmpty && memory.capacity >= 1000)
        queue.lend(&memory)
        #expect(queue.bytes == [3] && memory.capacity >= 1000)
    }
}
