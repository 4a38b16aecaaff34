import DirectorLife
import Dispatch
import Foundation
import Journal
import Notation
import Synchronization

/// Follows what other nodes store, and takes and hands over directors, on a connection and a thread of its own; what takes
/// long is done on two further threads (``DatabaseLane``), so that looks go on, and with them the lease.
///
/// A notification after each commit of another node is the hint, a look at all lives every second is the truth: poolers
/// swallow notifications. Lives are read by number, never by an order of all records, since commits become visible in
/// another order than their numbers were drawn. ``FollowerMachine`` decides; ``FollowerDriver`` does what it says.
final class LifeFollower: SharedJournal {
    typealias Completion = @Sendable (StorageError?) -> Void

    /// Somebody who waits for a look.
    private struct Caller {
        /// The names of the directors that it asks for; nil for all.
        let directors: [String]?
        let completion: Completion
    }

    /// Other threads' requests to this thread.
    private struct Requests {
        /// The callers that wait for the next look.
        var waiting: [Caller] = []
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
    /// Takes directors; seldom, so that its connection is made then.
    private let taking: DatabaseLane
    /// Reads directors as a whole. Its connection stays: a new one has to wait for the standbys, which may be missing when a
    /// director has to be read.
    private let reading: DatabaseLane
    /// The callers that wait for a director to be read; only the following thread changes them.
    private let loading = Mutex<[Caller]>([])
    private let wakePipe: WakePipe
    private let hasLeft: WakePipe
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
        taking = DatabaseLane(
            "taking", address, session: Statements.session, node: node, deadline: settings.connectDeadline,
            idleLimit: .zero)
        reading = DatabaseLane(
            "loading", address, session: Statements.session, node: node, deadline: settings.connectDeadline,
            idleLimit: .seconds(5)
        ) { try FollowerDriver.waitForStandbys($0, node: node, within: settings.deadline) }
        (wakePipe, hasLeft) = (try WakePipe(), try WakePipe())
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
            } else {
                driver?.hear()
                look(&driver)
            }
            driver?.beginJobs()
            return true
        }
    }

    /// Makes a look, and answers who has waited for it; who asks for a director that is being read goes on waiting.
    private func look(_ driver: inout FollowerDriver?) {
        // Whoever comes from here on waits for the next look.
        let callers = takeWaiting { driver?.machine.isReady($0) ?? true }
        var names: Set<Name> = []
        for caller in callers { names.formUnion(texts: caller.directors ?? []) }
        let error = driver?.look(names, isAll: callers.contains { $0.directors == nil })
        if let error {
            for caller in callers { caller.completion(StorageError(error)) }
            refuse(error.description)
            return journal.fail(error)
        }
        let (ready, others) = callers.partitioned { driver?.machine.isReady($0.directors) ?? true }
        for caller in ready { caller.completion(nil) }
        loading.withLock { $0 += others }
    }

    private func refuse(_ reason: String) {
        for caller in takeWaiting(where: { _ in true }) { caller.completion(.unavailable(reason)) }
    }

    /// Ends the callers' waiting for directors to be read.
    func refuseLoading(_ error: JournalError) {
        for caller in takeLoading(where: { _ in true }) { caller.completion(StorageError(error)) }
    }

    /// Ends the thread and waits for its end.
    func stop() {
        requests.withLock { $0.isStopped = true }
        wakePipe.wake()
        if isStarted.load(ordering: .relaxed) { ended.wait() }
        refuse("the journal is closed")
        taking.stop()
        reading.stop()
    }

    // MARK: Jobs

    /// Has a job done on its lane; its result is taken over between two looks.
    func begin(_ job: FollowerMachine.Job, of lane: FollowerMachine.Lane) {
        let reader = reader(lane)
        reader.lane.begin { [self] in
            let result = Result { try reader.perform(job, of: node, sharing) }
            enqueue { driver in
                if let error = driver.finish(lane, result) { self.refuseLoading(error) }
            }
        }
    }

    /// Does a job on the caller's thread, before there are others.
    func perform(_ job: FollowerMachine.Job, of lane: FollowerMachine.Lane) -> Result<LifeReader.Result, any Error> {
        Result { try reader(lane).perform(job, of: node, sharing) }
    }

    private func reader(_ lane: FollowerMachine.Lane) -> LifeReader {
        LifeReader(journal: journal, lane: lane == .taking ? taking : reading)
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
        enqueue { [hasLeft] in $0.leave { hasLeft.wake() } }
        hasLeft.wait(until: .now + limit)
    }

    func look(at directors: [String]?, completion: @escaping Completion) {
        let loading = loading.withLock { $0.count }
        let isTaken = requests.withLock { requests in
            guard !requests.isStopped, requests.waiting.count + loading < Self.maximumWaiting else {
                return false
            }
            requests.waiting.append(Caller(directors: directors, completion: completion))
            return true
        }
        guard isTaken else { return completion(.unavailable("too many requests wait for the database")) }
        wakePipe.wake()
    }

    /// Takes the callers that wait for a look, and those that have waited for directors to be read and whose directors are.
    /// Later callers wait for the next look.
    private func takeWaiting(where isReady: ([String]?) -> Bool) -> [Caller] {
        let loaded = takeLoading(where: isReady)
        return loaded
            + requests.withLock { requests in
                defer { requests.waiting = [] }
                return requests.waiting
            }
    }

    private func takeLoading(where isReady: ([String]?) -> Bool) -> [Caller] {
        loading.withLock { callers in
            let (ready, others) = callers.partitioned { isReady($0.directors) }
            callers = others
            return ready
        }
    }
}

extension Array {
    /// Divides the elements into those that satisfy a condition and the others, each in their order.
    fileprivate func partitioned(by condition: (Element) -> Bool) -> (satisfying: [Element], others: [Element]) {
        var (satisfying, others): ([Element], [Element]) = ([], [])
        for element in self { if condition(element) { satisfying.append(element) } else { others.append(element) } }
        return (satisfying, others)
    }
}
