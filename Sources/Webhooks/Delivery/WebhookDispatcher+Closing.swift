import Reactor

extension WebhookDispatcher {
    /// How long is waited for the store after everything else, before what it has not answered is left to it.
    private static let storingGrace = Duration.seconds(2)

    /// Stops: nothing more is accepted or tried, and what is under way may end.
    ///
    /// A delivery that has not ended after `grace` is given up and stays stored as it was, to be tried again after a
    /// restart. Arrived deliveries are removed from the store before this returns, if the store works. The transport
    /// and the store are to be closed after it.
    package func shutdown(grace: Duration) async {
        queues.close()
        guard !queues.isQuiet else { return }
        await withCheckedContinuation { continuation in
            closers.append(continuation)
            loop.schedule(after: grace) {
                self.assumeIsolated { $0.giveUp() }
            }
        }
    }

    private func giveUp() {
        for sequence in attempts.keys.sorted() {
            attempts.removeValue(forKey: sequence)?.cancel()
            queues.finish(sequence, .abandoned, variation: 0, at: now)
        }
        loop.schedule(after: Self.storingGrace) {
            self.assumeIsolated { $0.leave() }
        }
        perform()
    }

    /// Tells those who wait for the end.
    func leave() {
        let waiting = closers
        closers = []
        for continuation in waiting { continuation.resume() }
    }
}

extension DeliveryQueues {
    /// Refuses whatever comes from now on, and has nothing more tried.
    mutating func close() {
        isClosed = true
    }
}
