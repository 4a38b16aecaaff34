import DirectorLife
import Directors
import HTTPServer
import HTTPWire
import JSONValues
import Reactor
import Synchronization
import Testing

@testable import Feed

@Suite("Long events in turns")
struct LongEventTests {
    /// A director that answers each subscription with one long event, and the loop's streams.
    private final class Source: FeedSource {
        let name = "d"
        let epoch = "e"
        let newestVersion = 1
        let event: Mutex<LongEvent?>
        let hub: FeedHub

        init(_ event: LongEvent, loop: EventLoop) {
            self.event = Mutex(event)
            hub = FeedHub(loop: loop, startingAt: 0, feed: FeedConfiguration())
        }

        func open(
            _ terms: SubscriptionTerms, on loop: EventLoop, isLate: Bool,
            completion: @escaping @Sendable (Opening, FeedHub) -> Void
        ) {
            guard let event = event.withLock({ $0 }) else { return }
            let opening = Opening(events: [.init(.long(event), version: 1)], position: 0)
            completion(opening, hub)
        }
    }

    /// Stands in for connections: keeps what each is sent, and the order of all.
    private final class Owner: ExchangeOwner {
        struct State {
            var streams: [UInt64: any BodyProducer] = [:]
            var sent: [UInt64: [UInt8]] = [:]
            /// The pieces and the other work of the loop in the order in which they came.
            var order: [String] = []
            var closed: Set<UInt64> = []
            /// How many pieces each connection takes before the kernel has no room.
            var room = Int.max
            var pieces: [UInt64: Int] = [:]

            func canWrite(_ ticket: UInt64) -> Bool { pieces[ticket, default: 0] < room }
        }
        let state = Mutex(State())
        let buffers = BufferBudget(limit: 1_000_000)

        func answer(_ answer: ExchangeAnswer, to ticket: UInt64) {}

        func closeStream(_ ticket: UInt64) {
            state.withLock { _ = $0.closed.insert(ticket) }
            state.withLock { $0.streams.removeValue(forKey: ticket) }?.connectionClosed()
        }

        func wakeStream(_ ticket: UInt64) {
            guard let producer = state.withLock({ $0.streams[ticket] }) else { return }
            while state.withLock({ $0.canWrite(ticket) }) {
                switch producer.next() {
                case .frame(let frame), .latest(let frame):
                    state.withLock { $0.sent[ticket, default: []] += frame.storage[frame.payload] }
                case .bytes(let shared):
                    state.withLock {
                        $0.sent[ticket, default: []] += shared.bytes
                        $0.order.append("piece")
                        $0.pieces[ticket, default: 0] += 1
                    }
                case .pending, .later, .end: return
                }
            }
        }
    }

    private struct Bench: Sendable {
        let loop: EventLoop
        let streams: LoopStreams
        let owner = Owner()
        let source: Source
        let whole: [UInt8]

        init(_ group: EventLoopGroup) throws {
            loop = group.loops[0]
            streams = LoopStreams(loop: group.loops[0], heartbeat: .milliseconds(80))
            let director = try LongEventTests.director(count: 6_000)
            var encoder = EventEncoder(
                snapshot: SnapshotEncoder(director, director.published, includingElements: true))
            let event = LongEvent(version: 1, memory: 600_000, isRetained: true, encoder: encoder)
            source = Source(event, loop: loop)
            var whole = encoder.next(size: .max)
            ServerSentEvent.appendEnd(id: "e-1", to: &whole)
            self.whole = whole
        }

        /// Starts a stream; the pieces follow in later turns.
        func start(_ ticket: UInt64) async {
            await run {
                let stream = Subscription(
                    loop: loop, identity: StreamIdentity(number: ticket, since: 0), streams: streams, sources: [source],
                    terms: SubscriptionTerms(), preamble: [],
                    isShared: false)
                owner.state.withLock { $0.streams[ticket] = stream }
                stream.streamStarted(StreamHandle(owner: owner, ticket: ticket))
            }
        }

        /// Runs work in a turn of the loop and waits for it.
        func run<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async -> Value {
            await withCheckedContinuation { continuation in
                loop.execute { continuation.resume(returning: work()) }
            }
        }

        /// Starts streams whose connections can write from one moment on, and takes part in every turn from there as a small
        /// request would, until all have been sent the whole.
        func watchTurns(of tickets: Range<UInt64>) async {
            owner.state.withLock { $0.room = 0 }
            for ticket in tickets { await start(ticket) }
            await withCheckedContinuation { continuation in
                loop.execute {
                    owner.state.withLock { $0.room = .max }
                    for ticket in tickets { owner.wakeStream(ticket) }
                    turn(tickets) { continuation.resume() }
                }
            }
        }

        /// Starts streams whose connections take three pieces and then no more for now.
        func startStuck(_ tickets: Range<UInt64>) async {
            owner.state.withLock { $0.room = 3 }
            for ticket in tickets { await start(ticket) }
            while owner.state.withLock({ state in tickets.contains { state.canWrite($0) } }) { await run {} }
        }

