import Directors
import Notation

extension WebhookDispatcher {
    /// Accepts notifications, all or none, and calls `completion` when they are stored; that is what may be acknowledged.
    ///
    /// Callable from any thread. The deliveries stand in the order of the calls; a completion that reports a refusal may
    /// come before those of earlier calls. It runs on the dispatcher's loop and has to be short.
    ///
    /// - Parameters:
    ///   - drafts: The notifications; a notification with a known identifier is not stored again.
    ///   - completion: Gets the identifiers in the order of the drafts, or the reason of the refusal. A draft that
    ///     replaces a waiting delivery has that one's identifier.
    package nonisolated func notify(
        _ drafts: [DeliveryDraft], completion: @escaping @Sendable (Result<[String], NotifyRefusal>) -> Void
    ) {
        loop.execute {
            self.assumeIsolated { dispatcher in
                let ticket = dispatcher.nextTicket()
                dispatcher.completions[ticket] = completion
                dispatcher.queues.accept(drafts, ticket: ticket, at: dispatcher.now)
                dispatcher.perform()
            }
        }
    }

    /// The deliveries that a filter lets through, in their order, oldest first.
    ///
    /// - Complexity: One look at each hook that has deliveries, and at each delivery up to the end of the page.
    package func page(_ filter: DeliveryFilter, offset: Int, limit: Int) -> DeliveryPage {
        queues.page(filter, offset: offset, limit: limit)
    }

    /// The delivery with an identifier, waiting or dead, with the attempts that have failed; nil for one that is unknown or has
    /// arrived.
    package func delivery(_ id: String) -> TracedDelivery? {
        queues.delivery(id)
    }

    /// Tries a delivery again. A dead one goes to the end of its hook's queue, with new attempts and the same
    /// identifier. A waiting one is tried at once, after the deliveries before it, which are tried at once too.
    ///
    /// - Returns: The delivery as it is then, once that is stored.
    package func retry(_ id: String) async -> Result<Delivery, RetryRefusal> {
        await withCheckedContinuation { continuation in
            let ticket = nextTicket()
            retries[ticket] = continuation
            queues.retry(id, ticket: ticket, at: now)
            perform()
        }
    }

    /// Removes a dead delivery, for good.
    ///
    /// - Returns: Once that is stored; or why it was not done.
    package func remove(_ id: String) async -> Result<Void, RemovalRefusal> {
        await withCheckedContinuation { continuation in
            let ticket = nextTicket()
            removals[ticket] = continuation
            queues.remove(id, ticket: ticket, at: now)
            perform()
        }
    }

    /// Forgets the deliveries of a director, waiting and dead: it was deleted, and its hooks with it, so that they
    /// could never be made. A call under way may still arrive. Callable from any thread.
    package nonisolated func forget(director: String, epoch: String) {
        loop.execute {
            self.assumeIsolated { dispatcher in
                dispatcher.queues.forget(at: dispatcher.now) { $0.director.isVerbatim(director) && $0.epoch == epoch }
                dispatcher.perform()
                dispatcher.board.forget { $0.director.isVerbatim(director) && $0.epoch == epoch }
            }
        }
    }

    /// Takes over the notifications of a director that another server has sent so far. Callable from any thread.
    ///
    /// - Parameters:
    ///   - deliveries: Those that wait and the dead ones, in their order.
    ///   - director: The director that they are of.
    ///   - epoch: Its life.
    ///   - sequence: The first number for new ones: larger than that of any other.
    package nonisolated func adopt(
        _ deliveries: [Delivery], of director: String, epoch: String, firstSequence sequence: Int
    ) {
        loop.execute {
            self.assumeIsolated { dispatcher in
                dispatcher.queues.adopt(
                    deliveries, of: director, epoch: epoch, firstSequence: sequence, at: dispatcher.now)
                dispatcher.perform()
            }
        }
    }

    /// Begins to number new notifications with a number that no other server gives. Callable from any thread.
    package nonisolated func number(from sequence: Int) {
        loop.execute { self.assumeIsolated { $0.queues.number(from: sequence) } }
    }

    /// Lets go of the notifications of a director that another server sends from now on: they stay in the store. A call
    /// under way may still arrive, and be made again there. New ones are refused. Callable from any thread.
    ///
    /// - Parameter completion: Called once on the dispatcher's loop, when none of them is on its way to the store any more.
    package nonisolated func release(
        director: String, epoch: String, completion: @escaping @Sendable () -> Void = {}
    ) {
        loop.execute {
            self.assumeIsolated { dispatcher in
                let ticket = dispatcher.nextTicket()
                dispatcher.releases[ticket] = completion
                dispatcher.queues.release(director, epoch: epoch, ticket: ticket, at: dispatcher.now)
                dispatcher.perform()
                dispatcher.board.forget { $0.director.isVerbatim(director) && $0.epoch == epoch }
            }
        }
    }

    /// Has what waits for a hook go dead: it was removed. When it is registered again, they can be tried again. Callable
    /// from any thread.
    package nonisolated func hookRemoved(_ address: HookAddress) {
        loop.execute {
            self.assumeIsolated { dispatcher in
                dispatcher.queues.kill(address, DeliveryQueues.hookGone, at: dispatcher.now)
                dispatcher.perform()
                dispatcher.board.forget(address)
            }
        }
    }

    /// Tries the waiting deliveries of a replaced hook at once; if a call of its earlier target is under way, as soon
    /// as that call has failed. Callable from any thread.
    ///
    /// - Parameter isElsewhere: Whether it has another target now, or none, so that its health begins anew.
    package nonisolated func hookChanged(_ address: HookAddress, isElsewhere: Bool = false) {
        loop.execute {
            self.assumeIsolated { dispatcher in
                if isElsewhere { dispatcher.board.forget(address) }
                dispatcher.queues.hookChanged(address, at: dispatcher.now)
                dispatcher.perform()
            }
        }
    }

    /// How a hook is doing. Callable from any thread; costs a lock.
    package nonisolated func health(of address: HookAddress) -> HookHealth {
        board.health(of: address)
    }

    /// How a hook is doing that leads to a target, or to none; of another target that it had, nothing is told. Callable
    /// from any thread; costs a lock.
    package nonisolated func health(of address: HookAddress, at target: HookURL?) -> HookHealth {
        board.health(of: address, at: target)
    }

    /// The counts since the start, and the number of waiting deliveries. Callable from any thread; costs a lock.
    package nonisolated var metrics: DispatcherMetrics { board.metrics }
}
