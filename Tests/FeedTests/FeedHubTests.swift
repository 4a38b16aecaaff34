import HTTPServer
import HTTPWire
import Reactor
import Synchronization
import TestSupport
import Testing

@testable import Feed

@Suite("Waking a director's subscribers")
struct FeedHubTests {
    /// Stands in for the HTTP server: remembers who was woken, and may act on it as a connection would.
    private final class Wakes: ExchangeOwner {
        let woken = Mutex<[UInt64: Int]>([:])
        let onWake = Mutex<(@Sendable (UInt64) -> Void)?>(nil)

        func answer(_ answer: ExchangeAnswer, to ticket: UInt64) {}
        func closeStream(_ ticket: UInt64) {}
        func wakeStream(_ ticket: UInt64) {
            woken.withLock { $0[ticket, default: 0] += 1 }
            onWake.withLock { $0 }?(ticket)
        }

        /// How often each was woken since the last call.
        func take() -> [UInt64: Int] {
            woken.withLock { woken in
                defer { woken = [:] }
                return woken
            }
        }
    }

    /// One hub and who is in it, on a loop of their own.
    private struct Bench: Sendable {
        let loop: EventLoop
        let hub: FeedHub
        let owner = Wakes()

        init(_ group: EventLoopGroup) {
            loop = group.loops[0]
            hub = FeedHub(loop: group.loops[0], startingAt: 0, feed: FeedConfiguration())
        }

        func join(_ ticket: UInt64) -> Int32 {
            let handle = StreamHandle(owner: owner, ticket: ticket)
            return hub.assumeIsolated { $0.join(handle) }
        }

        func append(_ sequence: Int) {
            let frame = EventFrame(ServerSentEvent(event: "e", data: []))
            hub.assumeIsolated { $0.append(FeedEntry(sequence: sequence, version: sequence, frame: frame)) }
        }

        /// Runs work on the loop and waits for it.
        func run<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async -> Value {
            await withCheckedContinuation { continuation in
                loop.execute { continuation.resume(returning: work()) }
            }
        }

        /// Waits until passes that are under way are over: each slice hands itself in behind what is there.
        func settle() async {
            for _ in 0..<64 { await run {} }
        }
    }

    private static func withBench(_ body: (Bench) async throws -> Void) async throws {
        let group = try EventLoopGroup(count: 1)
        do {
            try await body(Bench(group))
        } catch {
            await group.stop()
            throw error
        }
        await group.stop()
    }

    @Test("a member that joins during a pass costs nobody the wake-up")
    func joinDuringPass() async throws {
        try await Self.withBench { bench in
            await bench.run {
                let names = (0..<300).map { bench.join(UInt64($0)) }
                // Leaves the next pass to begin in the middle.
                bench.append(0)
                bench.hub.assumeIsolated { $0.leave(names[299]) }
            }
            await bench.settle()
            _ = bench.owner.take()
            await bench.run {
                bench.append(1)
                for ticket in 300..<420 { _ = bench.join(UInt64(ticket)) }
            }
            await bench.settle()
            let woken = bench.owner.take()
            #expect((0..<299).filter { woken[UInt64($0)] == nil } == [])
        }
    }

    @Test("whoever is there from an entry's arrival to the end of its pass is woken for it, and every pass ends")
    func passes() async throws {
        let seed = runSeed
        print("passes of a feed: CALLBOARD_SEED=\(seed)")
        for run in 0..<60 {
            try await Self.withBench { bench in
                try await Self.pass(bench, SeededGenerator(seed: seed &+ UInt64(run)), "seed \(seed), run \(run)")
            }
        }
    }

    private static func pass(_ bench: Bench, _ source: SeededGenerator, _ what: String) async throws {
        var random = source
        var members: [UInt64: Int32] = [:]
        var nextTicket: UInt64 = 0
        var waiting: Set<UInt64> = []
        for step in 0..<24 {
            let joining = Int.random(in: 0...(step == 0 ? 500 : 160), using: &random)
            let tickets = (0..<joining).map { nextTicket + UInt64($0) }
            nextTicket += UInt64(joining)
            let share = Int.random(in: 0...5, using: &random)
            let leaving = members.keys.sorted().filter { _ in Int.random(in: 0..<6, using: &random) < share }
            let isAppending = Int.random(in: 0..<3, using: &random) > 0
            let names = leaving.compactMap { members[$0] }
            let joined = await bench.run {
                for name in names { bench.hub.assumeIsolated { $0.leave(name) } }
                let joined = tickets.map { bench.join($0) }
                if isAppending { bench.append(step) }
                return joined
            }
            for ticket in leaving { members[ticket] = nil }
            for (ticket, name) in zip(tickets, joined) { members[ticket] = name }
            // Sometimes all have had their turn, sometimes the next step falls into the pass.
            let woken = Set(bench.owner.take().keys)
            waiting.subtract(woken)
            waiting.formIntersection(members.keys)
            if isAppending { waiting.formUnion(Set(members.keys).subtracting(woken)) }
            if Bool.random(using: &random) {
                await bench.settle()
                waiting.subtract(bench.owner.take().keys)
                try #require(waiting.isEmpty, "\(what), step \(step): \(waiting.count) were not woken")
            }
        }
    }

    @Test(
        "members that leave while they are woken, all or every second, keep nobody from being woken; the pass ends")
    func leaveWhileWoken() async throws {
        for stride in 1...3 {
            try await Self.withBench { bench in
                let names = Mutex<[UInt64: Int32]>([:])
                await bench.run {
                    let joined = (0..<400).map { (UInt64($0), bench.join(UInt64($0))) }
                    names.withLock { $0 = Dictionary(uniqueKeysWithValues: joined) }
                }
                bench.owner.onWake.withLock {
                    $0 = { ticket in
                        guard ticket % UInt64(stride) == 0, let name = names.withLock({ $0[ticket] }) else { return }
                        bench.hub.assumeIsolated { $0.leave(name) }
                    }
                }
                await bench.run { bench.append(0) }
                await bench.settle()
                let woken = bench.owner.take()
                #expect(woken.count == 400)
                await bench.settle()
                #expect(bench.owner.take().isEmpty)
            }
        }
    }
}
