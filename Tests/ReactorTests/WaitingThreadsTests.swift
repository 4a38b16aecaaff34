import Glibc
import Reactor
import Synchronization
import TestSupport
import Testing

/// A door that calls wait at.
private final class Door: Sendable {
    private let pipe: (Int32, Int32)

    init() throws {
        var ends: [Int32] = [0, 0]
        try #require(Glibc.pipe(&ends) == 0)
        pipe = (ends[0], ends[1])
    }

    deinit {
        close(pipe.0)
        close(pipe.1)
    }

    /// Waits until `open` lets one through.
    func pass() {
        var byte: UInt8 = 0
        _ = read(pipe.0, &byte, 1)
    }

    func open(for count: Int) {
        _ = [UInt8](repeating: 0, count: count).withUnsafeBytes { write(pipe.1, $0.baseAddress, $0.count) }
    }
}

@Suite("Threads for calls that wait")
struct WaitingThreadsTests {
    @Test("no more than the limit run at a time, the rest waits, and what is too much is refused")
    func bounds() async throws {
        let threads = WaitingThreads(name: "waiting", limit: 2, maxWaiting: 3)
        let (door, started) = (try Door(), Record<Int>())
        let taken = (0..<6).map { number in
            threads.run {
                started.add(number)
                door.pass()
            }
        }
        #expect(taken == [true, true, true, true, true, false])
        try await eventually("as many run as may") { started.values.count == 2 }
        #expect(Set(started.values) == [0, 1])
        #expect(threads.count == 2)
        door.open(for: 1)
        try await eventually("the next runs") { started.values.count == 3 }
        #expect(started.values.last == 2)
        door.open(for: 4)
        try await eventually("no thread is left") { threads.count == 0 }
        #expect(Set(started.values.suffix(3)) == [2, 3, 4])
    }

    @Test("one thread runs what it is given in order")
    func order() async throws {
        let threads = WaitingThreads(name: "waiting", limit: 1, maxWaiting: 1000)
        let done = Record<Int>()
        for number in 0..<1000 {
            let isTaken = threads.run { done.add(number) }
            #expect(isTaken)
        }
        try await eventually("all are done") { done.values.count == 1000 }
        #expect(done.values == Array(0..<1000))
    }

    @Test("threads end when nothing is left, and come back")
    func comingBack() async throws {
        let threads = WaitingThreads(name: "waiting", limit: 4, maxWaiting: 100)
        let done = Atomic<Int>(0)
        for round in 1...20 {
            for _ in 0..<10 {
                let isTaken = threads.run { done.wrappingAdd(1, ordering: .relaxed) }
                #expect(isTaken)
            }
            try await eventually("no thread is left") { threads.count == 0 }
            #expect(done.load(ordering: .relaxed) == 10 * round)
        }
    }
}
