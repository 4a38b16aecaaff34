import HTTP2Engine

/// What a client's bytes allow the server to do: the streams that it has begun, and its windows.
///
/// It reads the headers of frames without judging them. Where a frame is wrong the connection fails, so that what is
/// counted here is never less than what the machine may take for allowed.
struct HTTP2ClientView {
    /// The greatest number of a stream that a HEADERS frame has named.
    private(set) var newestStream: UInt32 = 0
    private var initialWindow = 65_535
    private var updates: [UInt32: Int] = [:]
    private var unread: [UInt8] = []
    private var prefaceRest = HTTP2Preface.bytes.count
    private var hasSeenHeader = false

    /// What the client allows on a stream, or with 0 on the connection, without what was sent.
    func window(of stream: UInt32) -> Int {
        (stream == 0 ? 65_535 : initialWindow) + updates[stream, default: 0]
    }

    /// Takes note of bytes that were given to the machine.
    mutating func sent(_ bytes: [UInt8]) {
        let skipped = min(prefaceRest, bytes.count)
        prefaceRest -= skipped
        unread += bytes.dropFirst(skipped)
        var start = 0
        while unread.count - start >= 9 {
            let length = unread[start..<start + 3].reduce(0) { $0 << 8 | Int($1) }
            let stream = Self.number(unread, start + 5) & 0x7FFF_FFFF
            // The machine may act on the header before the rest has come.
            if unread[start + 3] == 1 { newestStream = max(newestStream, stream) }
            guard unread.count - start >= 9 + length else { break }
            take(unread[start + 3], unread[start + 4], stream, Array(unread[start + 9..<start + 9 + length]))
            start += 9 + length
        }
        unread.removeFirst(start)
    }

    private mutating func take(_ kind: UInt8, _ flags: UInt8, _ stream: UInt32, _ payload: [UInt8]) {
        switch kind {
        case 4 where flags & 1 == 0 && payload.count % 6 == 0:
            for start in stride(from: 0, to: payload.count, by: 6) where payload[start] == 0 && payload[start + 1] == 4
            {
                initialWindow = Int(Self.number(payload, start + 2))
            }
        case 8 where payload.count == 4:
            updates[stream, default: 0] += Int(Self.number(payload, 0) & 0x7FFF_FFFF)
        default:
            break
        }
    }

    static func number(_ bytes: some RandomAccessCollection<UInt8>, _ start: Int) -> UInt32 {
        bytes.dropFirst(start).prefix(4).reduce(0) { $0 << 8 | UInt32($1) }
    }
}
