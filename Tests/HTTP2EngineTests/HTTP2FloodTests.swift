import HTTP2Engine
import Testing

@Suite("HTTP/2 floods")
struct HTTP2FloodTests {
    /// Feeds until the connection fails; returns how many times it took, or nil where it did not.
    private func flood(_ link: Link, atMost: Int, _ bytes: (Int) -> [UInt8]) -> Int? {
        for count in 1...atMost {
            link.feed(bytes(count))
            if link.failure != nil { return count }
        }
        return nil
    }

    private func expectCalm(_ link: Link, _ abuse: HTTP2Abuse) {
        #expect(link.failure == .abuse(abuse) && link.counters.abuses == 1)
        #expect(link.takeFrames().last?.number(at: 4) == 11, "ENHANCE_YOUR_CALM")
        #expect(link.machine.isOver && link.machine.openStreams == 0 && link.machine.keptBytes == 0)
    }

    /// Frames that bring nothing forward.
    static let idle: [(String, Frame)] = [
        ("SETTINGS", Frame(.settings)), ("settings that change", Frame(.settings, 0, 0, Frame.setting(1, 0))),
        ("PING", Frame(.ping, 0, 0, [1, 2, 3, 4, 5, 6, 7, 8])),
        ("acknowledged PING", Frame(.ping, 1, 0, [1, 2, 3, 4, 5, 6, 7, 8])),
        ("PRIORITY", Frame(.priority, 0, 1, [0, 0, 0, 0, 1])),
        ("PRIORITY of idle streams", Frame(.priority, 0, 9, [0, 0, 0, 0, 1])),
        ("empty DATA", Frame(.data, 0, 1)), ("padding alone", Frame(.data, Frame.padded, 1, [3, 0, 0, 0])),
        ("empty DATA of a closed stream", Frame(.data, 0, 3)),
        ("HEADERS of a closed stream", .headers(3, [("a", "b")])),
        ("unknown frames", Frame(99, 0, 0, [1])), ("window updates", Frame(.windowUpdate, 0, 0, [0, 0, 0, 1])),
        ("a stream's window updates", Frame(.windowUpdate, 0, 1, [0, 0, 0, 1])),
    ]

    @Test("Frames that bring nothing forward are bounded by a rate", arguments: idle)
    func idleFrames(name: String, frame: Frame) throws {
        var limits = HTTP2Limits()
        limits.idleFrames = .init(burst: 500, perSecond: 100)
        let link = try Link.begun(limits: limits)
        begin(link)
        let count = try #require(flood(link, atMost: 1000) { _ in frame.bytes })
        #expect((490...600).contains(count), "\(count)")
        expectCalm(link, .idleFrames)
        // Within the rate nothing happens, for as long as you like.
        let patient = try Link.begun(limits: limits)
        begin(patient)
        let patience = flood(patient, atMost: 5000) { _ in
            patient.now += 10_000_000
            return frame.bytes
        }
        #expect(patience == nil)
    }

    /// Stream 1 is open, stream 3 closed.
    private func begin(_ link: Link) {
        link.feed(.headers(1, Frame.post, ends: false), .headers(3, Frame.get), Frame(.reset, 0, 3, Frame.word(8)))
    }

    @Test("Window updates that answer DATA cost nothing")
    func honestWindowUpdates() throws {
        var limits = HTTP2Limits()
        limits.idleFrames = .init(burst: 10, perSecond: 0)
        let link = try HTTP2SendingTests.streaming(1, limits: limits)
        for _ in 0..<2000 {
            link.sources[1]?.put("event")
            link.settle()
            link.feed(Frame(.windowUpdate, 0, 0, Frame.word(5)), Frame(.windowUpdate, 0, 1, Frame.word(5)))
        }
        #expect(link.failure == nil)
    }

    @Test(
        "Acknowledgements that are not taken are bounded",
        arguments: [Frame(.settings), Frame(.ping, 0, 0, Array(0..<8))])
    func acknowledgements(frame: Frame) throws {
        let link = try Link.begun()
        var count = 0
        while link.failure == nil, count < 2000 {
            // A client that reads nothing: no output is asked for.
            link.machine.receive(frame.bytes.span, now: link.now)
            link.handleEvents()
            count += 1
        }
        #expect((250...260).contains(count))
        link.machine.output(into: &link.output, limit: 1 << 20, now: link.now)
        expectCalm(link, .acknowledgements)
    }

