import Reactor
import Synchronization

/// All event streams of one loop: counts them, and sends heartbeats through one timer for all.
///
/// A timer for each of ten thousand streams would be re-armed at every event; one pass a second over an array costs
/// some hundred microseconds and nothing in between.
package actor LoopStreams: LoopActor {
    /// The loop that the streams live on.
    package nonisolated let loop: EventLoop

    /// How many streams the loop carries; readable from any thread, for `/metrics`.
    package nonisolated let count = Atomic<Int>(0)

    private let heartbeat: Duration
    private let interval: Duration
    private var streams: [ObjectIdentifier: Subscription] = [:]
    private var timer: ScheduledTimer?

    /// Makes an empty set; `heartbeat` is the silence after which a stream says that it is alive.
    package init(loop: EventLoop, heartbeat: Duration) {
        self.loop = loop
        self.heartbeat = heartbeat
        // A pass is early by at most an interval, never late by more.
        interval = min(.seconds(1), max(.milliseconds(10), heartbeat / 8))
    }

    /// Adds a stream.
    func add(_ stream: Subscription) {
        streams[ObjectIdentifier(stream)] = stream
        count.store(streams.count, ordering: .relaxed)
        if timer == nil { scheduleSweep() }
    }

    /// Removes a stream whose connection is gone.
    func remove(_ stream: Subscription) {
        streams[ObjectIdentifier(stream)] = nil
        count.store(streams.count, ordering: .relaxed)
    }

    private func scheduleSweep() {
        timer = loop.schedule(after: interval) { self.assumeIsolated { $0.sweep() } }
    }

    private func sweep() {
        timer = nil
        guard !streams.isEmpty else { return }
        let moment = loop.now - min(loop.now, heartbeat.nanoseconds)
        for stream in streams.values {
            stream.onLoop(moment) { $0.beat(ifSilentSince: $1) }
        }
        scheduleSweep()
    }
}
