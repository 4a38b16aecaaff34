import HTTPServer
import HTTPTypes
import HTTPWire
import Journal
import Logging
import Reactor
import Synchronization
import TestSupport
import Testing

@testable import CallboardAPI

/// An application with one director, and connections on two loops.
private struct Bench {
    let group: EventLoopGroup
    let application: Application
    let owners: [TestOwner]
    let path = "/v1/directors/d"

    static func run(_ body: (Bench) async throws -> Void) async throws {
        let group = try EventLoopGroup(count: 2)
        var logger = Logger(label: "test")
        logger.logLevel = .critical
        let application = try Application(
            configuration: APIConfiguration(), group: group, journal: MemoryJournal(), logger: logger)
        let bench = Bench(group: group, application: application, owners: group.loops.map { TestOwner(loop: $0) })
        do {
            _ = await bench.owners[0].send(application, .put, bench.path, #"{"kind":"table"}"#)
            try await body(bench)
        } catch {
            Issue.record(error)
        }
        await group.stop()
    }

    /// How many hubs the director has; nil where there is no director.
    func hubs() async -> Int? {
        await application.environment.registry.host(named: "d")?.hubCount
    }

    func follow(on loop: Int) async {
        _ = await owners[loop].send(application, .get, path + "/changesets", accept: "text/event-stream")
    }

    /// Waits until what the loops were handed, and what that has handed on, has run.
    func settle() async {
        for _ in 0..<8 {
            for loop in group.loops {
                await withCheckedContinuation { continuation in loop.execute { continuation.resume() } }
            }
        }
    }
}

@Suite("Hubs without subscribers")
struct HubLifetimeTests {
    @Test("a hub goes with its last subscriber, and the next one gets a new hub")
    func lastSubscriber() async throws {
        try await Bench.run { bench in
            for _ in 0..<3 {
                for loop in [0, 0, 1] { await bench.follow(on: loop) }
                await bench.settle()
                #expect(await bench.hubs() == 2)
                await bench.owners[0].closeStreams()
                await bench.settle()
                #expect(await bench.hubs() == 1)
                await bench.owners[1].closeStreams()
                await bench.settle()
                #expect(await bench.hubs() == 0)
            }
        }
    }

    @Test(
        "streams that come while others go, and that go before they have begun, leave no hub, and cost none its events")
    func comingAndGoing() async throws {
        let seed = runSeed
        print("streams that come and go: CALLBOARD_SEED=\(seed)")
        var random = SeededGenerator(seed: seed)
        try await Bench.run { bench in
            for _ in 0..<300 {
                let loop = random.below(2)
                switch random.below(3) {
                case 0: await bench.follow(on: loop)
                case 1: await bench.owners[loop].closeStreams()
                default: if random.chance(4) { await bench.settle() }
                }
            }
            let steady = StuckOwner(loop: bench.group.loops[1], limit: .max)
            try await steady.follow(bench.application, "/v1/directors/d/changesets")
            await bench.owners[0].closeStreams()
            await bench.owners[1].closeStreams()
            await bench.settle()
            #expect(await bench.hubs() == 1)
            _ = await bench.owners[0].send(
                bench.application, .post, bench.path + "/sections?reload=true", #"{"id":"s"}"#)
            await bench.settle()
            #expect(await steady.pull().contains { $0.contains("event: changeset") })
            await steady.leave()
            await bench.settle()
            #expect(await bench.hubs() == 0)
        }
    }
}

@Suite("Streams that cannot be sent what they begin with")
struct StuckStreamTests {
    @Test(
        "what waits for a stuck stream of four directors is charged, once for two that wait for the same, until they go"
    )
    func charged() async throws {
        try await Bench.run { bench in
            let target = try await Self.fill(bench)
            let owner = StuckOwner(loop: bench.group.loops[0], limit: 100 << 20)
            try await owner.follow(bench.application, target)
            await bench.settle()
            let charged = owner.buffers.current
            #expect((4_000_000...4_100_000).contains(charged))
            try await owner.follow(bench.application, target)
            await bench.settle()
            #expect(owner.buffers.current == charged)
            // One that takes what there is, and is quick, is charged for no longer.
            _ = await owner.pull()
            #expect(owner.buffers.current == charged)
            await owner.leave()
            #expect(owner.buffers.current == 0)
        }
    }

