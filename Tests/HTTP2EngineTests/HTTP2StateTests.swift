import HTTPWire
import Testing

@testable import HTTP2Engine

/// The parts of the machine's state, without nghttp2.
@Suite("HTTP/2 states")
struct HTTP2StateTests {
    private final class Silent: HTTP2Source {
        func nextPart() -> HTTP2Part { .pending }
    }

    private static func stream(_ state: HTTP2Stream.State) -> HTTP2Stream { HTTP2Stream(id: 1, state: state) }

    @Test("An answer is owed from the request to the answer, also while the stream is being reset")
    func debt() {
        let states: [(HTTP2Stream.State, HTTP2Stream.Debt)] = [
            (.free, .none), (.head, .none), (.waiting, .none), (.answering(discarded: nil, isHead: false), .answer),
            (.answering(discarded: 0, isHead: true), .answer), (.sending(discarded: nil), .paid),
            (.lingering(discarded: 3), .paid), (.reset(.none), .none), (.reset(.answer), .answer),
            (.reset(.paid), .paid),
        ]
        for (state, debt) in states { #expect(Self.stream(state).debt == debt, "\(state)") }
    }

    @Test("Content that nobody reads is counted up to the limit, through the answer and behind it")
    func discarding() {
        var stream = Self.stream(.answering(discarded: 0, isHead: false))
        var isBeyond = [stream.discard(4, limit: 10)]
        stream.change(to: .sending(discarded: 4))
        isBeyond.append(stream.discard(6, limit: 10))
        let lingers = stream.finishAnswer()
        guard lingers, case .lingering(discarded: 10) = stream.state else {
            Issue.record("\(stream.state)")
            return
        }
        isBeyond.append(stream.discard(1, limit: 10))
        #expect(isBeyond == [false, false, true])
    }

    @Test("A client that has sent everything leaves nothing to be thrown away, and no stream that lingers")
    func finishedRequest() {
        for state in [HTTP2Stream.State.answering(discarded: 5, isHead: true), .sending(discarded: 5)] {
            var stream = Self.stream(state)
            stream.finishRequest()
            let isBeyond = stream.discard(100, limit: 10)
            if case .answering(let discarded, let isHead) = stream.state { #expect(discarded == nil && isHead) }
            let lingers = stream.finishAnswer()
            #expect(!isBeyond && !lingers)
        }
    }

    @Test("A state that sends nothing holds no content, and nothing of the one before")
    func changes() {
        var stream = Self.stream(.head)
        weak var source: Silent?
        do {
            let silent = Silent()
            source = silent
            stream.change(to: .sending(discarded: nil), sending: AnswerContent(from: silent, length: nil))
        }
        stream.blockedSince = 7
        #expect(source != nil && !stream.content.isEmpty)
        var last: HTTP2Stream? = stream.change(to: .reset(.paid))
        #expect(source != nil, "the caller lets go of it")
        #expect(last?.blockedSince == 7)
        last = nil
        #expect(source == nil && stream.content.isEmpty && stream.blockedSince == 0)
    }

    /// What is done to a source's content, with what each step is to return.
    enum Step: Sendable {
        case wake(Bool)
        case ask(Bool)
        case end(AnswerContent.Readiness, Bool)
    }

    static let turns: [(String, [Step])] = [
        ("nghttp2 does not wait for what was never asked", [.wake(false)]),
        (
            "a source that has nothing is waited for once",
            [.ask(true), .end(.pending, true), .wake(true), .wake(false)]
        ),
        ("woken while it is asked, it is asked again", [.ask(true), .wake(false), .end(.pending, false), .ask(true)]),
        ("woken with its newest event", [.ask(true), .wake(false), .end(.drained, false), .ask(true)]),
        (
            "with nothing behind its newest event it is not asked, and waited for",
            [.ask(true), .end(.drained, true), .ask(false), .wake(true), .ask(true)]
        ),
        ("woken between an event and the next turn", [.ask(true), .end(.drained, true), .wake(false), .ask(true)]),
    ]

    @Test("A source is asked if it may have something, and waited for if it was not woken since", arguments: turns)
    func readiness(name: String, steps: [Step]) {
        var content = AnswerContent(from: Silent(), length: nil)
        for step in steps {
            let (result, expected) =
                switch step {
                case .wake(let expected): (content.wake(), expected)
                case .ask(let expected): (content.beginAsking(), expected)
                case .end(let next, let expected): (content.finishAsking(next), expected)
                }
            #expect(result == expected, "\(name): \(step)")
        }
    }

    @Test("A part is taken in pieces, and let go of with the last one")
    func parts() {
        var content = AnswerContent([1, 2, 3, 4, 5], 1..<5)
        let first = content.takePart(3)
        #expect(first.bytes == [1, 2, 3, 4, 5] && first.range == 1..<4)
        #expect(!content.isEmpty && !content.part.isEmpty)
        let last = content.takePart(3)
        #expect(last.range == 4..<5 && content.isEmpty && content.part.isEmpty)
    }

    @Test("An announced length is kept to the byte", arguments: [(5, true, true), (4, true, false), (6, false, false)])
    func lengths(count: Int, isWithin: Bool, isWhole: Bool) {
        var content = AnswerContent(from: Silent(), length: 5)
        #expect(content.hasLength)
        let found = (content.count(count), content.endSource().isWhole)
        #expect(found == (isWithin, isWhole))
    }

    private static func request(_ number: UInt32, _ size: Int) throws -> HTTP2Request {
        var parser = RequestParser()
        var cursor = 0
        let bytes = Array("GET / HTTP/1.1\r\nHost: h\r\n\r\n".utf8)
        guard case .head(let head) = try parser.next(in: bytes.span, cursor: &cursor) else { throw Missing() }
        return HTTP2Request(stream: StreamID(number), head: head, content: [], headSize: size)
    }

    private struct Missing: Error {}

    @Test("Requests wait in order, within their bytes, and a closed one holds its place until it is answered")
    func inFlight() throws {
        var limits = HTTP2Limits()
        (limits.maxInFlight, limits.maxWaitingBytes) = (1, 30)
        var requests = InFlightRequests(limits)
        let admissions = try [(1, 99), (3, 10), (5, 20), (7, 1)].map { requests.offer(try Self.request($0, $1)) }
        #expect(admissions == [.admitted, .waits, .waits, .refused])
        #expect(requests.waitingBytes == 30)
        requests.close(StreamID(1))
        let none = (requests.next(), requests.release(closed: StreamID(3)))
        #expect(none.0 == nil && !none.1 && requests.count == 1)
        let released = (requests.release(closed: StreamID(1)), requests.release(closed: StreamID(1)))
        #expect(released == (true, false))
        // The stream of the first one has closed: the next takes its place.
        let next = [requests.next(), requests.next()]
        #expect(next.map(\.?.stream) == [StreamID(3), StreamID(5)] && requests.waitingBytes == 0)
        requests.admit()
        let last = requests.next()
        #expect(last == nil && requests.count == 1)
    }

    @Test("Places are used again, and a key of an earlier stream finds none")
    func places() {
        var table = StreamTable()
        let places = [1, 3, 5].map { table.insert($0) }
        let key = HTTP2StreamKey(place: 1, id: 3)
        #expect(places == [0, 1, 2] && table.place(of: key) == 1)
        let removed = table.remove(at: 1)
        #expect(removed.id == 3 && table.count == 2 && table.place(of: key) == nil)
        let place = table.insert(7)
        #expect(place == 1 && table.count == 3 && table.place(of: key) == nil && table.places == 0..<3)
    }

    @Test("A queue gives what came first, however it grows and shrinks")
    func queue() {
        var queue = ArrayQueue<Int>()
        var (added, taken) = (0, [Int]())
        for round in 1...40 {
            for _ in 0..<round {
                queue.append(added)
                added += 1
            }
            for _ in 0..<(round * 7 / 8) { taken += queue.popFirst().map { [$0] } ?? [] }
        }
        while let element = queue.popFirst() { taken.append(element) }
        #expect(taken == Array(0..<added) && queue.isEmpty)
    }
}
