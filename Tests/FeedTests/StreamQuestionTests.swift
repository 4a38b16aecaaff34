import HTTPServer
import Reactor
import Synchronization
import Testing

@testable import Feed

@Suite("Questions to all streams")
struct StreamQuestionTests {
    /// A director that never answers.
    private final class Source: FeedSource {
        let name = "d"
        let epoch = "e"
        let newestVersion = 7

        func open(
            _ terms: SubscriptionTerms, on loop: EventLoop, isLate: Bool,
            completion: @escaping @Sendable (Opening, FeedHub) -> Void
        ) {}
    }

    private final class Owner: ExchangeOwner {
        func answer(_ answer: ExchangeAnswer, to ticket: UInt64) {}
        func wakeStream(_ ticket: UInt64) {}
        func closeStream(_ ticket: UInt64) {}
    }

    /// Streams of one loop, numbered from 0.
    private func start(_ count: Int, _ streams: LoopStreams) async -> [Subscription] {
        let (loop, source, owner) = (streams.loop, Source(), Owner())
        return await withCheckedContinuation { continuation in
            loop.execute {
                let made = (0..<UInt64(count)).map { number in
                    let stream = Subscription(
                        loop: loop, identity: StreamIdentity(number: number, since: Int(number)), streams: streams,
                        sources: [source], terms: SubscriptionTerms(), preamble: [], isShared: false)
                    stream.streamStarted(StreamHandle(owner: owner, ticket: number))
                    return stream
                }
                continuation.resume(returning: made)
            }
        }
    }

    @Test("streams that stay are asked, whoever leaves meanwhile, a few in each turn of the loop")
    func leaving() async throws {
        let group = try EventLoopGroup(count: 1)
        let streams = LoopStreams(loop: group.loops[0], heartbeat: .seconds(10))
        let made = await start(1_000, streams)
        // In each turn between two parts of the question some leave: from the beginning, from the end, from the middle.
        let leaving = (0..<3).map { turn in [turn, 999 - turn, 500 + 7 * turn, 300 - turn] }
        let turns = Mutex(0)
        @Sendable func leave(_ turn: Int) {
            turns.withLock { $0 += 1 }
            guard turn < leaving.count else { return }
            for number in leaving[turn] { made[number].connectionClosed() }
            group.loops[0].execute { leave(turn + 1) }
        }
        let answers: [StreamListing] = await withCheckedContinuation { continuation in
            group.loops[0].execute {
                StreamQuestion([streams]) {
                    $0.listing(following: nil)
                } completion: { answers in
                    continuation.resume(returning: answers)
                }
                group.loops[0].execute { leave(0) }
            }
        }
        #expect(turns.withLock { $0 } >= 3)
        let numbers = Set(answers.map { Int($0.identity.number) })
        #expect(Set(0..<1_000).subtracting(leaving.joined()).subtracting(numbers) == [])
        #expect(answers.allSatisfy { $0.positions == [.init(director: "d", version: nil, lag: nil)] })
        #expect(streams.count.load(ordering: .relaxed) == 1_000 - 12)
        let none: [StreamListing] = await withCheckedContinuation { continuation in
            StreamQuestion([streams]) {
                $0.listing(following: "other")
            } completion: { answers in
                continuation.resume(returning: answers)
            }
        }
        #expect(none.isEmpty)
        await group.stop()
    }

    @Test("each stream knows its place, in whatever order they leave")
    func places() async throws {
        let group = try EventLoopGroup(count: 1)
        let streams = LoopStreams(loop: group.loops[0], heartbeat: .seconds(10))
        let made = await start(50, streams)
        for number in (0..<50).shuffled() {
            let isConsistent = await withCheckedContinuation { continuation in
                group.loops[0].execute {
                    made[number].connectionClosed()
                    // What closes twice leaves once.
                    made[number].connectionClosed()
                    let all = streams.assumeIsolated { $0.streams }
                    let places = all.map { $0.assumeIsolated { $0.place } }
                    continuation.resume(returning: places == all.indices.map { Int32($0) })
                }
            }
            #expect(isConsistent)
        }
        #expect(streams.count.load(ordering: .relaxed) == 0)
        await group.stop()
    }

    @Test("without a loop there is an answer all the same")
    func empty() async {
        let answers: [Int] = await withCheckedContinuation { continuation in
            StreamQuestion([]) { _ in
                1
            } completion: {
                continuation.resume(returning: $0)
            }
        }
        #expect(answers.isEmpty)
    }
}