    @Test("beyond the bound the stream is ended, and nothing stays charged")
    func ended() async throws {
        try await Bench.run { bench in
            let target = try await Self.fill(bench)
            let owner = StuckOwner(loop: bench.group.loops[0], limit: 2_500_000)
            try await owner.follow(bench.application, target)
            await bench.settle()
            #expect(owner.isClosed && owner.buffers.current == 0)
        }
    }

    /// Publishes a megabyte in each of four directors, and returns the path that follows them all.
    private static func fill(_ bench: Bench) async throws -> String {
        let owner = bench.owners[0]
        let title = String(repeating: "x", count: 1_000_000)
        for name in ["a", "b", "c", "e"] {
            let path = "/v1/directors/\(name)"
            #expect(await owner.send(bench.application, .put, path, #"{"kind":"table"}"#) == 201)
            let section = #"{"id":"s","headerTitle":"\#(title)"}"#
            #expect(await owner.send(bench.application, .post, path + "/sections?reload=true", section) == 201)
        }
        return "/v1/changesets?director=a&director=b&director=c&director=e"
    }
}

/// A client that reads nothing unless it is told to.
private final class StuckOwner: ExchangeOwner {
    private struct State {
        var producers: [any BodyProducer] = []
        var started: CheckedContinuation<Void, Never>?
        var isClosed = false
    }

    let buffers: BufferBudget
    private let loop: EventLoop
    private let state = Mutex(State())

    init(loop: EventLoop, limit: Int) {
        self.loop = loop
        buffers = BufferBudget(limit: limit)
    }

    var isClosed: Bool { state.withLock { $0.isClosed } }

    /// Begins to follow, and returns once the stream has begun.
    func follow(_ application: Application, _ target: String) async throws {
        let fields: HTTPFields = [.accept: "text/event-stream"]
        await withCheckedContinuation { continuation in
            state.withLock { $0.started = continuation }
            loop.execute { [self] in
                application.handle(
                    Exchange(
                        head: RequestHead(method: .get, target: target, fields: fields), body: [], loop: loop,
                        peer: .unix(path: ""), id: 1, owner: self, ticket: 1))
            }
        }
    }

    /// Takes everything that the first stream has.
    func pull() async -> [String] {
        await onLoop { [self] in
            guard let producer = state.withLock({ $0.producers.first }) else { return [] }
            var events: [String] = []
            while true {
                switch producer.next() {
                case .frame(let frame), .latest(let frame):
                    events.append(String(decoding: frame.bytes.prefix(100), as: UTF8.self))
                case .bytes, .pending, .later, .end: return events
                }
            }
        }
    }

    /// Closes all streams.
    func leave() async {
        await onLoop { [self] in closeStream(1) }
    }

    private func onLoop<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async -> Value {
        await withCheckedContinuation { continuation in loop.execute { continuation.resume(returning: work()) } }
    }

    func answer(_ answer: ExchangeAnswer, to ticket: UInt64) {
        loop.execute { [self] in
            if case .stream(_, let producer, _) = answer {
                state.withLock { $0.producers.append(producer) }
                producer.streamStarted(StreamHandle(owner: self, ticket: ticket))
            }
            state.withLock { $0.started.take() }?.resume()
        }
    }

    func wakeStream(_ ticket: UInt64) {}

    func closeStream(_ ticket: UInt64) {
        let producers = state.withLock { state in
            state.isClosed = true
            defer { state.producers = [] }
            return state.producers
        }
        for producer in producers { producer.connectionClosed() }
    }
}