    @Test("A field section that goes on in small or empty frames ends the connection", arguments: [0, 1])
    func continuations(size: Int) throws {
        let link = try Link.begun()
        link.feed(Frame(.headers, 1, 1, Frame.block(Frame.get)))
        let count = try #require(
            flood(link, atMost: 100) { _ in
                Frame(.continuation, 0, 1, size == 0 ? [] : Frame.block([("a", "b")])).bytes
            })
        #expect(count == 17)
        expectCalm(link, .headerBlock)
    }

    @Test("A field section of too many bytes ends the connection")
    func longBlock() throws {
        let link = try Link.begun()
        let block = Frame.block([("a", String(repeating: "x", count: 16_000))])
        link.feed(Frame(.headers, 1, 1, Frame.block(Frame.get)))
        let count = try #require(flood(link, atMost: 100) { _ in Frame(.continuation, 0, 1, block).bytes })
        #expect(count == 7)
        expectCalm(link, .headerBlock)
    }

    @Test("A few bytes that stand for many fields cost no more memory than the limit")
    func compressionBomb() throws {
        let link = try Link.begun()
        // A value of 4,000 bytes goes to the table, and is named 10,000 times.
        let long = [0x40, 1, 97, 127, 0xa1, 0x1e] + [UInt8](repeating: 120, count: 4000)
        let block = Frame.block(Frame.get) + long + [UInt8](repeating: 0xbe, count: 10_000)
        link.feed(Frame(.headers, 5, 1, block))
        #expect(link.refused.map(\.error.status.code) == [431] && link.machine.keptBytes == 0)
        #expect(link.failure == nil && link.machine.isIdle)
        link.feed(.headers(3, Frame.get))
        #expect(link.requests.count == 1)
    }

    @Test("Resets of requests that are not answered are bounded by a rate", arguments: [false, true])
    func rapidReset(isWithinOneRead: Bool) throws {
        var limits = HTTP2Limits()
        limits.resets = .init(burst: 200, perSecond: 50)
        let link = try Link.begun(limits: limits)
        func attack(_ number: Int) -> [UInt8] {
            let id = UInt32(2 * number - 1)
            return Frame.headers(id, Frame.get).bytes + Frame(.reset, 0, id, Frame.word(8)).bytes
        }
        let count: Int
        if isWithinOneRead {
            link.feed((1...400).flatMap(attack))
            #expect(link.requests.isEmpty, "what is taken back at once is never seen")
        } else {
            count = try #require(flood(link, atMost: 400, attack))
            #expect(count == 201)
        }
        expectCalm(link, .resets)
        #expect(link.counters.resetsReceived == 201)
    }

    @Test("Cancelled requests hold their places in flight until they are answered")
    func cancelledWork() throws {
        let link = try Link.begun()
        for number in 0..<500 {
            let id = UInt32(2 * number + 1)
            link.feed(.headers(id, Frame.get))
            link.feed(Frame(.reset, 0, id, Frame.word(8)))
        }
        #expect(link.requests.count == 128 && link.machine.requestsInFlight == 128 && link.machine.openStreams == 0)
    }

    @Test("A gateway that cancels any number of answered streams is served")
    func honestGateway() throws {
        var limits = HTTP2Limits()
        limits.resets = .init(burst: 5, perSecond: 0)
        let link = try Link.begun(.stream, limits: limits)
        for number in 0..<3000 {
            let id = UInt32(2 * number + 1)
            link.feed(.headers(id, Frame.get))
            link.sources[id]?.put("event")
            link.settle()
            link.feed(Frame(.reset, 0, id, Frame.word(8)))
        }
        #expect(link.failure == nil && link.closed.count == 3000 && link.machine.isIdle && link.sources.isEmpty)
    }

    /// Ways to have the server reset a stream.
    static let provocations: [(String, @Sendable (UInt32) -> [Frame])] = [
        (
            "a window that overflows",
            { [.headers($0, Frame.post, ends: false), Frame(.windowUpdate, 0, $0, Frame.word(0x7fff_ffff))] }
        ),
        ("a malformed request", { [.headers($0, Frame.get + [("connection", "x")])] }),
        (
            "a length that does not match",
            {
                [.headers($0, Frame.post + [("content-length", "1")], ends: false), Frame(.data, 1, $0, [1, 2])]
            }
        ),
    ]

    @Test("Resets that a client brings about are bounded by a rate", arguments: 0..<3)
    func provokedResets(index: Int) throws {
        var limits = HTTP2Limits()
        limits.provokedResets = .init(burst: 50, perSecond: 10)
        let link = try Link.begun(limits: limits)
        let count = try #require(
            flood(link, atMost: 200) { number in
                Self.provocations[index].1(UInt32(2 * number - 1)).flatMap(\.bytes)
            })
        #expect(count == 51, "\(Self.provocations[index].0)")
        expectCalm(link, .provokedResets)
    }

    @Test("Streams beyond the limit are refused, and a client that goes on is cut")
    func streams() throws {
        let link = try HTTP2SendingTests.streaming(1000)
        let count = try #require(flood(link, atMost: 1000) { Frame.headers(UInt32(2 * $0 + 1999), Frame.get).bytes })
        #expect(count == 201)
        expectCalm(link, .provokedResets)
        #expect(link.closed.count == 1000)
    }
}
