import Foundation
import HTTP2Engine
import TestSupport
import Testing

@Suite("HTTP/2 garbage")
struct HTTP2GarbageTests {
    /// Valid traffic to begin with.
    private static let traffic: [UInt8] =
        clientStart
        + [
            Frame(.settings, 1), .headers(1, Frame.get),
            .headers(3, Frame.post + [("content-length", "3")], ends: false),
            Frame(.data, 0, 3, [1, 2]), Frame(.ping, 0, 0, Array(0..<8)), Frame(.data, 1, 3, [3]),
            Frame(.windowUpdate, 0, 1, Frame.word(9)), Frame(.priority, 0, 5, [0, 0, 0, 0, 1]),
            Frame(.headers, 0, 5, Array(Frame.block(Frame.get).prefix(9))),
            Frame(.continuation, 5, 5, Array(Frame.block(Frame.get).dropFirst(9))), Frame(.reset, 0, 5, Frame.word(8)),
            .headers(7, Frame.post, ends: false), Frame(.data, 8, 7, [1, 2, 0]), .headers(7, [("t", "1")]),
            Frame(.settings, 0, 0, Frame.setting(4, 3)), Frame(.goAway, 0, 0, Frame.word(0) + Frame.word(0)),
        ].flatMap(\.bytes)

    private func run(_ bytes: [UInt8], _ generator: inout SeededGenerator, _ policy: Link.Policy) throws {
        let link = try Link(policy)
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = min(rest.count, 1 + generator.below(200))
            link.feed(Array(rest.prefix(count)))
            rest = rest.dropFirst(count)
            for source in link.sources.values { source.put("event") }
            link.settle(limit: 1 + generator.below(100))
        }
        #expect(Frame.parse(link.output) != nil, "only whole frames are sent")
        link.machine.close()
        link.handleEvents()
        #expect(link.machine.openStreams == 0 && link.sources.isEmpty)
    }

    @Test("Valid traffic that was changed at random never traps", arguments: 0..<10)
    func mutated(round: UInt64) throws {
        var generator = SeededGenerator(seed: SeededGenerator.seedOfRun("HTTP/2 mutations") &+ round)
        for _ in 0..<iterations {
            var bytes = Self.traffic
            for _ in 0...generator.below(4) {
                let start = HTTP2Preface.bytes.count
                let index = start + generator.below(bytes.count - start)
                switch generator.below(4) {
                case 0: bytes[index] = UInt8(truncatingIfNeeded: generator.next())
                case 1: bytes[index] ^= 1 << UInt8(generator.below(8))
                case 2: bytes.remove(at: index)
                default: bytes.insert(UInt8(truncatingIfNeeded: generator.next()), at: index)
                }
            }
            try run(bytes, &generator, [.later, .echo, .stream][generator.below(3)])
        }
    }

    @Test("Random frames never trap", arguments: 0..<10)
    func random(round: UInt64) throws {
        var generator = SeededGenerator(seed: SeededGenerator.seedOfRun("HTTP/2 garbage") &+ 100 &+ round)
        for _ in 0..<iterations {
            var bytes = clientStart
            for _ in 0..<generator.below(12) {
                let payload = (0..<generator.below(30)).map { _ in UInt8(truncatingIfNeeded: generator.next()) }
                let kind = UInt8(generator.below(12))
                let isRequest = generator.chance(3)
                let stream = UInt32(generator.below(8))
                bytes +=
                    isRequest
                    ? Frame.headers(stream | 1, Frame.get, ends: generator.chance(2)).bytes
                    : Frame(kind, UInt8(truncatingIfNeeded: generator.next()), stream, payload).bytes
            }
            try run(bytes, &generator, [.later, .echo, .stream][generator.below(3)])
        }
    }

    /// How many inputs each of twenty tests has; `CALLBOARD_INPUTS` says another number.
    private var iterations: Int {
        ProcessInfo.processInfo.environment["CALLBOARD_INPUTS"].flatMap { Int($0) } ?? 250
    }
}
