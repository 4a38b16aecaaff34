import Directors
import Reactor
import Testing

@testable import Webhooks

/// Notifications of a director that goes from one server to another.
@Suite("Notifications of directors that move")
struct SharedDeliveryTests {
    private let now = Moment(loop: 1, wall: WallTime(milliseconds: 0))

    private func address(_ director: String) -> HookAddress {
        HookAddress(director: director, epoch: "e", level: .director, event: "didSelect")
    }

    private func notify(_ queues: inout DeliveryQueues, _ director: String, id: String = "n") {
        queues.accept(
            [DeliveryDraft(id: id, address: address(director), body: [1])], ticket: 1, at: now)
    }

    /// What the queues have had done.
    private struct Done {
        var changes: [DeliveryChange] = []
        var attempts: [Delivery] = []
        var releases: [Int] = []
    }

    /// Stores what is to be stored, and returns the changes, what is to be tried, and the releases that are answered.
    private func store(_ queues: inout DeliveryQueues) -> Done {
        var done = Done()
        var actions = queues.takeActions()
        while !actions.isEmpty {
            for action in actions {
                switch action {
                case .write(let number, let some):
                    done.changes += some
                    queues.settle(number, .success(()), at: now)
                case .attempt(let delivery): done.attempts.append(delivery)
                case .answerRelease(let ticket): done.releases.append(ticket)
                case .answer, .answerRetry, .answerRemoval: break
                }
            }
            actions = queues.takeActions()
        }
        return done
    }

    @Test("what is released stays in the store, also where its attempt fails later, and new ones are refused")
    func released() throws {
        var queues = DeliveryQueues(settings: DispatcherSettings())
        notify(&queues, "a")
        notify(&queues, "b", id: "other")
        let attempt = try #require(store(&queues).attempts.first { $0.address.director == "a" })
        queues.release("a", epoch: "e", ticket: 9, at: now)
        queues.finish(attempt.sequence, .failed("no", retryAfter: nil), variation: 0, at: now)
        #expect(store(&queues).changes.isEmpty)
        #expect(queues.delivery("n") == nil && queues.delivery("other") != nil)
        notify(&queues, "a", id: "late")
        #expect(queues.counters.refused == 1)
    }

    @Test("a notification on its way to the store holds a release up, and is not forgotten there")
    func storing() {
        var queues = DeliveryQueues(settings: DispatcherSettings())
        notify(&queues, "a")
        queues.release("a", epoch: "e", ticket: 9, at: now)
        // The write is not settled, so the release waits.
        let actions = queues.takeActions()
        guard actions.count == 1, case .write(let number, let changes) = actions[0] else {
            Issue.record("\(actions)")
            return
        }
        queues.settle(number, .success(()), at: now)
        let done = store(&queues)
        #expect(done.releases == [9] && done.attempts.isEmpty && done.changes.isEmpty)
        #expect(changes.count == 1 && queues.slots.isEmpty)
    }

    @Test("what is adopted is tried in its order, and new ones are numbered behind it")
    func adopted() throws {
        var queues = DeliveryQueues(settings: DispatcherSettings())
        queues.release("a", epoch: "e", ticket: 9, at: now)
        let stored = Delivery(
            sequence: 7, id: "first", address: address("a"), created: now.wall, body: [1], nextAttempt: now.wall)
        queues.adopt([stored], of: "a", epoch: "e", firstSequence: 1 << 32, at: now)
        notify(&queues, "a", id: "second")
        let attempts = store(&queues).attempts
        #expect(attempts.map(\.id) == ["first"])
        queues.finish(7, .delivered, variation: 0, at: now)
        #expect(store(&queues).attempts.map(\.id) == ["second"])
        #expect(queues.delivery("second")?.delivery.sequence == 1 << 32)
    }

    @Test("two servers that begin number differently, so that neither takes the place of the other's notification")
    func numbers() {
        var (first, second) = (
            DeliveryQueues(settings: DispatcherSettings()), DeliveryQueues(settings: DispatcherSettings())
        )
        first.number(from: 1 << 32)
        second.number(from: 2 << 32)
        notify(&first, "a")
        notify(&second, "b")
        #expect(first.slots.keys.first != second.slots.keys.first)
    }
}
