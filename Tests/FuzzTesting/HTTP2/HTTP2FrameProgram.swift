import HTTP2Engine

/// Makes frames that are right for the most part of an input's choices.
struct HTTP2FrameProgram {
    private var newest: UInt32 = 0

    /// The next frame, whole; where the input is at its end, a GET on a new stream.
    mutating func frame(_ kind: Int, _ input: inout InputReader) -> [UInt8] {
        switch kind {
        case 0: return headers(&input, HTTP2FieldBlock.request(&input), on: begin(&input))
        case 1: return data(&input)
        case 2: return headers(&input, HTTP2FieldBlock.more(&input), on: stream(&input))
        case 3: return Self.frame(3, 0, stream(&input), Self.word(UInt32(input.below(16))))
        case 4: return settings(&input)
        case 5: return Self.frame(6, input.byte() & 1, 0, Array(0..<8))
        case 6: return Self.frame(8, 0, input.flag() ? 0 : stream(&input), Self.word(increment(&input)))
        case 7: return Self.frame(2, 0, stream(&input), [0, 0, 0, input.byte(), 1])
        case 8: return Self.frame(7, 0, 0, Self.word(newest) + Self.word(UInt32(input.below(16))))
        default:
            let (kind, flags, stream) = (input.byte(), input.byte(), stream(&input))
            return Self.frame(kind, flags, stream, input.take(input.below(32)))
        }
    }

    /// A new stream's number, for the most part; now and then one that is not allowed.
    private mutating func begin(_ input: inout InputReader) -> UInt32 {
        let choice = input.below(32)
        if choice == 31 { return stream(&input) }
        newest += choice == 30 ? 1 : newest & 1 == 0 ? 1 : choice == 29 ? 6 : 2
        return newest
    }

    /// One of the newest streams, or one that never was.
    private func stream(_ input: inout InputReader) -> UInt32 {
        let choice = UInt32(input.below(32))
        return choice < 24 ? newest &- min(newest, choice % 6 * 2) : choice &- 24
    }

    private func headers(_ input: inout InputReader, _ block: [UInt8], on stream: UInt32) -> [UInt8] {
        let shape = input.byte()
        let end: UInt8 = shape & 1 == 0 ? 1 : 0
        var start: [UInt8] = []
        var rest: [UInt8] = []
        var flags = end
        if shape & 0x82 == 0x82 {
            flags |= 8
            start = [3]
            rest = [0, 0, 0]
        }
        if shape & 0x84 == 0x84 {
            flags |= 0x20
            start += [0, 0, 0, UInt8(shape & 8), 7]
        }
        guard shape & 0x48 == 0x48 else { return Self.frame(1, flags | 4, stream, start + block + rest) }
        // In several frames, of which one may be missing or of another stream.
        let cut = min(block.count, input.below(40))
        var bytes = Self.frame(1, flags, stream, start + block[..<cut] + rest)
        let more = input.below(6)
        for _ in 0..<more { bytes += Self.frame(9, 0, stream, []) }
        if shape & 0x10 == 0 { bytes += Self.frame(9, 4, stream, Array(block[cut...])) }
        return bytes
    }

    private func data(_ input: inout InputReader) -> [UInt8] {
        let shape = input.byte()
        let count = shape & 2 == 0 ? Int(shape >> 4) : input.number() >> 1
        let content = [UInt8](repeating: 120, count: min(count, 16_384))
        let stream = stream(&input)
        guard shape & 4 != 0 else { return Self.frame(0, shape & 1, stream, content) }
        let padding = [UInt8](repeating: 0, count: input.below(256))
        return Self.frame(0, 8 | shape & 1, stream, [UInt8(padding.count)] + content.prefix(16_000) + padding)
    }

    private func settings(_ input: inout InputReader) -> [UInt8] {
        var payload: [UInt8] = []
        let shape = input.below(8)
        if shape == 7 { return Self.frame(4, 1, 0, []) }
        for _ in 0..<shape % 4 {
            let values: [UInt32] = [0, 1, 100, 4096, 16_384, 65_535, 0x7FFF_FFFF, 0x8000_0000]
            payload += [0, UInt8(input.below(10))] + Self.word(values[input.below(values.count)])
        }
        return Self.frame(4, 0, 0, payload)
    }

    private func increment(_ input: inout InputReader) -> UInt32 {
        [1, 5, 100, 16_384, 70_000, 0x7FFF_FFFF, 0, 0x7FFF_0000][input.below(8)]
    }

    static func word(_ number: UInt32) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
    }

    static func frame(_ kind: UInt8, _ flags: UInt8, _ stream: UInt32, _ payload: [UInt8]) -> [UInt8] {
        Array(word(UInt32(payload.count)).dropFirst()) + [kind, flags] + word(stream) + payload
    }
}
