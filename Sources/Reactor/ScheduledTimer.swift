import Synchronization

/// A piece of work that a loop does once, at or after its deadline, unless it is cancelled before.
package final class ScheduledTimer: Sendable {
    private let body: Mutex<(@Sendable () -> Void)?>
    private let loop: EventLoop

    init(loop: EventLoop, body: @escaping @Sendable () -> Void) {
        self.loop = loop
        self.body = Mutex(body)
    }

    /// Whether it has neither run nor been cancelled.
    package var isPending: Bool { body.withLock { $0 != nil } }

    /// Cancels it and lets go of its closure, from any thread.
    ///
    /// Cancelling on the loop's own thread is final. From elsewhere, the work may be running at this moment.
    package func cancel() {
        let cancelled = body.withLock { $0.take() }
        if cancelled != nil { loop.timerWasCancelled() }
    }

    func fire() {
        let body = body.withLock { $0.take() }
        body?()
    }
}
