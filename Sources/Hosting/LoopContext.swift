import Reactor

/// Runs work that waits for others on an event loop, so that it needs no other thread.
package actor LoopContext: LoopActor {
    /// The loop.
    package nonisolated let loop: EventLoop

    private init(loop: EventLoop) {
        self.loop = loop
    }

    /// Begins with the work; called on the loop, and returns at once.
    package static func run(on loop: EventLoop, _ work: @escaping @Sendable (isolated LoopContext) async -> Void) {
        LoopContext(loop: loop).assumeIsolated { context in
            // The task belongs to the actor, and so to the loop, from its beginning.
            _ = Task { await work(context) }
        }
    }
}
