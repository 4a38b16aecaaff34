import Dispatch
import Reactor
import Synchronization

/// An event loop that a test turns by hand: it stands still between the calls, so that nothing happens by chance.
///
/// The loop's own thread waits inside a piece of the loop's work and takes the test's orders there; a `ManualClock` keeps
/// its timers still. A call returns when the loop has done what was asked; the test is to be on another thread, and calls
/// `release` at its end.
package final class SteppedLoop: Sendable {
    private enum Order: Sendable {
        case run(@Sendable () -> Void)
        case turn
        case stop
    }

    /// The loop.
    package let loop: EventLoop
    private let order = Mutex<Order?>(nil)
    private let isStanding = Mutex(true)
    private let hasOrder = DispatchSemaphore(value: 0)
    private let isDone = DispatchSemaphore(value: 0)

    /// Has a loop stand still once it has run what was handed in.
    package init(_ loop: EventLoop) {
        self.loop = loop
        standNext()
        isDone.wait()
    }

    /// Runs `body` on the loop at once, before everything that waits in its queue, and returns its result.
    package func run<Result: Sendable>(_ body: @escaping @Sendable () -> Result) -> Result {
        let result = Mutex<Result?>(nil)
        give(.run { result.withLock { $0 = body() } })
        guard let value = result.withLock({ $0 }) else { preconditionFailure("the order was not run") }
        return value
    }

    /// Has the loop run what was handed in, in its order; what that hands in waits for the next turn.
    package func turn() { give(.turn) }

    /// Turns until `condition` holds, at most a thousand times; returns whether it does.
    ///
    /// For work that goes on over several turns of this loop alone: the number of turns is the same in every run.
    package func turn(until condition: () -> Bool) -> Bool {
        for _ in 0..<1000 {
            if condition() { return true }
            turn()
        }
        return condition()
    }

    /// Lets the loop go, which runs what is left and goes on by itself; does nothing the second time.
    package func release() {
        let isFirst = isStanding.withLock { isStanding in
            defer { isStanding = false }
            return isStanding
        }
        if isFirst { give(.stop) }
    }

    private func give(_ next: Order) {
        order.withLock { $0 = next }
        hasOrder.signal()
        isDone.wait()
    }

    /// Has the loop stand still behind everything that was handed in, and before what that hands in.
    private func standNext() {
        loop.execute { [self] in
            isDone.signal()
            stand()
        }
    }

    /// Takes the test's orders; on the loop.
    private func stand() {
        while true {
            hasOrder.wait()
            switch order.withLock({ $0.take() }) {
            case .run(let body):
                body()
                isDone.signal()
            case .turn:
                return standNext()
            case .stop, nil:
                isDone.signal()
                return
            }
        }
    }
}
