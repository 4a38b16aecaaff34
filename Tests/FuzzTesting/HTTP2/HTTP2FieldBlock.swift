/// Field sections that are right for the most part (RFC 7541), chosen by an input.
enum HTTP2FieldBlock {
    private static let methods = ["GET", "POST", "HEAD", "PUT", "OPTIONS", "CONNECT", "get", "X-Y"]
    private static let paths = ["/", "/a?b=%20", "*", "", "/%zz", "//", "/é"]
    private static let others: [(String, String)] = [
        ("content-length", "3"), ("content-length", "0"), ("content-length", "30000"), ("expect", "100-continue"),
        ("cookie", "a=b"), ("te", "trailers"), ("connection", "close"), ("Upper", "case"), ("host", "other"),
        ("transfer-encoding", "chunked"), (":late", "x"), ("accept", "*/*"), ("x", " padded "), ("x\u{1}", "y"),
        ("content-length", "3, 3"), ("priority", "u=1, i"),
    ]

    /// A request's fields; where the input is at its end, those of a GET that is right.
    static func request(_ input: inout InputReader) -> [UInt8] {
        var block: [UInt8] = []
        let shape = input.byte()
        if shape & 0xC0 == 0xC0 { block += integer(input.number(), prefix: 5, first: 0x20) }
        let method = Int(shape & 7)
        block += method < 2 ? [0x82 + UInt8(method)] : literal(":method", methods[method], &input)
        if shape & 8 == 0 { block.append(0x86) } else { block += literal(":scheme", "https", &input) }
        block += shape & 16 == 0 ? [0x84] : literal(":path", paths[input.below(paths.count)], &input)
        if shape & 32 == 0 { block += literal(":authority", "localhost", &input) }
        return block + more(&input)
    }

    /// Fields that may follow those of a request, and that trailers have.
    static func more(_ input: inout InputReader) -> [UInt8] {
        var block: [UInt8] = []
        for _ in 0..<input.below(16) % 6 {
            switch input.below(8) {
            case 0...3:
                let other = others[input.below(others.count)]
                block += literal(other.0, other.1, &input)
            case 4: block += integer(input.below(80), prefix: 7, first: 0x80)
            case 5: block += literal("long", String(repeating: "l", count: input.number() & 0x7FF), &input)
            case 6: block += literal("content-length", "\(input.below(256) * 4)", &input)
            default: block += input.take(input.below(12))
            }
        }
        return block
    }

    /// A field as a literal: put in the table, not put there, or never.
    private static func literal(_ name: String, _ value: String, _ input: inout InputReader) -> [UInt8] {
        [[0x40, 0, 0x10, 0x40][input.below(4)]] + text(name) + text(value)
    }

    private static func text(_ text: String) -> [UInt8] {
        integer(text.utf8.count, prefix: 7, first: 0) + Array(text.utf8)
    }

    /// An integer behind the first bits of a byte (RFC 7541, section 5.1).
    private static func integer(_ number: Int, prefix: Int, first: UInt8) -> [UInt8] {
        let limit = 1 << prefix - 1
        guard number >= limit else { return [first | UInt8(number)] }
        var bytes = [first | UInt8(limit)]
        var rest = number - limit
        while rest >= 128 {
            bytes.append(UInt8(rest & 127 | 128))
            rest >>= 7
        }
        return bytes + [UInt8(rest)]
    }
}
