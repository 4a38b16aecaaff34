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
    private static let (protocolError, flow, closed): (UInt32, UInt32, UInt32) = (1, 3, 5)

    private static func get(_ more: (String, String)...) -> [Frame.Field] { Frame.get + more }
    private static func word(_ number: UInt32) -> [UInt8] { Frame.word(number) }
    private static let (reset, data) = (Frame(.reset, 0, 1, word(8)), Frame(.data, 0, 1, [1]))

    /// What the machine has a part in; the rest is nghttp2's, and asked of a server in `Tests/Clients/test_http2_frames.py`
    /// and `test_http2_messages.py`.
    static let faults: [ProtocolFault] = [
        .init("6.1", "DATA on stream 0", [Frame(.data, 0, 0, [1])], .connection(protocolError)),
        .init(
            "5.4.1", "a fault behind one that has ended the connection", [data, .headers(1, Frame.get)],
            .connection(protocolError)),
        // What the client itself has reset or ended sends nothing more (5.1, 6.1).
        .init("5.1", "DATA behind the client's own reset", [open, reset, data], .closed),
        .init(
            "5.1", "DATA that ends a stream, behind the client's own reset", [open, reset, Frame(.data, 1, 1, [1])],
            .closed),
        .init(
            "5.1", "DATA several times behind the client's own reset",
            [open, reset] + Array(repeating: data, count: 9),
            .closed),
        .init("5.1", "trailers behind the client's own reset", [open, reset, .headers(1, [("a", "b")])], .closed),
        .init(
            "5.1", "PRIORITY behind the client's own reset", [open, reset, Frame(.priority, 0, 1, word(3) + [1])],
            .ignored),
        .init(
            "5.1", "WINDOW_UPDATE behind the client's own reset", [open, reset, Frame(.windowUpdate, 0, 1, word(1))],
            .ignored),
        // What was left out counts as closed (5.1.1).
        .init(
            "5.1.1", "a stream with a number below the newest", [.headers(5, Frame.get), .headers(1, Frame.get)],
            .closedAtOnce),
        // RFC 9113 would end the connection; nghttp2 ends the streams whose windows overflow.
        .init(
            "6.9.2", "a setting that makes a stream's window overflow",
            [
                open, Frame(.windowUpdate, 0, 1, word(0x7fff_0000)),
                Frame(.settings, 0, 0, Frame.setting(4, 0x7fff_ffff)),
            ], .stream(flow)),
        .init("8.2.1", "a field name with a capital", [.headers(1, get(("X-Capital", "1")))], .stream(protocolError)),
        .init("8.3.1", "Host that differs from the authority", [.headers(1, get(("host", "elsewhere")))], .status(400)),
        .init(
            "8.3.1", "user information in the authority",
            [.headers(1, HTTP2RequestTests.replacing(":authority", "u@h"))], .status(400)),
        .init("8.5", "CONNECT", [.headers(1, [(":method", "CONNECT"), (":authority", "h:1")])], .status(501)),
    ]

    @Test("A fault ends what RFC 9113 says, and nothing else", arguments: faults)
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
