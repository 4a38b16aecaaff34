import Journal
import Logging
import Reactor

extension CallboardService {
    /// Logs from now on, until the loop has ended, when storing begins to fail and why, and when it works again.
    func watchJournal(on loop: EventLoop, last: JournalStatus = .ok) {
        loop.schedule(after: .seconds(1)) { [weak self] in
            guard let self else { return }
            let status = journal.status
            switch (last, status) {
            case (.failing, .ok): logger.notice("changes are stored again")
            case (_, .failing(let reason, _)) where status != last:
                logger.error("changes cannot be stored", metadata: ["reason": "\(reason)"])
            default: break
            }
            watchJournal(on: loop, last: status)
        }
    }
}
