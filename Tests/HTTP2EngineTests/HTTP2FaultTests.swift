import HTTP2Engine
import Testing

/// What a client does wrong, and what RFC 9113 has a server do then.
struct ProtocolFault: Sendable, CustomStringConvertible {
    enum Outcome: Sendable, Equatable {
        /// GOAWAY with this code, and nothing behind it.
        case connection(UInt32)
        /// A reset of stream 1 with this code; the connection goes on.
        case stream(UInt32)
        /// Stream 1, which is closed, is reset once with STREAM_CLOSED; the connection goes on.
        case closed
        /// The same, while another stream is open.
        case closedAtOnce
        /// An answer with this status; the connection goes on.
        case status(Int)
        /// Nothing happens.
        case ignored
    }

    let section: String
    let name: String
    let bytes: [UInt8]
    let outcome: Outcome
    var description: String { "\(section) \(name)" }

    init(_ section: String, _ name: String, _ frames: [Frame], _ outcome: Outcome) {
        self.section = section
        self.name = name
        bytes = frames.flatMap(\.bytes)
        self.outcome = outcome
    }
}

@Suite("HTTP/2 protocol faults")
struct HTTP2FaultTests {
    private static let open = Frame.headers(1, Frame.post, ends: false)
    private static let (protocolError, flow, closed, size, refused, compression):
        (
            UInt32, UInt32, UInt32, UInt32, UInt32, UInt32
        ) = (1, 3, 5, 6, 7, 9)

    private static func malformed(_ section: String, _ name: String, _ fields: [Frame.Field]) -> ProtocolFault {
        ProtocolFault(section, name, [.headers(1, fields)], .stream(protocolError))
    }

    private static func get(_ more: (String, String)...) -> [Frame.Field] { Frame.get + more }
    private static func without(_ name: String) -> [Frame.Field] { Frame.get.filter { $0.0 != name } }
    private static func word(_ number: UInt32) -> [UInt8] { Frame.word(number) }

    static let framing: [ProtocolFault] = [
        .init(
            "4.2", "a DATA frame larger than SETTINGS_MAX_FRAME_SIZE",
            [open, Frame(.data, 0, 1, .init(repeating: 0, count: 16_385))], .connection(size)),
        .init(
            "4.2", "a HEADERS frame larger than SETTINGS_MAX_FRAME_SIZE",
            [Frame(.headers, 4, 1, .init(repeating: 0, count: 16_385))], .connection(size)),
        .init(
            "4.2", "a CONTINUATION frame larger than SETTINGS_MAX_FRAME_SIZE",
            [
                Frame(.headers, 1, 1, Frame.block(Frame.get)),
                Frame(.continuation, 4, 1, .init(repeating: 0x82, count: 16_385)),
            ], .connection(size)),
        .init(
            "4.3", "a field block that cannot be decompressed", [Frame(.headers, 5, 1, [0x40, 0x81])],
            .connection(compression)),
        .init("4.3", "an index beyond the table", [Frame(.headers, 5, 1, [0xff, 0x7f])], .connection(compression)),
        .init("4.3", "index 0", [Frame(.headers, 5, 1, [0x80])], .connection(compression)),
        .init(
            "4.3.1", "a table size update beyond the limit", [Frame(.headers, 5, 1, [0x3f, 0xff, 0xff, 0x03, 0x82])],
            .connection(compression)),
        .init(
            "4.3", "another frame within a field block",
            [Frame(.headers, 0, 1, Frame.block(Frame.get)), Frame(.ping, 0, 0, word(0) + word(0))],
            .connection(protocolError)),
        .init(
            "4.3", "a field block that goes on on another stream",
            [Frame(.headers, 0, 1, Frame.block(Frame.get)), Frame(.continuation, 4, 3)], .connection(protocolError)),
        .init(
            "4.3", "an unknown frame within a field block",
            [Frame(.headers, 0, 1, Frame.block(Frame.get)), Frame(99, 0, 1)], .connection(protocolError)),
        .init("5.5", "an unknown frame type", [Frame(99, 255, 0, [1, 2]), Frame(98, 0, 1)], .ignored),
    ]

