/// The actor as a part of which an event loop turns.
///
/// The whole life of a loop is one job of this actor. So the runtime knows, for everything that the loop calls, which
/// executor it is on, and entering an actor of the loop with `assumeIsolated` is a comparison of two pointers; without
/// it the runtime would first ask whether this is the main thread, and then the loop, each time.
actor LoopBody: LoopActor {
    nonisolated let loop: EventLoop

    init(loop: EventLoop) {
        self.loop = loop
    }

    /// Hands the loop a job that turns it until it ends. On the loop's thread; the job is there when this returns.
    nonisolated func handOver() {
        assumeIsolated { body in
            // A task that is made inside of an actor is handed to the actor's executor at once.
            _ = Task { body.turn() }
        }
    }

    private func turn() {
        loop.turnUntilStopped()
    }
}
