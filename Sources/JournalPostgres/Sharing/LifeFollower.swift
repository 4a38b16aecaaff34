import DirectorLife
import Dispatch
import Foundation
import Journal
import Synchronization

/// Follows what other nodes store, and takes and hands over directors, on a connection and a thread of its own.
///
/// A notification after each commit of another node is the hint, a look at all lives every second is the truth: poolers
/// swallow notifications. Lives are read by number, never by an order of all records, since commits become visible in
/// another order than their numbers were drawn.
// SAFETY: what is not behind the lock is touched by the following thread alone, and by `follow`, which runs before it.
final class LifeFollower: SharedJournal, @unchecked Sendable {
    /// What others want of the thread.
    struct Requests {
        /// What is to be looked at, and who waits for it.
        var names: Set<String> = []
        var isAll = false
        var waiting: [@Sendable (StorageError?) -> Void] = []
        /// Work for the thread besides.
        var jobs: [@Sendable () -> Void] = []
        var isStopped = false
    }

    /// Those that wait for one look.
    static let maximumWaiting = 100_000

    let address: DatabaseAddress
    let settings: PostgresSettings
    let sharing: SharingSettings
    let node: Int
    unowned let journal: PostgresJournal
    let requests = Mutex(Requests())
    let status = Mutex(SharingStatus())
    private let wakePipe: WakePipe
    private let ended = DispatchSemaphore(value: 0)
    private let isStarted = Atomic<Bool>(false)

    var connection: Connection?
    var directory: LifeDirectory
    var observer: (any LifeObserver)?
    /// Where the other nodes reach this one; nil before it takes part.
    var servedURL: String?
    var isLeaving = false
    /// Since when each node has taken part, as this one has seen it.
    var serving: [Int: ContinuousClock.Instant] = [:]
    /// The nodes that the observer was told of last.
    var toldNodes: [Int: JournalNode] = [:]
    /// Whether tokens have to be read, and what told that they are not what they were.
    var tokenDigest: [Int]?
    /// Lives whose looks are due, by what has been notified.
    var hinted: Set<Int> = []
    /// When everything is to be looked at again.
    var nextLook = ContinuousClock.now
    /// When rows are looked for again that nobody else deletes.
    var nextSweep = ContinuousClock.now
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
            try lookAtAll()
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
            if let directors { requests.names.formUnion(directors) } else { requests.isAll = true }
            requests.waiting.append(completion)
            return true
        }
        guard isTaken else { return completion(.unavailable("too many requests wait for the database")) }
        wakePipe.wake()
    }

    /// Those who wait, and for what.
    private func takeWaiting() -> (waiting: [@Sendable (StorageError?) -> Void], names: Set<String>, isAll: Bool) {
        requests.withLock { requests in
            defer { (requests.waiting, requests.names, requests.isAll) = ([], [], false) }
            return (requests.waiting, requests.names, requests.isAll)
        }
    }

    /// Waits for something to do, and does it.
    ///
    /// - Returns: False once it has been stopped.
    private func run() -> Bool {
        wait()
        let (jobs, isStopped) = requests.withLock { requests in
            defer { requests.jobs = [] }
            return (requests.jobs, requests.isStopped)
        }
        for job in jobs { job() }
        guard !isStopped else { return false }
        let now = ContinuousClock.now
        if let retryAt, now < retryAt {
            fail(status.withLock { $0.failure } ?? "the database is away")
            return true
        }
        look(now)
        return true
    }

    private func wait() {
        // What came along with an answer has been read already, and wakes nobody.
        if let connection, let texts = try? connection.takeNotifications() { note(texts) }
        var deadline = hinted.isEmpty ? nextLook : .now
        if let retryAt { deadline = max(deadline, retryAt) }
        let socket = connection?.socket ?? -1
        wakePipe.wait(beside: socket, until: deadline)
    }

    /// Makes a look at what is due, and tells those who wait.
    private func look(_ now: ContinuousClock.Instant) {
        do {
            if let connection { try note(connection.takeNotifications()) }
            // Whoever comes from here on waits for the next look.
            let (waiting, names, isAll) = takeWaiting()
            do {
                if isAll || now >= nextLook || connection == nil {
                    try lookAtAll()
                } else if !names.isEmpty || !hinted.isEmpty {
                    try look(at: hinted, names)
                }
            } catch {
                for completion in waiting { completion(StorageError(JournalError(error))) }
                throw error
            }
            retryAt = nil
            status.withLock { $0.failure = nil }
            for completion in waiting { completion(nil) }
        } catch {
            connection = nil
            retryAt = .now + sharing.retryDelay
            nextLook = .now
            fail(JournalError(error).description)
            journal.fail(JournalError(error))
        }
    }

    private func fail(_ reason: String) {
        status.withLock { $0.failure = reason }
        for completion in takeWaiting().waiting { completion(.unavailable(reason)) }
    }
}

/// Wakes a thread that waits for a socket.
// SAFETY: the descriptors never change and are closed with the object; the system's calls on them are safe from any thread.
final class WakePipe: Sendable {
    private let ends: (read: Int32, write: Int32)

    /// Makes a pipe; throws what the system says.
    init() throws(WakePipeError) {
        var ends: [Int32] = [0, 0]
        // SAFETY: the system writes two numbers, and there is room for two.
        guard pipe(&ends) == 0 else { throw WakePipeError(code: errno) }
        for end in ends {
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
        }
        self.ends = (ends[0], ends[1])
    }

    deinit {
        close(ends.read)
        close(ends.write)
    }

    /// Wakes the thread, now or when it waits next; any thread.
    func wake() {
        var byte: UInt8 = 1
        // SAFETY: one byte is written from a variable that lives during the call. A full pipe wakes as well.
        _ = write(ends.write, &byte, 1)
    }

    /// Waits until it is woken, the socket has something to read, or the time is over.
    func wait(beside socket: Int32, until deadline: ContinuousClock.Instant) {
        let left = ContinuousClock.now.duration(to: deadline) / .milliseconds(1)
        var entries = [
            pollfd(fd: ends.read, events: Int16(POLLIN), revents: 0),
            pollfd(fd: socket, events: Int16(POLLIN), revents: 0),
        ]
        // SAFETY: there are two entries, and they live during the call; one with the number -1 is ignored.
        _ = poll(&entries, 2, Int32(max(0, min(left.rounded(.up), 60_000))))
        var bytes = [UInt8](repeating: 0, count: 64)
        // SAFETY: as many bytes are read as there is room for.
        while read(ends.read, &bytes, bytes.count) == bytes.count {}
    }
}

/// The system gives no pipe.
struct WakePipeError: Error, CustomStringConvertible {
    let code: Int32

    var description: String { String(cString: strerror(code)) }
}