    static let states: [ProtocolFault] = [
        .init("5.1", "DATA on an idle stream", [Frame(.data, 0, 1, [1])], .connection(protocolError)),
        .init("5.1", "RST_STREAM on an idle stream", [Frame(.reset, 0, 1, word(8))], .connection(protocolError)),
        .init(
            "5.1", "WINDOW_UPDATE on an idle stream", [Frame(.windowUpdate, 0, 1, word(1))], .connection(protocolError)),
        .init("5.1", "CONTINUATION on an idle stream", [Frame(.continuation, 4, 1)], .connection(protocolError)),
        .init(
            "5.1", "DATA on a stream that is half closed", [.headers(1, Frame.get), Frame(.data, 0, 1, [1])],
            .connection(closed)),
        .init(
            "5.1", "HEADERS on a stream that is half closed", [.headers(1, Frame.get), .headers(1, Frame.get)],
            .connection(closed)),
        // What the client itself has reset or ended sends nothing more (5.1, 6.1).
        .init(
            "5.1", "DATA behind the client's own reset", [open, Frame(.reset, 0, 1, word(8)), Frame(.data, 0, 1, [1])],
            .closed),
        .init(
            "5.1", "DATA that ends a stream, behind the client's own reset",
            [open, Frame(.reset, 0, 1, word(8)), Frame(.data, 1, 1, [1])], .closed),
        .init(
            "5.1", "DATA several times behind the client's own reset",
            [open, Frame(.reset, 0, 1, word(8))] + Array(repeating: Frame(.data, 0, 1, [1]), count: 9), .closed),
        .init(
            "5.1", "trailers behind the client's own reset",
            [open, Frame(.reset, 0, 1, word(8)), .headers(1, [("a", "b")])], .closed),
        .init(
            "5.1", "PRIORITY behind the client's own reset",
            [open, Frame(.reset, 0, 1, word(8)), Frame(.priority, 0, 1, word(3) + [1])], .ignored),
        .init(
            "5.1", "WINDOW_UPDATE behind the client's own reset",
            [open, Frame(.reset, 0, 1, word(8)), Frame(.windowUpdate, 0, 1, word(1))], .ignored),
        .init("5.1.1", "a stream with an even number", [.headers(2, Frame.get)], .connection(protocolError)),
        // What was left out counts as closed (5.1.1).
        .init(
            "5.1.1", "a stream with a number below the newest", [.headers(5, Frame.get), .headers(1, Frame.get)],
            .closedAtOnce),
        .init(
            "5.4.1", "a fault behind one that has ended the connection",
            [Frame(.data, 0, 1, [1]), .headers(1, Frame.get)], .connection(protocolError)),
    ]