        private func turn(_ tickets: Range<UInt64>, _ done: @escaping @Sendable () -> Void) {
            loop.execute {
                let isOver = owner.state.withLock { state in
                    state.order.append("request")
                    return tickets.allSatisfy { state.sent[$0]?.count == whole.count }
                }
                if isOver { done() } else { turn(tickets, done) }
            }
        }
    }

    private static func director(count: Int) throws -> Director {
        var director = Director(name: "d", epoch: "e", properties: DirectorProperties(defaultsOf: .table))
        try director.register(CellAdapter(model: "M", cell: "C"))
        let text = String(repeating: "x", count: 90)
        let elements = try (0..<count).map {
            ElementDraft(value: try JSONValue(parsing: #"{"id":\#($0),"text":"\#(text)"}"#))
        }
        try director.perform([.sections(.set([SectionDraft(identifier: "s", elements: elements)]))])
        _ = try director.reload()
        return director
    }

    private static func withBench(_ body: (Bench) async throws -> Void) async throws {
        let group = try EventLoopGroup(count: 1)
        do {
            try await body(try Bench(group))
        } catch {
            await group.stop()
            throw error
        }
        await group.stop()
    }

    @Test("a request gets its turn after a few pieces, of one stream's event or of ten's", arguments: [1, 10])
    func turns(count: UInt64) async throws {
        try await Self.withBench { bench in
            await bench.watchTurns(of: 0..<count)
            let (order, sent) = bench.owner.state.withLock { ($0.order, $0.sent) }
            let pieces = bench.whole.count / LongEvent.pieceSize
            #expect(order.count { $0 == "piece" } >= pieces * Int(count))
            #expect(pieces > 10)
            let between = order.split(separator: "request").map(\.count)
            #expect(between.count > pieces / LoopStreams.slice)
            #expect((between.max() ?? 0) <= LoopStreams.slice)
            // A heartbeat may have followed on a machine that is busy.
            #expect((0..<count).allSatisfy { sent[$0]?.starts(with: bench.whole) ?? false })
        }
    }

    @Test("streams that begin together have each piece encoded once, and nothing is kept once they are through")
    func sharing() async throws {
        try await Self.withBench { bench in
            await bench.watchTurns(of: 0..<10)
            let (encoded, kept) = await bench.run {
                bench.streams.assumeIsolated { ($0.piecesEncoded, $0.pieceBytes) }
            }
            // Streams that began some turns apart may each encode what the other has not come to.
            #expect(encoded < 2 * (bench.whole.count / LongEvent.pieceSize + 1))
            #expect(kept == 0)
        }
    }

    @Test("a client that leaves in the middle leaves nothing behind")
    func leaving() async throws {
        try await Self.withBench { bench in
            await bench.startStuck(0..<2)
            weak let event = bench.source.event.withLock { $0 }
            bench.source.event.withLock { $0 = nil }
            await bench.run {
                for ticket: UInt64 in [0, 1] { bench.owner.closeStream(ticket) }
            }
            // A turn that was due finds the streams gone.
            for _ in 0..<4 { await bench.run {} }
            #expect(event == nil)
            #expect(await bench.run { bench.streams.assumeIsolated { $0.pieceBytes } } == 0)
            #expect(bench.owner.buffers.current == 0)
            #expect(bench.owner.state.withLock { ($0.sent[0] ?? []).count } < bench.whole.count)
        }
    }

    @Test("a state that the director has dropped is charged once for all its streams, and given back with the last")
    func charging() async throws {
        try await Self.withBench { bench in
            let owner = bench.owner
            await bench.startStuck(0..<2)
            let streams = owner.state.withLock { $0.streams }
            await bench.run { for stream in [0, 1] { streams[UInt64(stream)]?.sweep() } }
            #expect(owner.buffers.current == 0)
            bench.source.event.withLock { $0 }?.versionWasDropped()
            await bench.run { for stream in [0, 1] { streams[UInt64(stream)]?.sweep() } }
            #expect(owner.buffers.current == 600_000)
            await bench.run { streams[0]?.connectionClosed() }
            #expect(owner.buffers.current == 600_000)
            await bench.run { streams[1]?.connectionClosed() }
            #expect(owner.buffers.current == 0)
        }
    }

    @Test("a stream whose state is dropped and has no room in the budget is cut off")
    func refusal() async throws {
        try await Self.withBench { bench in
            let owner = bench.owner
            await bench.startStuck(0..<1)
            let stream = owner.state.withLock { $0.streams[0] }
            let other = Atomic<Int>(0)
            let isKept = owner.buffers.keep(other, size: 500_000)
            #expect(isKept)
            bench.source.event.withLock { $0 }?.versionWasDropped()
            await bench.run { stream?.sweep() }
            #expect(owner.state.withLock { $0.closed } == [0])
            #expect(owner.buffers.current == 500_000)
        }
    }
}

extension BodyProducer {
    /// What the loop's timer does with a stream every now and then.
    fileprivate func sweep() {
        (self as? Subscription)?.assumeIsolated { $0.chargeTransfer() }
    }
}
