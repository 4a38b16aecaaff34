import Dispatch
import Hosting
import Journal
import Reactor

extension CallboardService {
    /// Has the journal make snapshots of the directors whose logs are long or cost much, so that the next start has little
    /// to perform again, and waits for those that are being made.
    ///
    /// Called once nothing comes in any more and while the loops still run. A snapshot that is not finished in time is
    /// given up when the journal is closed; its log stands for it, as it would after a crash.
    ///
    /// - Parameter limit: How long to wait at most.
    func snapshotLongLogs(within limit: Duration) async {
        let hosts = application.environment.registry.sorted()
        guard limit > .zero, !hosts.isEmpty else { return }
        await withCheckedContinuation { continuation in
            let countdown = Countdown(hosts.count) { continuation.resume() }
            DispatchQueue.global().asyncAfter(deadline: .now() + limit / .seconds(1)) { countdown.end() }
            for host in hosts {
                let isLong = application.environment.journal.isSnapshotWorthwhile(for: host.name)
                host.send { $0.shortenLog(isLong: isLong) { countdown.step() } }
            }
        }
    }
}
