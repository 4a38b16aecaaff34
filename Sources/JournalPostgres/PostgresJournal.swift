import DirectorLife
import Directors
import Foundation
import Journal
import Notation
import Synchronization

/// A journal in a PostgreSQL database, which one server has for itself, or several nodes share.
///
/// Records are encoded on the caller's thread. One thread commits. Records that arrive during a commit go into the next
/// one: one statement for the records of many directors. Another thread renews the server's lease. A commit whose
/// answer does not come is in doubt, and its units are reported neither stored nor failed until that is known.
package final class PostgresJournal: CommittingJournal {
    package let thread: CommitThread<Committer>
    let reader: DatabaseReader
    let shared = Mutex(Shared())
    let settings: PostgresSettings
    /// The time that answers expire by, in seconds since 1970.
    let clock: @Sendable () -> Int
    /// Ends the pauses of the writing thread when the journal is closed.
    let wake: WakePipe
    let isClosing = Atomic<Bool>(false)
    private let keeper = Mutex<LeaseKeeper?>(nil)
    private let following = Mutex<LifeFollower?>(nil)
    /// The faults of the rows that were set aside when the journal was opened.
    package let setAside: [JournalDamage]
    /// Notifies other nodes of commits; nil where there are none.
    let hints: HintSender?

    /// What other threads read.
    struct Shared {
        var facts = DatabaseFacts()
        var isTaken = false
        var whenTaken: (@Sendable () -> Void)?
        /// The lease, and the lives that this server writes, as its threads tell each other.
        var writing = WritingState(leaseEnd: .now)
    }

    /// Opens a database for one server, and makes its tables.
    ///
    /// - Parameters:
    ///   - address: The database.
    ///   - settings: How the journal works.
    ///   - clock: The time in seconds since 1970, for answers that expire.
    /// - Complexity: One pass over the log. Waits for the lease of a server that was killed.
    /// - Throws: That the database cannot be reached or used, is of a newer schema, damaged, or another server's.
    package init(
        _ address: DatabaseAddress, settings: PostgresSettings = PostgresSettings(),
        clock: @escaping @Sendable () -> Int = StoreClock.now
    ) throws(JournalError) {
        self.settings = settings
        self.clock = clock
        reader = DatabaseReader(address, settings)
        wake = try WakePipe()
        do {
            let end = ContinuousClock.now + settings.lease
            let opening = try Opening(address, settings, clock)
            // No earlier program runs beside this one.
            if settings.sharing == nil { _ = try opening.connection.run([Schema.raising], within: settings.deadline) }
            let node = opening.fence.node
            let lane = LeaseKeeper.lane(address, settings, node: node)
            hints = settings.sharing.map { _ in HintSender(lane, within: settings.renewal, node: node) }
            setAside = opening.setAside
            shared.withLock { shared in
                shared.facts = opening.facts
                shared.writing = WritingState(leaseEnd: end)
            }
            thread = CommitThread(
                Committer(
                    address, settings, clock: clock, connection: opening.connection, fence: opening.fence,
                    loaded: opening.loaded),
                queue: CommitQueue(
                    bound: settings.queue, maximumUnit: PostgresSettings.maximumRecord, medium: "the database"),
                batch: settings.batch, snapshotThreshold: settings.snapshotThreshold)
            keeper.withLock { keeper in
                keeper = LeaseKeeper(lane, settings, node: node) { [weak self] in self?.note($0) }
            }
            if let sharing = settings.sharing {
                let follower = try LifeFollower(address, settings, sharing, node: node, journal: self)
                following.withLock { $0 = follower }
            }
        } catch {
            throw JournalError(opening: error)
        }
        queueUpkeep()
    }

    // MARK: Appending

    package var deliveries: any DeliveryStore { PostgresDeliveryStore(journal: self) }

    package var tokens: any TokenStore { PostgresTokenStore(journal: self) }

    /// The follower of the other nodes; nil if this server has the database for itself.
    var follower: LifeFollower? { following.withLock { $0 } }

    // MARK: State

    package var warnings: [String] { shared.withLock { $0.facts.warnings } }

    package var sizeOnMedium: Int { shared.withLock { $0.facts.bytes } }

    /// Has something done once another server has taken the database; at once where one has already.
    package func whenTaken(_ action: @escaping @Sendable () -> Void) {
        let isTaken = shared.withLock { shared in
            if !shared.isTaken { shared.whenTaken = action }
            return shared.isTaken
        }
        if isTaken { action() }
    }

    /// Stores what was appended before, and gives the database back to whoever wants it next.
    ///
    /// Not to be called in a completion. If the database is unreachable, waiting operations fail. A transaction in
    /// doubt that cannot be settled now never completes: no caller is told that a record is missing which the next
    /// start may find.
    package func close() {
        follower?.stop()
        finishWriting {
            isClosing.store(true, ordering: .relaxed)
            wake.wake()
        }
        hints?.stop()
        let keeper = keeper.withLock { keeper in
            defer { keeper = nil }
            return keeper
        }
        keeper?.stop()
        thread.committer.withLock { $0.connection = nil }
        reader.close()
    }
}
