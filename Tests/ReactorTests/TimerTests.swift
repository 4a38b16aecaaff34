import Reactor
import Testing

@Suite("Timers")
struct TimerTests {
    @Test("timers fire by deadline, equal ones in the order they were set, none early")
    func order() async throws {
        let clock = ManualClock()
        let loop = try EventLoop(name: "timers", clock: clock)
        let record = Record<Int>()
        for delay in [30, 10, 20, 10] {
            loop.schedule(after: .milliseconds(delay)) { record.add(delay) }
        }
        loop.schedule(after: .milliseconds(10)) { record.add(-10) }
        _ = await onLoop(loop) { 0 }
        clock.advance(by: .milliseconds(9), waking: [loop])
        _ = await onLoop(loop) { 0 }
        #expect(record.values.isEmpty)
        clock.advance(by: .milliseconds(11), waking: [loop])
        _ = await onLoop(loop) { 0 }
        _ = await onLoop(loop) { 0 }
        #expect(record.values == [10, 10, -10, 20])
        clock.advance(by: .seconds(1), waking: [loop])
        _ = await onLoop(loop) { 0 }
        _ = await onLoop(loop) { 0 }
        #expect(record.values == [10, 10, -10, 20, 30])
        await loop.stopAndWait()
    }

    @Test("a cancelled timer never fires and lets go of what it holds")
    func cancelling() async throws {
        final class Held: Sendable {}
        let clock = ManualClock()
        let loop = try EventLoop(name: "cancel", clock: clock)
        let record = Record<Int>()
        var held: Held? = Held()
        weak let observed = held
        let timer = loop.schedule(after: .seconds(1)) { [held] in withExtendedLifetime(held) { record.add(1) } }
        held = nil
        #expect(timer.isPending && observed != nil)
        timer.cancel()
        timer.cancel()
        #expect(!timer.isPending && observed == nil)
        clock.advance(by: .seconds(2), waking: [loop])
        _ = await onLoop(loop) { 0 }
        _ = await onLoop(loop) { 0 }
        #expect(record.values.isEmpty)
        await loop.stopAndWait()
    }

    @Test("with the kernel's clock a timer fires at or after its deadline")
    func realTime() async throws {
        let loop = try EventLoop(name: "real")
        let clock = ContinuousClock()
        let start = clock.now
        await withCheckedContinuation { continuation in
            loop.schedule(after: .milliseconds(15)) { continuation.resume() }
        }
        #expect(clock.now - start >= .milliseconds(15))
        await loop.stopAndWait()
    }

    @Test("a timer that sets itself for the same moment does not keep the loop from other work")
    func selfSetting() async throws {
        let loop = try EventLoop(name: "again", clock: ManualClock())
        @Sendable func again() { loop.schedule(after: .zero) { again() } }
        again()
        for number in 0..<50 { #expect(await onLoop(loop) { number } == number) }
        await loop.stopAndWait()
    }

    @Test("the heap gives its payloads back in order, and removes what it is told to", arguments: 0..<20)
    func heap(seed: UInt64) {
        var state = seed &* 0x9e37_79b9_7f4a_7c15 | 1
        func random(_ bound: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % bound
        }
        var heap = DeadlineHeap<Int>()
        var expected: [(deadline: UInt64, payload: Int)] = []
        for payload in 0..<random(200) + 1 {
            let deadline = UInt64(random(50))
            heap.insert(payload, at: deadline)
            expected.append((deadline, payload))
        }
        heap.removeAll { $0 % 3 == 0 }
        expected = expected.filter { $0.payload % 3 != 0 }.sorted {
            ($0.deadline, $0.payload) < ($1.deadline, $1.payload)
        }
        #expect(heap.count == expected.count)
        var found: [Int] = []
        for now in 0..<UInt64(50) {
            while let payload = heap.popDue(at: now) {
                #expect(expected[found.count].deadline <= now)
                found.append(payload)
            }
        }
        #expect(found == expected.map(\.payload), "seed \(seed)")
    }

    @Test(
        "durations become nanoseconds without trapping",
        arguments: [
            (Duration.milliseconds(1500), 1_500_000_000), (.seconds(-1), 0), (.zero, 0), (.nanoseconds(7), 7),
            (.seconds(Int64.max), UInt64(Int64.max)),
        ] as [(Duration, UInt64)])
    func nanoseconds(duration: Duration, expected: UInt64) {
        #expect(duration.nanoseconds == expected)
    }
}
