import Reactor
import Testing

@Suite("Work in the background of a loop")
struct BackgroundWorkTests {
    /// Hands in `count` pieces of background work that take a time each, the first of which hands in normal work, and
    /// returns what ran, in order: the numbers of the pieces, and -1 for the normal work.
    private func order(of count: Int, each duration: Duration) async throws -> [Int] {
        let clock = ManualClock()
        let loop = try EventLoop(name: "background", clock: clock)
        let record = Record<Int>()
        loop.execute {
            for number in 0..<count {
                loop.execute(at: .background) {
                    if number == 0 { loop.execute { record.add(-1) } }
                    clock.advance(by: duration, waking: [])
                    record.add(number)
                }
            }
        }
        await loop.stopAndWait()
        return record.values
    }

    @Test("it runs in the order in which it was handed in, and other work goes before the rest of it")
    func givesWay() async throws {
        #expect(try await order(of: 10, each: .microseconds(30)) == [0, 1, 2, 3, -1, 4, 5, 6, 7, 8, 9])
    }

    @Test("what is short runs in one turn")
    func short() async throws {
        #expect(try await order(of: 10, each: .microseconds(5)) == Array(0..<10) + [-1])
    }

    @Test("what has waited for too long runs to its end")
    func patience() async throws {
        #expect(try await order(of: 10, each: .milliseconds(13)) == Array(0..<10) + [-1])
        #expect(try await order(of: 10, each: .milliseconds(7)) == [0, 1, 2, 3, -1] + Array(4..<10))
    }

    @Test("work that is handed in meanwhile waits behind it, and a loop that is stopped runs all of it")
    func more() async throws {
        let clock = ManualClock()
        let loop = try EventLoop(name: "more", clock: clock)
        let record = Record<Int>()
        loop.execute {
            for number in 0..<8 {
                loop.execute(at: .background) {
                    loop.execute(at: .background) { record.add(number + 8) }
                    clock.advance(by: .milliseconds(1), waking: [])
                    record.add(number)
                }
            }
        }
        await loop.stopAndWait()
        #expect(record.values == Array(0..<16))
    }

    @Test("a loop that waits is woken by it, and keeps nothing of it once it has run")
    func wakes() async throws {
        let loop = try EventLoop(name: "wakes")
        for _ in 0..<100 {
            weak var kept: Record<Int>?
            await withCheckedContinuation { continuation in
                let record = Record<Int>()
                kept = record
                loop.execute(at: .background) {
                    record.add(1)
                    continuation.resume()
                }
            }
            await onLoop(loop) {}
            await onLoop(loop) {}
            #expect(kept == nil)
        }
        await loop.stopAndWait()
    }

    @Test("an actor's priority is that of what is sent to it; on the loop, it is entered at once")
    func actor() async throws {
        let loop = try EventLoop(name: "actor")
        let follower = Follower(loop: loop)
        let record = Record<String>()
        await onLoop(loop) {
            follower.send { _ in record.add("sent") }
            loop.execute { record.add("normal") }
            follower.enter { _ in record.add("entered") }
        }
        await loop.stopAndWait()
        #expect(record.values == ["entered", "normal", "sent"])
    }
}

/// An actor that gives way.
private actor Follower: LoopActor {
    static var priority: LoopPriority { .background }
    nonisolated let loop: EventLoop

    init(loop: EventLoop) { self.loop = loop }
}
