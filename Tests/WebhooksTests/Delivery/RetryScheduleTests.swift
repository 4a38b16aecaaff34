import Directors
import Reactor
import Testing

@testable import Webhooks

/// When notifications are tried again, and the small parts around it.
struct RetryScheduleTests {
    @Test("without settings the delays are those of Standard Webhooks, ten attempts in all")
    func standard() {
        let schedule = RetrySchedule(jitter: 0)
        let delays = (1...10).map { schedule.delay(afterAttempts: $0, retryAfter: nil, variation: 1) }
        let hours = [2, 5, 10, 14, 20, 24].map { Duration.seconds(3600 * $0) }
        #expect(delays == [.seconds(5), .seconds(300), .seconds(1800)] + hours + [nil])
        #expect(schedule.longestDelay == .seconds(86_400))
    }

    @Test(
        "delays vary by a fifth, and Retry-After is a lower bound within a day",
        arguments: [
            (1, nil, 0.0, 5.0), (1, nil, 1, 6), (1, nil, -1, 4), (1, nil, 99, 6), (2, nil, 0.5, 330),
            (1, 3, 0, 5), (1, 60, 1, 60), (2, 299, 0, 300), (1, 1_000_000, 0, 86_400), (9, 1, 1, 103_680),
        ] as [(Int, Int?, Double, Double)])
    func varied(_ attempts: Int, _ retryAfter: Int?, _ variation: Double, _ seconds: Double) {
        let delay = RetrySchedule().delay(
            afterAttempts: attempts, retryAfter: retryAfter.map { .seconds($0) }, variation: variation)
        #expect(delay == .seconds(seconds))
    }

    @Test("a schedule takes what is nonsense for the nearest that is not")
    func nonsense() {
        let schedule = RetrySchedule(delays: [.seconds(-5)], jitter: 7)
        #expect(schedule.jitter == 1)
        #expect(schedule.delay(afterAttempts: 1, retryAfter: nil, variation: 0) == .zero)
        #expect(schedule.delay(afterAttempts: 0, retryAfter: nil, variation: 0) == nil)
        #expect(schedule.delay(afterAttempts: 2, retryAfter: nil, variation: 0) == nil)
    }

    @Test(
        "a text is cut behind a whole character",
        arguments: [("abc", 3, "abc"), ("abcdef", 5, "ab…"), ("ééééé", 8, "éé…"), ("👩‍👩‍👧x", 10, "…"), ("", 0, "")])
    func shortened(_ text: String, _ bytes: Int, _ expected: String) {
        #expect(text.shortened(to: bytes) == expected)
        #expect(text.shortened(to: bytes).utf8.count <= max(bytes, 3))
    }

    @Test("what a queue remembers does not grow with what has passed through it")
    func memory() {
        var queues = DeliveryQueues(settings: DispatcherSettings())
        let now = Moment(loop: 1, wall: WallTime(milliseconds: 0))
        var open: [Delivery] = []
        /// Notifies a hook, stores everything and returns what is to be tried.
        func pass(_ event: String) -> Delivery? {
            let address = HookAddress(director: "d", epoch: "e", level: .director, event: event)
            queues.accept([DeliveryDraft(address: address, body: [])], ticket: 1, at: now)
            var actions = queues.takeActions()
            while !actions.isEmpty {
                for case .write(let number, _) in actions { queues.settle(number, .success(()), at: now) }
                for case .attempt(let delivery) in actions { open.append(delivery) }
                actions = queues.takeActions()
            }
            return open.popLast()
        }
        _ = pass("slow")
        for _ in 0..<2000 {
            guard let delivery = pass("quick") else { continue }
            queues.finish(delivery.sequence, .delivered, variation: 0, at: now)
        }
        #expect(queues.slots.count == 1 && queues.counters.delivered == 2000)
        #expect(queues.log.entries.count < 70 && queues.waitingLog.entries.count < 70)
        #expect(queues.tickets.isEmpty && queues.sequences.count == 1)
    }

    @Test("the health of hooks that were quiet longest is forgotten where there is too much of it")
    func forgottenHealth() throws {
        let board = DispatcherBoard()
        func hook(_ number: Int) -> HookAddress {
            HookAddress(director: "d", epoch: "e", level: .cell("\(number)"), event: "didSelect")
        }
        let target = try HookURL(parsing: "http://receiver.test/")
        for number in 0...DispatcherBoard.maximumHooks {
            let call = HookCall(address: hook(number), target: target, number: number + 1)
            board.failed(call, at: WallTime(milliseconds: number), "x")
        }
        #expect(board.health(of: hook(0)) == HookHealth())
        #expect(board.health(of: hook(DispatcherBoard.maximumHooks)).consecutiveFailures == 1)
        board.forget { $0 == hook(DispatcherBoard.maximumHooks) }
        #expect(board.health(of: hook(DispatcherBoard.maximumHooks)) == HookHealth())
    }
}
