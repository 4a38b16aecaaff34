import DirectorLife
import Foundation
import Journal
import Notation

/// Does what ``FollowerMachine`` says, with a connection and an observer; only the following thread uses it.
struct FollowerDriver {
    unowned let follower: LifeFollower
    let observer: any LifeObserver
    var machine: FollowerMachine
    var connection: Connection?
    /// The address at which the other nodes reach this one; empty before it takes part.
    var servedURL = ""
    /// The transactions before this position were over at that time.
    var over: (position: Int, since: ContinuousClock.Instant)?
    /// Told once everything is handed over, where this node leaves.
    private var left: (@Sendable () -> Void)?

    /// Makes a driver that has no connection yet.
    init(_ follower: LifeFollower, _ observer: any LifeObserver) {
        (self.follower, self.observer) = (follower, observer)
        machine = FollowerMachine(
            node: follower.node, follower.sharing, lease: follower.settings.lease, now: .now)
    }

    var journal: PostgresJournal { follower.journal }
    var address: DatabaseAddress { follower.address }
    var settings: PostgresSettings { follower.settings }
    var sharing: SharingSettings { follower.sharing }

    private var isConnected: Bool { connection.map { !$0.isLost } ?? false }

    // MARK: Turns

    /// Looks at everything for the first time, and loads what this node is to own or would take over; the caller waits for all
    /// of it.
    mutating func begin() throws(JournalError) {
        repeat {
            if let error = look([], isAll: true) { throw error }
            for lane in FollowerMachine.Lane.allCases {
                while let job = machine.nextJob(of: lane, .now) {
                    if let error = finish(lane, follower.perform(job, of: lane)) { throw error }
                }
            }
        } while machine.hasJobs || machine.deadline(.now) <= .now
        do {
            // Before the first notification of a director that is made here.
            observer.number(
                deliveriesFrom: try LifeReader.takeDeliveryBlock(try open(), within: sharing.lookDeadline))
        } catch {
            throw JournalError(error)
        }
    }

    /// The socket beside which the thread waits, and until when.
    mutating func wait() -> (socket: Int32, until: ContinuousClock.Instant) {
        // What came along with an answer has been read already, and wakes nobody.
        if let connection, let texts = try? connection.takeNotifications() { note(texts) }
        let deadline = machine.deadline(.now)
        return (connection?.socket ?? -1, min(deadline, machine.jobsRetryAt ?? deadline))
    }

    /// Does what other threads have asked for.
    mutating func run(_ jobs: [@Sendable (inout FollowerDriver) -> Void]) {
        for job in jobs {
            job(&self)
            performAll()
        }
    }

    /// Hears what has been notified.
    mutating func hear() {
        do {
            if let connection { note(try connection.takeNotifications()) }
        } catch {
            connection = nil
        }
    }

    /// Takes note of what other nodes have notified: which node, and numbers of lives, with spaces between them.
    private mutating func note(_ notifications: [String]) {
        for text in notifications {
            let words = text.split(separator: " ")
            // Of this node itself.
            if words.first == "n\(machine.node)" { continue }
            for word in words {
                if word == "all" { machine.lookSoon(.now) } else if let life = Int(word) { machine.hint(life) }
            }
        }
    }

    /// Looks at what is due.
    ///
    /// - Returns: Why that has failed; nil where it has not.
    mutating func look(_ names: Set<Name>, isAll: Bool) -> JournalError? {
        machine.begin(.now, names, isAll: isAll, isConnected: isConnected)
        return performAll()
    }

    /// Hands every director over.
    ///
    /// - Parameter completion: Called once that is done, or cannot be.
    mutating func leave(_ completion: @escaping @Sendable () -> Void) {
        left = completion
        machine.leave(.now, isConnected: isConnected)
        if performAll() != nil { left?() }
        left = nil
    }

    /// Does what the machine says until it says nothing more.
    ///
    /// - Returns: Why the look has failed; nil where it has not.
    @discardableResult
    mutating func performAll() -> JournalError? {
        var failure: JournalError?
        while let action = machine.next(.now) {
            do {
                if case .answer(let error) = action { failure = error } else { try perform(action) }
            } catch {
                // What was being read is left in the middle.
                let isLost = connection?.isLost ?? true
                connection = nil
                machine.failed(JournalError(error), isOfContent: Self.isOfContent(error), isLost: isLost, .now)
            }
            publish()
        }
        return failure
    }

    /// Whether an error is about what is stored, and not about the database or the way to it.
    static func isOfContent(_ error: any Error) -> Bool {
        guard error is DatabaseFault || error is JournalError else { return true }
        return switch JournalError(error) {
        case .damaged, .refused: true
        case .full, .unavailable, .superseded, .inDoubt: false
        }
    }

    private func publish() {
        let news = machine.status
        follower.publish { status in
            let placement = status.placement
            status = news
            status.placement = placement
        }
    }

    // MARK: Actions

    private mutating func perform(_ action: FollowerMachine.Action) throws {
        switch action {
        case .connect: try connect()
        case .waitForStandbys:
            try Self.waitForStandbys(try open(), node: machine.node, within: sharing.lookDeadline)
        case .look(let scope): try read(scope)
        case .fetch(let fetches): try fetch(fetches)
        case .readTokens: try readTokens()
        case .setState(let state): try setState(state)
        case .probe(let node, let lease):
            follower.probe.start(node.number, at: node.url, within: .milliseconds(500)) { [follower] in
                follower.enqueue { $0.machine.refused(node.number, lease: lease, .now) }
            }
        case .sweep:
            let lives = try findAbandoned()
            if !lives.isEmpty { journal.change(.abandoned(lives)) }
            try pruneChanges()
        case .found(let lives): journal.shared.withLock { $0.writing.found(lives) }
        case .disown(let row): journal.disown(row)
        case .lose(let lives): observer.lose(lives)
        case .letGo(let life): observer.letGo(life)
        case .end(let life): observer.end(life)
        case .setAside(let life, let reason): observer.setAside(life, because: reason)
        case .unload(let rows): for row in rows where observer.unload(row.name) { machine.unloaded(row.id) }
        case .release(let lives): release(lives)
        case .hint(let lives): journal.hint(lives)
        case .place(let nodes, let owners):
            follower.publish { $0.placement.note(owners) }
            observer.place(nodes, owners: owners)
        case .extendLease(let end): journal.shared.withLock { $0.writing.extendLease(until: end) }
        case .answer: break
        }
    }

    /// Publishes the nodes that the last look at everything has found.
    func publishNodes() {
        follower.publish { $0.placement.nodes = machine.nodes }
    }

    /// Has lives released here, and then given to other nodes.
    private mutating func release(_ lives: [FollowerMachine.Handover]) {
        let completion = left
        left = nil
        guard !lives.isEmpty else { return completion?() ?? () }
        observer.release(lives.map(\.row.name)) { [journal, follower] in
            journal.handOver(lives) { given in
                follower.enqueue { driver in
                    driver.machine.handedOver(lives.map(\.row.id), given)
                    completion?()
                }
            }
        }
    }
}
