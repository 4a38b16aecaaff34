import Directors
import Reactor
import Testing

@testable import Webhooks

/// Notifications of a hook that is changed while they wait.
@Suite("Notifications of hooks that change")
struct HookChangeTests {
    private let now = Moment(loop: 1, wall: WallTime(milliseconds: 0))
    private let address = HookAddress(director: "a", epoch: "e", level: .director, event: "didSelect")

    /// Stores what is to be stored, and returns what is to be tried.
    private func attempts(_ queues: inout DeliveryQueues) -> [Delivery] {
        var attempts: [Delivery] = []
        var actions = queues.takeActions()
        while !actions.isEmpty {
            for action in actions {
                switch action {
                case .write(let number, _): queues.settle(number, .success(()), at: now)
                case .attempt(let delivery): attempts.append(delivery)
                case .answer, .answerRetry, .answerRemoval, .answerRelease: break
                }
            }
            actions = queues.takeActions()
        }
        return attempts
    }

    @Test(
        "what fails while its hook is changed is tried again at once, and then in its time",
        arguments: [false, true])
    func changed(isChanged: Bool) throws {
        var queues = DeliveryQueues(settings: DispatcherSettings())
        queues.accept([DeliveryDraft(id: "n", address: address, body: [1])], ticket: 1, at: now)
        let first = try #require(attempts(&queues).first)
        if isChanged { queues.hookChanged(address, at: now) }
        let meanwhile = attempts(&queues)
        queues.finish(first.sequence, .failed("no"), variation: 0, at: now)
        let next = attempts(&queues)
        #expect(meanwhile.isEmpty && next.map(\.id) == (isChanged ? ["n"] : []))
        if isChanged { queues.finish(first.sequence, .failed("no"), variation: 0, at: now) }
        let last = attempts(&queues)
        #expect(last.isEmpty, "the change counts once")
    }
}
