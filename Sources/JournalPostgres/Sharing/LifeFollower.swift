import DirectorLife
import Dispatch
import Foundation
import Journal
import Notation
import Synchronization

/// Follows what other nodes store, and takes and hands over directors, on a connection and a thread of its own.
///
/// A notification after each commit of another node is the hint, a look at all lives every second is the truth: poolers
/// swallow notifications. Lives are read by number, never by an order of all records, since commits become visible in
/// another order than their numbers were drawn. ``FollowerMachine`` decides; ``FollowerDriver`` does what it says.
final class LifeFollower: SharedJournal {
    typealias Completion = @Sendable (StorageError?) -> Void

    /// Other threads' requests to this thread.
    private struct Requests {
        /// The names of the directors to look at, or all, and the completions of the callers that wait.
        var names: Set<Name> = []
        var isAll = false
        var waiting: [Completion] = []
        /// Work for the thread besides.
        var jobs: [@Sendable (inout FollowerDriver) -> Void] = []
        var isStopped = false
    }

    /// The largest number of callers that wait for one look; further ones are refused as unavailable.
    static let maximumWaiting = 100_000

    let address: DatabaseAddress
    let settings: PostgresSettings
    let sharing: SharingSettings
    let node: Int
    unowned let journal: PostgresJournal
    private let requests = Mutex(Requests())
    private let status = Mutex(SharingStatus())
    /// The following thread's own, from ``follow(_:)`` on.
    private let driver = Mutex<FollowerDriver?>(nil)
    let probe = PortProbe()
    private let wakePipe: WakePipe
    private let ended = DispatchSemaphore(value: 0)
    private let isStarted = Atomic<Bool>(false)

    /// Makes a follower that does nothing before ``follow(_:)``.
    init(
        _ address: DatabaseAddress, _ settings: PostgresSettings, _ sharing: SharingSettings, node: Int,
        journal: PostgresJournal
    ) throws(JournalError) {
        self.address = address
        self.settings = settings
        self.sharing = sharing
        self.node = node
        self.journal = journal
        do {
            wakePipe = try WakePipe()
        } catch {
            throw .unavailable("the system gives no pipe: \(error)")
        }
    }

    var leaseEnd: ContinuousClock.Instant { journal.shared.withLock { $0.writing.leaseEnd } }

    var sharingStatus: SharingStatus { status.withLock { $0 } }

    /// Changes the status, for those who ask for it.
    func publish(_ change: (inout SharingStatus) -> Void) { status.withLock { change(&$0) } }

    // MARK: The thread

    func follow(_ observer: any LifeObserver) throws(JournalError) {
        try driver.withLock { (driver) throws(JournalError) in
            var first = FollowerDriver(self, observer)
            try first.begin()
            driver = first
        }
        isStarted.store(true, ordering: .relaxed)
        let thread = Thread { [self] in
            while run() {}
            driver.withLock { $0 = nil }
            ended.signal()
        }
        thread.name = "callboard.journal.follower"
        thread.start()
    }

    /// Waits for something to do, and does it.
    ///
    /// - Returns: False once it has been stopped.
    private func run() -> Bool {
        driver.withLock { driver in
            let (socket, deadline) = driver?.wait() ?? (-1, .now)
            wakePipe.wait(beside: socket, until: deadline)
            let (jobs, isStopped) = requests.withLock { requests in
                defer { requests.jobs = [] }
                return (requests.jobs, requests.isStopped)
            }
            driver?.run(jobs)
            guard !isStopped else { return false }
            if let reason = driver?.machine.refusal(.now) {
                refuse(reason)
                return true
            }
            driver?.hear()
            // Whoever comes from here on waits for the next look.
            let (waiting, names, isAll) = takeWaiting()
            let error = driver?.look(names, isAll: isAll)
            for completion in waiting { completion(error.map { StorageError($0) }) }
            if let error {
                refuse(error.description)
                journal.fail(error)
            }
            return true
        }
    }

    private func refuse(_ reason: String) {
        for completion in takeWaiting().waiting { completion(.unavailable(reason)) }
    }

    /// Ends the thread and waits for its end.
    func stop() {
        requests.withLock { $0.isStopped = true }
        wakePipe.wake()
        if isStarted.load(ordering: .relaxed) { ended.wait() }
        refuse("the journal is closed")
    }

    // MARK: Requests

    /// Has the thread do something before its next look.
    func enqueue(_ job: @escaping @Sendable (inout FollowerDriver) -> Void) {
        requests.withLock { $0.jobs.append(job) }
        wakePipe.wake()
    }

    /// Has the next look at everything read the tokens anew; see ``FollowerMachine/forgetTokens()``.
    func forgetTokens() { enqueue { $0.machine.forgetTokens() } }

    func restart(_ life: LifeName) { enqueue { $0.machine.restart(life) } }

    func serve(at url: String) {
        enqueue { driver in
            driver.servedURL = url
            driver.machine.serve(.now)
        }
    }

    func leave(within limit: Duration) {
        let done = DispatchSemaphore(value: 0)
        enqueue { $0.leave { done.signal() } }
        _ = done.wait(timeout: .now() + .milliseconds(Int(limit / .milliseconds(1))))
    }

    func look(at directors: [String]?, completion: @escaping Completion) {
        let isTaken = requests.withLock { requests in
            guard !requests.isStopped, requests.waiting.count < Self.maximumWaiting else { return false }
            if let directors { requests.names.formUnion(texts: directors) } else { requests.isAll = true }
            requests.waiting.append(completion)
            return true
        }
        guard isTaken else { return completion(.unavailable("too many requests wait for the database")) }
        wakePipe.wake()
    }

    /// Takes the waiting callers and the directors that they ask for; later callers wait for the next look.
    private func takeWaiting() -> (waiting: [Completion], names: Set<Name>, isAll: Bool) {
        requests.withLock { requests in
            defer { (requests.waiting, requests.names, requests.isAll) = ([], [], false) }
            return (requests.waiting, requests.names, requests.isAll)
        }
    }
}
