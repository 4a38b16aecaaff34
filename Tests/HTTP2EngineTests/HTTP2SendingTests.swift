import HTTP2Engine
import HTTPTypes
import HTTPWire
import TestSupport
import Testing

@Suite("HTTP/2 answers")
struct HTTP2SendingTests {
    /// A link with so many open event streams, numbered 1, 3, 5…
    static func streaming(_ count: Int, settings: [UInt8] = [], limits: HTTP2Limits = HTTP2Limits()) throws -> Link {
        let link = try Link(.stream, limits: limits)
        link.feed(HTTP2Preface.bytes + Frame(.settings, 0, 0, settings).bytes)
        for number in 0..<count { link.feed(.headers(UInt32(2 * number + 1), Frame.get)) }
        link.output = []
        return link
    }

    @Test("An event goes to a thousand streams of one connection in one output")
    func manyStreams() throws {
        let link = try Self.streaming(1000)
        #expect(link.sources.count == 1000 && link.machine.openStreams == 1000)
        let frame = EventFrame(ServerSentEvent(event: "x", data: Array("1".utf8), id: "7"))
        for source in link.sources.values { source.put(.frame(frame)) }
        link.machine.output(into: &link.output, limit: 1 << 20, now: 1)
        let frames = link.takeFrames()
        #expect(Set(frames.map(\.stream)).count == 1000 && frames.count == 1000)
        #expect(
            frames.allSatisfy { $0.kind == 0 && $0.flags == 0 && $0.payload == Array(frame.storage[frame.payload]) })
        #expect(!link.machine.wantsToSend)
        // One more is refused by what SETTINGS said.
        link.feed(.headers(2001, Frame.get))
        #expect(link.takeFrames().map { [UInt32($0.kind), $0.stream, $0.number()] } == [[3, 2001, 7]])
    }

    @Test("An output stops near its limit and goes on with the next", arguments: [1, 100, 1000])
    func limit(limit: Int) throws {
        let link = try Self.streaming(10)
        for source in link.sources.values { source.put(String(repeating: "e", count: 91)) }
        var sizes: [Int] = []
        while link.machine.wantsToSend {
            let before = link.output.count
            link.machine.output(into: &link.output, limit: limit, now: 1)
            sizes.append(link.output.count - before)
        }
        #expect(link.output.count == 1000 && sizes.allSatisfy { $0 < limit + 100 })
        #expect(Frame.parse(link.output)?.count == 10)
    }

    @Test("Ten streams share a connection: none gets more than one frame ahead")
    func fairness() throws {
        let link = try Self.streaming(10, settings: Frame.setting(4, 1 << 20))
        link.feed(Frame(.windowUpdate, 0, 0, Frame.word(1 << 24)))
        // The client's wish that one stream comes first changes nothing.
        link.output = []
        let event = Array(repeating: UInt8(1), count: 1000)
        for source in link.sources.values { for _ in 0..<50 { source.put(.bytes(event, 0..<1000)) } }
        link.settle(limit: 3000)
        var counts: [UInt32: Int] = [:]
        for frame in link.takeFrames() {
            counts[frame.stream, default: 0] += 1
            let values = (0..<10).map { counts[UInt32(2 * $0 + 1)] ?? 0 }
            #expect(values.max()! - values.min()! <= 1)
        }
        #expect(counts.values.allSatisfy { $0 == 50 } && counts.count == 10)
    }

    @Test("With windows of one byte, content comes byte by byte, and whole")
    func narrowWindow() throws {
        let (link, client) = (try Link(.echo), Client(window: 1))
        let ids = (0..<3).map { client.request(HTTP2RequestTests.replacing(":path", "/\($0)"), content: nil) }
        client.talk(to: link)
        for (number, id) in ids.enumerated() {
            #expect(client.answers[id]?.text == "GET /\(number) ")
            #expect(client.answers[id]?.code == 0)
        }
    }

    @Test("A shut window holds up one stream alone, and is seen to be stalled")
    func shutWindow() throws {
        let link = try Self.streaming(2, settings: Frame.setting(4, 10))
        link.feed(Frame(.windowUpdate, 0, 3, Frame.word(100)))
        link.sources[1]?.put(String(repeating: "a", count: 25))
        link.sources[3]?.put(String(repeating: "b", count: 25))
        link.settle()
        #expect(Set(link.takeFrames().map { "\($0.stream) \($0.payload.count)" }) == ["1 10", "3 25"])
        let (first, second) = (StreamID(1), StreamID(3))
        #expect(link.machine.isStalled(first) && !link.machine.isStalled(second))
        #expect(link.machine.stalledStreams(for: 5, now: 100) == [])
        #expect(link.machine.stalledStreams(for: 5, now: 104) == [])
        #expect(link.machine.stalledStreams(for: 5, now: 105) == [first])
        // A byte's progress begins the time anew.
        link.feed(Frame(.windowUpdate, 0, 1, Frame.word(1)))
        #expect(link.takeFrames().map(\.payload.count) == [1])
        #expect(link.machine.stalledStreams(for: 5, now: 106) == [])
        #expect(link.machine.stalledStreams(for: 5, now: 111) == [first])
        link.machine.reset(first, .cancel)
        link.settle()
        #expect(link.takeFrames().map { [UInt32($0.kind), $0.stream, $0.number()] } == [[3, 1, 8]])
        #expect(link.machine.openStreams == 1 && link.counters.resetsProvoked == 0)
        // An idle stream with a shut window is not stalled before it has something.
        link.sources[3]?.put(String(repeating: "b", count: 85))
        link.settle()
        #expect(!link.machine.isStalled(second))
        link.sources[3]?.put("c")
        link.settle()
        #expect(link.machine.isStalled(second))
    }

    @Test("The connection's window holds up all streams until it is opened")
    func connectionWindow() throws {
        let link = try Self.streaming(2, settings: Frame.setting(4, 1 << 20))
        for source in link.sources.values { source.put(.bytes([UInt8](repeating: 0, count: 50_000), 0..<50_000)) }
        link.settle()
        #expect(link.takeFrames().map(\.payload.count).reduce(0, +) == 65_535)
        #expect(link.machine.isWindowShut && !link.machine.wantsToSend)
        link.feed(Frame(.windowUpdate, 0, 0, Frame.word(65_535)))
        #expect(link.takeFrames().map(\.payload.count).reduce(0, +) == 100_000 - 65_535)
    }

    @Test("What waits for the connection's window is stalled, unless the client takes any of it")
    func stalledConnection() throws {
        let link = try Self.streaming(3, settings: Frame.setting(4, 1 << 20))
        let large: [UInt8] = Array(repeating: 0, count: 60_000)
        for number: UInt32 in [1, 3] { link.sources[number]?.put(.bytes(large, 0..<60_000)) }
        link.settle()
        let waiting = [StreamID(1), StreamID(3)]
        #expect(link.machine.isWindowShut && link.machine.stalledStreams(for: 5, now: 100) == [])
        #expect(link.machine.stalledStreams(for: 5, now: 105) == waiting, "the third has nothing to send")
        // One of them gets a byte: the client takes something.
        link.feed(Frame(.windowUpdate, 0, 0, Frame.word(1)))
        #expect(link.machine.stalledStreams(for: 5, now: 106) == [])
        #expect(link.machine.stalledStreams(for: 5, now: 110) == [])
        #expect(link.machine.stalledStreams(for: 5, now: 111) == waiting)
        // A stream whose own window is shut too waits for that one.
        link.feed(Frame(.settings, 0, 0, Frame.setting(4, 0)))
        link.feed(Frame(.windowUpdate, 0, 0, Frame.word(1)))
        #expect(link.machine.stalledStreams(for: 5, now: 112) == waiting)
    }

    @Test("A window made smaller than what is sent holds the stream until it is positive again (RFC 9113, 6.9.2)")
    func negativeWindow() throws {
        let link = try Self.streaming(1, settings: Frame.setting(4, 20))
        link.sources[1]?.put(String(repeating: "a", count: 15))
        link.settle()
        link.feed(Frame(.settings, 0, 0, Frame.setting(4, 5)))
        link.sources[1]?.put("bcdef")
        link.feed(Frame(.windowUpdate, 0, 1, Frame.word(10)))
        #expect(!link.takeFrames().contains { $0.kind == 0 && $0.payload.first == 98 })
        link.feed(Frame(.windowUpdate, 0, 1, Frame.word(2)))
        #expect(link.takeFrames().filter { $0.kind == 0 }.map(\.payload) == [Array("bc".utf8)])
    }

    @Test("Frames are no larger than the client takes", arguments: [16_384, 20_000, 1 << 20])
    func frameSize(size: Int) throws {
        let settings = Frame.setting(4, 1 << 20) + Frame.setting(5, UInt32(size))
        let link = try Self.streaming(1, settings: settings)
        link.sources[1]?.put(.bytes([UInt8](repeating: 7, count: 60_000), 5..<60_000))
        link.settle()
        let sizes = link.takeFrames().map(\.payload.count)
        #expect(sizes.reduce(0, +) == 59_995 && sizes.allSatisfy { $0 <= size && $0 <= 65_536 })
    }

    @Test("A cancelled stream frees everything at once, at whatever point", arguments: 0..<6)
    func cancellation(point: Int) throws {
        let link = try Link.begun(point >= 3 ? .stream : .later)
        if point < 2 {
            link.feed(.headers(1, Frame.post, ends: false))
            if point == 1 { link.feed(Frame(.data, 0, 1, [UInt8](repeating: 1, count: 5000))) }
        } else {
            link.feed(.headers(1, Frame.get))
        }
        weak let source = link.sources[1]
        if point == 4 { link.sources[1]?.put("x") }
        if point == 5 {
            link.feed(Frame(.settings, 0, 0, Frame.setting(4, 0)))
            link.sources[1]?.put("x")
            link.settle()
        }
        link.feed(Frame(.reset, 0, 1, Frame.word(8)))
        #expect(link.closed.map { "\($0.stream.number) \($0.code.rawValue)" } == ["1 8"])
        #expect(link.machine.openStreams == 0 && link.machine.keptBytes == 0 && source == nil)
        // An answer that is owed still holds its place, and is dropped.
        #expect(link.machine.requestsInFlight == (point == 2 ? 1 : 0))
        link.output = []
        link.answer(StreamID(1), .ok, "late")
        link.settle()
        #expect(link.machine.isIdle && link.output.isEmpty)
    }

    @Test("Many streams that come and go interleaved leave nothing behind", arguments: 0..<20)
    func interleaved(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let (link, client) = (try Link(.stream), Client(window: 40))
        var open: [Int32] = []
        for _ in 0..<300 {
            switch generator.below(6) {
            case 0, 1: open.append(client.request(Frame.get))
            case 2 where !open.isEmpty: client.cancel(open.remove(at: generator.below(open.count)))
            case 3 where !open.isEmpty:
                let index = generator.below(open.count)
                guard let source = link.sources[UInt32(open[index])] else { continue }
                open.remove(at: index)
                source.put(.end)
            default:
                for source in link.sources.values { source.put(String(repeating: "d", count: generator.below(100))) }
            }
            if generator.chance(2) { client.talk(to: link) }
        }
        client.talk(to: link)
        #expect(link.machine.openStreams == open.count && link.machine.requestsInFlight == 0)
        for id in open { client.cancel(id) }
        client.talk(to: link)
        #expect(link.machine.isIdle && link.sources.isEmpty && link.failure == nil && client.goAways.isEmpty)
    }

    @Test("An announced length is kept: more or less resets the stream", arguments: [4, 5, 6])
    func announcedLength(count: Int) throws {
        let link = try Link.begun()
        link.feed(.headers(1, Frame.get))
        link.start(StreamID(1), fields: [.contentLength: "5"])
        link.sources[1]?.put(String(repeating: "x", count: count))
        link.sources[1]?.put(.end)
        link.settle()
        let frames = link.takeFrames()
        if count == 5 {
            #expect(frames.map(\.kind) == [1, 0, 0] && frames[2].flags == Frame.endStream)
        } else {
            #expect(frames.last?.kind == 3 && frames.last?.number() == 2)
        }
        #expect(link.machine.isIdle)
    }

    @Test("A source that is woken while it is asked is asked again")
    func wokenWhileAsked() throws {
        final class Hasty: HTTP2Source {
            var machine: HTTP2Machine?
            var key: HTTP2StreamKey?
            var turns = 0
            func nextPart() -> HTTP2Part {
                turns += 1
                if turns == 1, let key { machine?.wake(key) }
                return turns == 2 ? .bytes([1], 0..<1) : .pending
            }
        }
        let link = try Link.begun()
        link.feed(.headers(1, Frame.get))
        let source = Hasty()
        source.machine = link.machine
        source.key = link.machine.startStream(StreamID(1), ResponseHead(status: .ok), date: Link.date, from: source)
        link.settle()
        #expect(link.takeFrames().map(\.kind) == [1, 0] && source.turns == 3)
        source.machine = nil
    }

    @Test("A source with nothing behind an event is asked again only once it is woken")
    func latest() throws {
        let frame = EventFrame(ServerSentEvent(event: "e", data: [0x78]))
        let link = try Link.begun()
        link.feed(.headers(1, Frame.get))
        link.start(StreamID(1))
        link.settle()
        let source = try #require(link.sources[1])
        #expect(source.asked == 1)
        _ = link.takeFrames()
        for round in 1...3 {
            source.put(.latest(frame))
            link.settle()
            #expect(link.takeFrames().map(\.payload) == [Array(frame.storage[frame.payload])])
            #expect(source.asked == 1 + round)
        }
        // Woken before the event is sent whole: what it has by then follows.
        source.put(.latest(EventFrame(ServerSentEvent(event: "e", data: [UInt8](repeating: 0x78, count: 100_000)))))
        link.settle()
        #expect(source.asked == 5)
        source.put(.latest(frame))
        link.feed(Frame(.windowUpdate, 0, 0, Frame.word(200_000)), Frame(.windowUpdate, 0, 1, Frame.word(200_000)))
        link.settle()
        #expect(source.asked == 6)
        #expect(link.takeFrames().last?.payload == Array(frame.storage[frame.payload]))
    }

    @Test("A source that is woken while it gives its newest event is asked again")
    func wokenWithLatest() throws {
        final class Hasty: HTTP2Source {
            var machine: HTTP2Machine?
            var key: HTTP2StreamKey?
            var turns = 0
            func nextPart() -> HTTP2Part {
                turns += 1
                if turns == 2, let key { machine?.wake(key) }
                return turns == 1 || turns == 4
                    ? .pending : .latest(EventFrame(ServerSentEvent(event: "e", data: [0x78])))
            }
        }
        let link = try Link.begun()
        link.feed(.headers(1, Frame.get))
        let source = Hasty()
        source.machine = link.machine
        let key = try #require(
            link.machine.startStream(StreamID(1), ResponseHead(status: .ok), date: Link.date, from: source))
        source.key = key
        link.settle()
        link.machine.wake(key)
        link.settle()
        #expect(link.takeFrames().map(\.kind) == [1, 0, 0] && source.turns == 3)
        source.machine = nil
    }

    /// Does something to its machine while it is asked.
    private final class Meddler: HTTP2Source {
        var act: (() -> HTTP2Part)?
        func nextPart() -> HTTP2Part { act?() ?? .pending }
    }

    @Test("A source may use its machine while it is asked")
    func reentrancy() throws {
        let link = try Link.begun()
        for number: UInt32 in [1, 3, 5, 7] { link.feed(.headers(number, Frame.get)) }
        link.output = []
        let source = Meddler()
        let machine = link.machine
        weak var released: Source?
        link.start(StreamID(5))
        released = link.sources[5]
        source.act = { [unowned link, unowned source] in
            source.act = nil
            machine.respond(StreamID(3), ResponseHead(status: .ok), content: [3], date: Link.date)
            machine.reset(StreamID(5), .cancel)
            link.start(StreamID(7))
            link.sources[7]?.put("seven")
            machine.reset(StreamID(1), .internalError)
            // Neither does anything now.
            machine.receive(Frame(.ping, 0, 0, Array(0..<8)).bytes.span, now: 1)
            var bytes: [UInt8] = []
            machine.output(into: &bytes, limit: 1, now: 1)
            machine.close()
            return bytes.isEmpty ? .bytes([1], 0..<1) : .end
        }
        _ = machine.startStream(StreamID(1), ResponseHead(status: .ok), date: Link.date, from: source)
        link.settle()
        let frames = link.takeFrames()
        func kinds(_ stream: UInt32) -> [UInt8] { frames.filter { $0.stream == stream }.map(\.kind) }
        #expect(
            kinds(1) == [1, 0, 3] && kinds(3) == [1, 0] && kinds(5) == [1, 3] && kinds(7) == [1, 0] && kinds(0) == [])
        #expect(released == nil && machine.openStreams == 1 && link.failure == nil)
    }

    @Test("Requests beyond those in flight wait, and beyond the room for them are refused")
    func inFlight() throws {
        var limits = HTTP2Limits()
        limits.maxInFlight = 3
        limits.maxWaitingBytes = 1000
        let link = try Link.begun(limits: limits)
        for number in 0..<20 { link.feed(.headers(UInt32(2 * number + 1), Frame.get)) }
        #expect(link.requests.count == 3)
        let refused = link.takeFrames().filter { $0.kind == 3 }
        #expect(!refused.isEmpty && refused.allSatisfy { $0.number() == 7 })
        #expect(link.counters.waited + link.counters.refused == 17 && link.counters.refused == refused.count)
        // A cancelled request holds its place until it is answered: cancelling makes no room.
        link.feed(Frame(.reset, 0, 1, Frame.word(8)))
        #expect(link.requests.count == 3)
        var answered = 0
        while answered < link.requests.count {
            link.answer(link.requests[answered].stream, .ok, "")
            answered += 1
            link.handleEvents()
        }
        #expect(answered == 20 - refused.count && link.machine.requestsInFlight == 0)
        link.settle()
        #expect(link.machine.isIdle && link.machine.keptBytes == 0)
    }

    @Test("A queue that is never empty keeps nothing of what has left it")
    func longQueue() throws {
        var limits = HTTP2Limits()
        limits.maxInFlight = 1
        let link = try Link.begun(limits: limits)
        link.feed(.headers(1, Frame.get), .headers(3, Frame.get), .headers(5, Frame.get))
        let kept = link.machine.keptBytes
        for number in 3..<1000 {
            link.feed(.headers(UInt32(2 * number + 1), Frame.get))
            link.answer(link.requests[number - 3].stream, .ok, "")
            link.settle()
            #expect(link.machine.keptBytes == kept)
        }
        #expect(link.requests.count == 998 && link.counters.waited == 999)
    }

    @Test("Shutting down serves what is on its way, then ignores what is new")
    func shutdown() throws {
        let (link, client) = (try Link(.later), Client())
        let first = client.request(Frame.get)
        client.talk(to: link)
        link.machine.shutDown()
        link.settle()
        // Begun before the client knew.
        client.request(Frame.get)
        let late = client.output()
        client.talk(to: link)
        #expect(client.goAways.map(\.last) == [Int32.max] && client.goAways.map(\.code) == [0])
        link.feed(late)
        #expect(link.requests.count == 2)
        link.machine.finishShutdown()
        link.settle()
        let last = link.takeFrames()
        #expect(last.map(\.kind) == [7] && last[0].number() == 3)
        link.feed(.headers(5, Frame.get))
        #expect(link.requests.count == 2 && !link.machine.isOver && !link.machine.isIdle)
        for request in link.requests { link.answer(request.stream, .ok, "bye") }
        link.settle()
        client.feed(link.output)
        #expect(client.answers[first]?.text == "bye")
        #expect(link.machine.isIdle && link.machine.isOver && link.failure == nil)
    }

    @Test("A connection that is closed lets go of its streams")
    func closing() throws {
        let link = try Self.streaming(3)
        weak let source = link.sources[3]
        link.machine.close()
        link.handleEvents()
        #expect(link.closed.count == 3 && source == nil && link.machine.isIdle && link.machine.isOver)
        link.feed(.headers(7, Frame.get))
        #expect(link.output.isEmpty)
    }

    @Test("Streams of a machine take a place that is small, and places are used again")
    func places() throws {
        #expect(HTTP2Machine.bytesPerStream <= 128)
    }
}

extension Link {
    var counters: HTTP2Counters { machine.counters }
}
