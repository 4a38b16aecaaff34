import HTTP2Engine

/// One frame, as it is on the wire (RFC 9113, section 4.1).
struct Frame: Equatable, CustomStringConvertible {
    enum Kind: UInt8 {
        case data, headers, priority, reset, settings, push, ping, goAway, windowUpdate, continuation
    }

    static let endStream: UInt8 = 0x1
    static let acknowledges: UInt8 = 0x1
    static let endHeaders: UInt8 = 0x4
    static let padded: UInt8 = 0x8
    static let hasPriority: UInt8 = 0x20

    var kind: UInt8
    var flags: UInt8 = 0
    var stream: UInt32 = 0
    var payload: [UInt8] = []

    init(_ kind: Kind, _ flags: UInt8 = 0, _ stream: UInt32 = 0, _ payload: [UInt8] = []) {
        self.init(kind.rawValue, flags, stream, payload)
    }

    init(_ kind: UInt8, _ flags: UInt8 = 0, _ stream: UInt32 = 0, _ payload: [UInt8] = []) {
        self.kind = kind
        self.flags = flags
        self.stream = stream
        self.payload = payload
    }

    var bytes: [UInt8] {
        let count = UInt32(payload.count)
        return Array(Self.word(count).dropFirst()) + [kind, flags] + Self.word(stream) + payload
    }

    var description: String { "\(Kind(rawValue: kind).map { "\($0)" } ?? "\(kind)") \(flags) on \(stream): \(payload)" }

    /// The first 32 bits of the payload from an offset on.
    func number(at offset: Int = 0) -> UInt32 {
        payload.dropFirst(offset).prefix(4).reduce(0) { $0 << 8 | UInt32($1) }
    }

    static func word(_ number: UInt32) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
    }

    static func setting(_ id: UInt8, _ value: UInt32) -> [UInt8] { [0, id] + word(value) }

    /// Takes bytes apart; nil where they are not whole frames.
    static func parse(_ bytes: [UInt8]) -> [Frame]? {
        var frames: [Frame] = []
        var index = 0
        while index + 9 <= bytes.count {
            let count = bytes[index..<index + 3].reduce(0) { $0 << 8 | Int($1) }
            guard index + 9 + count <= bytes.count else { return nil }
            let stream = bytes[index + 5..<index + 9].reduce(0) { $0 << 8 | UInt32($1) }
            frames.append(
                Frame(bytes[index + 3], bytes[index + 4], stream, Array(bytes[index + 9..<index + 9 + count])))
            index += 9 + count
        }
        return index == bytes.count ? frames : nil
    }

    // MARK: Requests by hand

    typealias Field = (String, String)

    static let get: [Field] = [(":method", "GET"), (":scheme", "http"), (":path", "/"), (":authority", "localhost")]
    static let post: [Field] = [(":method", "POST"), (":scheme", "http"), (":path", "/"), (":authority", "localhost")]

    /// Field lines as literals that are not indexed (RFC 7541, section 6.2.2).
    static func block(_ fields: [Field]) -> [UInt8] {
        fields.flatMap { [0] + text($0.0) + text($0.1) }
    }

    static func headers(_ stream: UInt32, _ fields: [Field], ends: Bool = true) -> Frame {
        Frame(.headers, endHeaders | (ends ? endStream : 0), stream, block(fields))
    }

    private static func text(_ text: String) -> [UInt8] {
        integer(text.utf8.count) + Array(text.utf8)
    }

    /// An integer with a prefix of seven bits (RFC 7541, section 5.1).
    private static func integer(_ number: Int) -> [UInt8] {
        guard number >= 127 else { return [UInt8(number)] }
        var bytes: [UInt8] = [127]
        var rest = number - 127
        while rest >= 128 {
            bytes.append(UInt8(rest % 128 + 128))
            rest /= 128
        }
        return bytes + [UInt8(rest)]
    }
}

/// What a client begins with.
let clientStart = HTTP2Preface.bytes + Frame(.settings).bytes
