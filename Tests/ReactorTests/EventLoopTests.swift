import Reactor
import Synchronization
import Testing

/// What happened, in order, gathered from any thread.
final class Record<Value: Sendable>: Sendable {
    private let storage = Mutex<[Value]>([])

    var values: [Value] { storage.withLock { $0 } }

    func add(_ value: Value) { storage.withLock { $0.append(value) } }
}

/// Runs `body` on the loop and returns what it returned.
func onLoop<Value: Sendable>(_ loop: EventLoop, _ body: @escaping @Sendable () -> Value) async -> Value {
    await withCheckedContinuation { continuation in
        loop.execute { continuation.resume(returning: body()) }
    }
}

@Suite("Event loops")
struct EventLoopTests {
    @Test("work runs on the loop's thread, in the order it was handed in")
    func order() async throws {
        let loop = try EventLoop(name: "order")
        let record = Record<Int>()
        for number in 0..<1000 { loop.execute { record.add(number) } }
        #expect(await onLoop(loop) { loop.isCurrent && EventLoop.current === loop })
        #expect(record.values == Array(0..<1000))
        #expect(!loop.isCurrent && EventLoop.current == nil)
        await loop.stopAndWait()
    }

    @Test("work from each of several threads stays in that thread's order, and none is lost")
    func manyThreads() async throws {
        let loop = try EventLoop(name: "threads")
        let record = Record<(Int, Int)>()
        await withTaskGroup(of: Void.self) { group in
            for thread in 0..<8 {
                group.addTask {
                    for number in 0..<500 { loop.execute { record.add((thread, number)) } }
                }
            }
        }
        await loop.stopAndWait()
        for thread in 0..<8 {
            #expect(record.values.filter { $0.0 == thread }.map(\.1) == Array(0..<500))
        }
    }

    @Test("work handed in by work waits for the next turn, behind what was there before")
    func nested() async throws {
        let loop = try EventLoop(name: "nested")
        let record = Record<String>()
        loop.execute {
            loop.execute { record.add("inner") }
            record.add("outer")
        }
        await loop.stopAndWait()
        #expect(record.values == ["outer", "inner"])
    }

    @Test("a loop that waits is woken each time, not only the first", arguments: [1, 200])
    func wakeUps(count: Int) async throws {
        let loop = try EventLoop(name: "wake")
        for number in 0..<count { #expect(await onLoop(loop) { number } == number) }
        await loop.stopAndWait()
    }

    @Test("stopping runs everything handed in before, and what that hands in")
    func stopping() async throws {
        let loop = try EventLoop(name: "stop")
        let record = Record<Int>()
        loop.execute { loop.execute { loop.execute { record.add(3) } } }
        await loop.stopAndWait()
        #expect(record.values == [3])
        await loop.stopAndWait()
    }

    @Test("a group deals out its loops in turn, and a name always gets the same one")
    func group() async throws {
        let group = try EventLoopGroup(count: 3)
        let turns = (0..<6).map { _ in group.next().name }
        #expect(turns == ["loop-0", "loop-1", "loop-2", "loop-0", "loop-1", "loop-2"])
        let names = (0..<200).map { "director \($0)" }
        #expect(names.allSatisfy { group.loop(forName: $0) === group.loop(forName: $0) })
        #expect(Set(names.map { group.loop(forName: $0).name }).count == 3)
        await group.stop()
    }

    @Test("a group has at least one loop")
    func atLeastOne() async throws {
        let group = try EventLoopGroup(count: 0)
        #expect(group.loops.count == 1)
        await group.stop()
    }
}