    static let frames: [ProtocolFault] = [
        .init("6.1", "DATA on stream 0", [Frame(.data, 0, 0, [1])], .connection(protocolError)),
        .init(
            "6.1", "padding as long as DATA", [open, Frame(.data, Frame.padded, 1, [1])], .connection(protocolError)),
        .init(
            "6.1", "padding longer than DATA", [open, Frame(.data, Frame.padded, 1, [9, 1, 2])],
            .connection(protocolError)),
        .init("6.2", "HEADERS on stream 0", [.headers(0, Frame.get)], .connection(protocolError)),
        .init(
            "6.2", "padding longer than HEADERS", [Frame(.headers, 13, 1, [200] + Frame.block(Frame.get))],
            .connection(protocolError)),
        .init("6.3", "PRIORITY on stream 0", [Frame(.priority, 0, 0, word(1) + [1])], .connection(protocolError)),
        .init("6.3", "PRIORITY of four bytes", [open, Frame(.priority, 0, 1, word(3))], .connection(size)),
        .init("6.4", "RST_STREAM on stream 0", [Frame(.reset, 0, 0, word(8))], .connection(protocolError)),
        .init("6.4", "RST_STREAM of three bytes", [open, Frame(.reset, 0, 1, [0, 0, 8])], .connection(size)),
        .init("6.5", "SETTINGS on a stream", [open, Frame(.settings, 0, 1)], .connection(protocolError)),
        .init("6.5", "SETTINGS of five bytes", [Frame(.settings, 0, 0, [0, 4, 0, 0, 0])], .connection(size)),
        .init(
            "6.5", "an acknowledgement with settings", [Frame(.settings, 1, 0, Frame.setting(4, 1))], .connection(size)),
        .init(
            "6.5.2", "SETTINGS_ENABLE_PUSH of 2", [Frame(.settings, 0, 0, Frame.setting(2, 2))],
            .connection(protocolError)),
        .init(
            "6.5.2", "an initial window beyond 2³¹-1", [Frame(.settings, 0, 0, Frame.setting(4, 1 << 31))],
            .connection(flow)),
        .init(
            "6.5.2", "a frame size below 2¹⁴", [Frame(.settings, 0, 0, Frame.setting(5, 16_383))],
            .connection(protocolError)),
        .init(
            "6.5.2", "a frame size beyond 2²⁴-1", [Frame(.settings, 0, 0, Frame.setting(5, 1 << 24))],
            .connection(protocolError)),
        .init("6.5.2", "an unknown setting", [Frame(.settings, 0, 0, Frame.setting(200, 1))], .ignored),
        .init(
            "6.6", "PUSH_PROMISE from a client", [open, Frame(.push, 4, 1, word(2) + Frame.block(Frame.get))],
            .connection(protocolError)),
        .init("6.7", "PING on a stream", [open, Frame(.ping, 0, 1, word(0) + word(0))], .connection(protocolError)),
        .init("6.7", "PING of seven bytes", [Frame(.ping, 0, 0, [1, 2, 3, 4, 5, 6, 7])], .connection(size)),
        .init(
            "6.8", "GOAWAY on a stream", [open, Frame(.goAway, 0, 1, word(0) + word(0))], .connection(protocolError)),
        .init(
            "6.9", "a window update of 0 on the connection", [Frame(.windowUpdate, 0, 0, word(0))],
            .connection(protocolError)),
        .init(
            "6.9", "a window update of 0 on a stream", [open, Frame(.windowUpdate, 0, 1, word(0))],
            .connection(protocolError)),
        .init("6.9", "WINDOW_UPDATE of three bytes", [Frame(.windowUpdate, 0, 0, [0, 0, 1])], .connection(size)),
        .init(
            "6.9.1", "the connection's window beyond 2³¹-1", [Frame(.windowUpdate, 0, 0, word(0x7fff_ffff))],
            .connection(flow)),
        .init(
            "6.9.1", "a stream's window beyond 2³¹-1", [open, Frame(.windowUpdate, 0, 1, word(0x7fff_ffff))],
            .stream(flow)),
        // RFC 9113 would end the connection; nghttp2 ends the streams whose windows overflow.
        .init(
            "6.9.2", "a setting that makes a stream's window overflow",
            [
                open, Frame(.windowUpdate, 0, 1, word(0x7fff_0000)),
                Frame(.settings, 0, 0, Frame.setting(4, 0x7fff_ffff)),
            ], .stream(flow)),
        .init(
            "6.10", "CONTINUATION behind a complete field block", [open, Frame(.continuation, 4, 1)],
            .connection(protocolError)),
        .init(
            "6.10", "CONTINUATION on stream 0",
            [Frame(.headers, 0, 1, Frame.block(Frame.get)), Frame(.continuation, 4, 0)], .connection(protocolError)),
    ]

