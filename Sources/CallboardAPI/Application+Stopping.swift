import Dispatch
import Journal
import Synchronization

extension Application {
    /// Has the journal make snapshots of the directors whose logs are long, so that the next start has little to perform
    /// again.
    ///
    /// Called once nothing comes in any more and while the loops still run. A snapshot that is not finished in time is
    /// given up when the journal is closed; its log stands for it, as it would after a crash.
    ///
    /// - Parameter limit: How long to wait at most.
    func snapshotLongLogs(within limit: Duration) async {
        guard limit > .zero else { return }
        var captures: [(DirectorCapture, number: Int)] = []
        for host in registry.sorted() where journal.isSnapshotWorthwhile(for: host.name) {
            if let capture = await host.captureStored() { captures.append(capture) }
        }
        guard !captures.isEmpty else { return }
        await withCheckedContinuation { continuation in
            let countdown = Countdown(captures.count) { continuation.resume() }
            DispatchQueue.global().asyncAfter(deadline: .now() + limit / .seconds(1)) { countdown.end() }
            for (capture, number) in captures {
                journal.snapshot(capture, after: number) { countdown.step() }
            }
        }
    }
}

/// Does something when so many things have happened, or when it is ended before.
private final class Countdown: Sendable {
    private let state: Mutex<(left: Int, end: (@Sendable () -> Void)?)>

    init(_ count: Int, end: @escaping @Sendable () -> Void) {
        state = Mutex((count, end))
    }

    func step() {
        let isOver = state.withLock { state in
            state.left -= 1
            return state.left == 0
        }
        if isOver { end() }
    }

    func end() {
        state.withLock { $0.end.take() }?()
    }
}
