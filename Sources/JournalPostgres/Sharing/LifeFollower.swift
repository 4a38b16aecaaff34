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
/// another order than their numbers were drawn.
// SAFETY: what is not behind the lock is touched by the following thread alone, and by `follow`, which runs before it.
final class LifeFollower: SharedJournal, @unchecked Sendable {
    /// Other threads' requests to this thread.
    struct Requests {
        /// The names of the directors to look at, or all, and the completions of the callers that wait.
        var names: Set<Name> = []
        var isAll = false
        var waiting: [@Sendable (StorageError?) -> Void] = []
        /// Work for the thread besides.
        var jobs: [@Sendable () -> Void] = []
        var isStopped = false
    }

    /// The largest number of callers that wait for one look; further ones are refused as unavailable.
    static let maximumWaiting = 100_000

    let address: DatabaseAddress
    let settings: PostgresSettings
    let sharing: SharingSettings
    let node: Int
    unowned let journal: PostgresJournal
    let requests = Mutex(Requests())
    let status = Mutex(SharingStatus())
    let wakePipe: WakePipe
    private let ended = DispatchSemaphore(value: 0)
    private let isStarted = Atomic<Bool>(false)

    var connection: Connection?
    var directory: LifeDirectory
    var observer: (any LifeObserver)?
    /// The address at which the other nodes reach this one; nil before it takes part.
    var servedURL: String?
    var isLeaving = false
    /// Since when each node has taken part, as this one has seen it.
    var serving: [Int: ContinuousClock.Instant] = [:]
    /// The nodes that the observer was told of last.
    var toldNodes: [Int: JournalNode] = [:]
    /// Whether tokens have to be read, and what told that they are not what they were.
    var tokenDigest: [Int]?
    /// Lives that cannot be read, by number.
    var unreadable: [Int: UnreadableLife] = [:]
    /// Lives whose looks are due, by what has been notified.
    var hinted: Set<Int> = []
    /// When everything is to be looked at again.
    var nextLook = ContinuousClock.now
    /// When rows are looked for again that nobody else deletes.
    var nextSweep = ContinuousClock.now
    /// When lives are looked for again that can leave memory.
    var nextUnload: ContinuousClock.Instant
    /// Why nothing is looked at before a moment: the last attempt failed.
    var retryAt: ContinuousClock.Instant?

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
        directory = LifeDirectory(node: node)
        nextUnload = .now + sharing.idle
        do {
            wakePipe = try WakePipe()
        } catch {
            throw .unavailable("the system gives no pipe: \(error)")
        }
    }

    var leaseEnd: ContinuousClock.Instant { journal.shared.withLock { $0.leaseEnd } }

    var sharingStatus: SharingStatus { status.withLock { $0 } }

    // MARK: The thread

    func follow(_ observer: any LifeObserver) throws(JournalError) {
        self.observer = observer
        do {
            try lookAtAll([], loading: .seconds(86_400))
            // Before the first notification of a director that is made here.
            observer.number(deliveriesFrom: try takeDeliveryBlock())
        } catch {
            throw JournalError(error)
        }
        isStarted.store(true, ordering: .relaxed)
        let thread = Thread { [self] in
            while run() {}
            connection = nil
            ended.signal()
        }
        thread.name = "callboard.journal.follower"
        thread.start()
    }

    /// Ends the thread and waits for its end.
    func stop() {
        requests.withLock { $0.isStopped = true }
        wakePipe.wake()
        if isStarted.load(ordering: .relaxed) { ended.wait() }
        for completion in takeWaiting().waiting { completion(.unavailable("the journal is closed")) }
    }

    /// Has the thread do something before its next look.
    func enqueue(_ job: @escaping @Sendable () -> Void) {
        requests.withLock { $0.jobs.append(job) }
        wakePipe.wake()
    }

    /// Has the next look at everything read the tokens anew: this node has changed them itself.
    ///
    /// Their digest may be what it was at the last look: where a token was made here and another node has revoked it.
    func forgetTokens() {
        enqueue { [self] in tokenDigest = nil }
    }

    func look(at directors: [String]?, completion: @escaping @Sendable (StorageError?) -> Void) {
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
    func takeWaiting() -> (waiting: [@Sendable (StorageError?) -> Void], names: Set<Name>, isAll: Bool) {
        requests.withLock { requests in
            defer { (requests.waiting, requests.names, requests.isAll) = ([], [], false) }
            return (requests.waiting, requests.names, requests.isAll)
        }
    }
}