    static let messages: [ProtocolFault] = [
        .init(
            "8.1", "HEADERS that do not end the stream behind content",
            [open, Frame(.data, 0, 1, [1]), .headers(1, [("a", "b")], ends: false)], .stream(protocolError)),
        malformed("8.2.1", "a field name with a capital", get(("X-Capital", "1"))),
        malformed("8.2.1", "a field name with a space", get(("a b", "1"))),
        malformed("8.2.1", "an empty field name", get(("", "1"))),
        malformed("8.2.1", "a field name with a byte above ASCII", get(("é", "1"))),
        malformed("8.2.1", "a value with a line feed", get(("a", "1\n2"))),
        malformed("8.2.1", "a value with a carriage return", get(("a", "1\r2"))),
        malformed("8.2.1", "a value with NUL", get(("a", "1\u{0}2"))),
        malformed("8.2.1", "a value that begins with a space", get(("a", " 1"))),
        malformed("8.2.1", "a value that ends with a tab", get(("a", "1\t"))),
        malformed("8.2.2", "Connection", get(("connection", "close"))),
        malformed("8.2.2", "Keep-Alive", get(("keep-alive", "1"))),
        malformed("8.2.2", "Proxy-Connection", get(("proxy-connection", "x"))),
        malformed("8.2.2", "Transfer-Encoding", get(("transfer-encoding", "chunked"))),
        malformed("8.2.2", "Upgrade", get(("upgrade", "h2c"))),
        malformed("8.2.2", "TE other than trailers", get(("te", "gzip"))),
        malformed("8.3", "a pseudo-field behind a field", [("a", "b")] + Frame.get),
        malformed("8.3", "an unknown pseudo-field", Frame.get + [(":x", "1")]),
        malformed("8.3", "a response's pseudo-field", Frame.get + [(":status", "200")]),
        malformed("8.3", "a pseudo-field twice", Frame.get + [(":path", "/")]),
        malformed("8.3.1", "no method", without(":method")),
        malformed("8.3.1", "no scheme", without(":scheme")),
        malformed("8.3.1", "no path", without(":path")),
        malformed("8.3.1", "neither authority nor Host", without(":authority")),
        malformed("8.3.1", "an empty path", HTTP2RequestTests.replacing(":path", "")),
        malformed("8.3.1", "a path that does not begin with a slash", HTTP2RequestTests.replacing(":path", "a")),
        malformed("8.3.1", "the target * with GET", HTTP2RequestTests.replacing(":path", "*")),
        malformed("8.3.1", "a method with a space", HTTP2RequestTests.replacing(":method", "G T")),
        malformed("8.5", "CONNECT with a path", HTTP2RequestTests.replacing(":method", "CONNECT")),
        .init("8.3", "a pseudo-field in trailers", [open, .headers(1, [(":path", "/")])], .stream(protocolError)),
        .init("8.3.1", "Host that differs from the authority", [.headers(1, get(("host", "elsewhere")))], .status(400)),
        .init(
            "8.3.1", "user information in the authority",
            [.headers(1, without(":authority") + [(":authority", "u@h")])], .status(400)),
        malformed("8.1.1", "a length that is no number", get(("content-length", "x"))),
        malformed("8.1.1", "two lengths", get(("content-length", "0"), ("content-length", "0"))),
        malformed("8.1.1", "a length, and no content", get(("content-length", "3"))),
        .init(
            "8.1.1", "more content than announced",
            [.headers(1, Frame.post + [("content-length", "2")], ends: false), Frame(.data, 1, 1, [1, 2, 3])],
            .stream(protocolError)),
        .init(
            "8.1.1", "less content than announced",
            [.headers(1, Frame.post + [("content-length", "2")], ends: false), Frame(.data, 1, 1, [1])],
            .stream(protocolError)),
        .init("8.5", "CONNECT", [.headers(1, [(":method", "CONNECT"), (":authority", "h:1")])], .status(501)),
    ]

    @Test("A fault ends what RFC 9113 says, and nothing else", arguments: framing + states + frames + messages)
    func fault(fault: ProtocolFault) throws {
        let link = try Link.begun()
        link.feed(fault.bytes)
        let sent = link.takeFrames()
        link.feed(Frame(.ping, 0, 0, Array(1...8)))
        let isAlive = link.takeFrames().contains { $0.kind == 6 && $0.flags == 1 }
        let resets = sent.filter { $0.kind == 3 && $0.stream == 1 }.map { $0.number() }
        switch fault.outcome {
        case .connection(let code):
            #expect(sent.last?.kind == 7 && sent.last?.number(at: 4) == code, "\(sent)")
            #expect(!isAlive && link.machine.isOver && link.machine.openStreams == 0)
            #expect(link.failure == .violation(.init(rawValue: code)))
        case .stream(let code):
            #expect(resets == [code], "\(sent)")
            #expect(isAlive && link.failure == nil && link.machine.isIdle && link.requests.isEmpty)
            #expect(link.counters.resetsProvoked == 1)
        case .closed:
            #expect(resets == [Self.closed], "\(sent)")
            #expect(isAlive && link.failure == nil && link.machine.openStreams == 0)
        case .closedAtOnce:
            #expect(resets == [Self.closed], "\(sent)")
            #expect(isAlive && link.failure == nil && link.requests.count == 1)
        case .status(let status):
            #expect(link.refused.map(\.error.status.code) == [status] && resets.isEmpty, "\(sent)")
            #expect(isAlive && link.machine.isIdle && link.requests.isEmpty)
        case .ignored:
            #expect(sent.allSatisfy { $0.kind == 4 && $0.flags == 1 } && isAlive, "\(sent)")
        }
    }

    @Test("DATA on a closed stream is seen however the bytes are cut", arguments: 1...12)
    func cutFault(piece: Int) throws {
        let link = try Link()
        let bytes =
            clientStart
            + [Self.open, Frame(.data, 0, 1, [1, 2]), Frame(.reset, 0, 1, Self.word(8)), Frame(.data, 1, 1, [1])]
            .flatMap(\.bytes)
        for start in stride(from: 0, to: bytes.count, by: piece) {
            link.feed(Array(bytes[start..<min(start + piece, bytes.count)]))
        }
        #expect(link.takeFrames().filter { $0.kind == 3 }.map { $0.number() } == [Self.closed])
        #expect(link.failure == nil && link.machine.openStreams == 0)
    }

    @Test(
        "What does not begin as HTTP/2 does is not taken for it",
        arguments: [
            "GET / HTTP/1.1\r\n\r\n", "PRI * HTTP/2.0\r\n\r\nSM\r\n\rX", "\u{16}\u{3}\u{1}",
        ])
    func badPreface(text: String) throws {
        let link = try Link()
        link.feed(Array(text.utf8) + clientStart)
        #expect(link.failure == .badPreface && link.machine.isOver)
        #expect(link.takeFrames().last?.number(at: 4) == 1)
    }

    @Test("The first frame has to be SETTINGS (RFC 9113, section 3.4)")
    func firstFrame() throws {
        let link = try Link()
        link.feed(HTTP2Preface.bytes + Frame.headers(1, Frame.get).bytes)
        #expect(link.failure == .violation(.protocolError) && link.requests.isEmpty && link.machine.isOver)
    }

    @Test(
        "The server's first frame is SETTINGS, also where GOAWAY is the next one (RFC 9113, section 3.4)",
        arguments: [Array("GET / HTTP/1.1\r\n\r\n".utf8), clientStart + Frame(.priority, 0, 0, [0, 0, 0, 0, 0]).bytes])
    func settingsBeforeGoAway(bytes: [UInt8]) throws {
        let link = try Link()
        link.feed(bytes)
        let kinds = link.takeFrames().map(\.kind)
        #expect(kinds == [Frame.Kind.settings.rawValue, Frame.Kind.goAway.rawValue])
        // What was sent before is not sent again.
        let later = try Link.begun()
        later.feed(Frame(.priority, 0, 0, [0, 0, 0, 0, 0]))
        #expect(later.takeFrames().map(\.kind) == [Frame.Kind.goAway.rawValue])
    }
}
