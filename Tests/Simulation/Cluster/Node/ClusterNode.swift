import DirectorLife
import Journal
import Notation

/// A node: its loop with the directors, its writing thread and its following thread, each of which goes on by itself.
final class ClusterNode {
    /// Whether it runs.
    enum Condition {
        case runs
        /// It is stopped by a signal, or its machine is: it goes on later without knowing.
        case paused
        case killed
    }

    /// Its number, which no other process has.
    let number: Int
    unowned let world: ClusterWorld
    var condition = Condition.runs

    // Of the loop.
    var hosts: [String: Host] = [:]
    var messages: [Message] = []
    /// The directors that cannot be read, and are not shown.
    var setAside: Set<String> = []

    // Of the writing thread.
    var committer: CommitterMachine
    var writer = Writer()

    // Of both threads.
    var writing: WritingState

    // Of the following thread.
    var follower: FollowerMachine
    /// What was read and not reported yet.
    var found: Found?
    /// What jobs beside looks have read, and have not reported yet.
    var results: [FollowerMachine.Lane: Result<Found, JournalError>] = [:]
    /// The lives whose rows it could not read when it looked at them last.
    var foundDamaged: Set<Int> = []
    /// Whether the connection is there with which lives are loaded.
    var isReading = false
    /// Who waits for a director to be loaded.
    var loading: [Message] = []
    /// Who is told when the look is over; nil while there is none.
    var callers: [Message]?
    /// Lives that were given, each with its number, or not: nil where that is not known.
    var jobs: [(lives: [Int], given: [Int: Int]?)] = []
    /// Who waits for the next look.
    var waiting: [Message] = []
    /// Whether the database cannot be reached.
    var isAway = false
    /// The lives that have something to be looked at, as others have told; not heard yet.
    var hints: [Int] = []
    /// Where it has come to among all records, for a fault.
    var cursor = 0

    init(_ number: Int, _ world: ClusterWorld) {
        self.number = number
        self.world = world
        let planted = PlantedFaults(world.planted)
        committer = CommitterMachine(
            NodeFence(node: number, incarnation: 1, unit: 0), isAlone: false, planted: planted)
        writing = WritingState(leaseEnd: world.instant(ClusterWorld.lease), planted: planted)
        var settings = SharingSettings(retention: Fixture.retention, limits: .none)
        settings.retryDelay = .zero
        settings.handoverBatch = 1
        settings.idle = .seconds(1_000_000)
        settings.sweepInterval = settings.idle
        follower = FollowerMachine(
            node: number, settings, lease: .seconds(ClusterWorld.lease), now: world.instant(), planted: planted)
    }

    var database: SimulatedDatabase { world.database }
    var runs: Bool { condition == .runs }

    /// Whether nobody can have taken what it owns.
    var hasLease: Bool { world.instant() < writing.leaseEnd || world.surrounding == .leaseIgnored }

    /// The host of a life that is the name's one here.
    func host(_ life: LifeName) -> Host? {
        hosts[life.director].flatMap { $0.name == life ? $0 : nil }
    }
}

/// What a node's writing thread has beside its decisions.
struct Writer {
    /// What is queued.
    enum Item {
        case change(Change, Host)
        /// Changes of two directors that are stored together.
        case pair((Change, Host), (Change, Host))
        /// Lives to be given to nodes, of which nothing is in flight.
        case give([FollowerMachine.Handover])
    }

    /// What runs in the database at this moment.
    struct Running {
        let transaction: Transaction
        let batch: ArraySlice<CommitQueue.Waiting>
    }

    var queue: [Item] = []
    /// The units that were taken from the queue, and are not committed.
    var batch: ArraySlice<CommitQueue.Waiting> = []
    /// The changes of the units that were queued, by the unit's index.
    var changes: [[(change: Change, host: Host)]] = []
    var running: Running?
    /// What is known and was not told yet.
    var results: [CommitQueue.Outcome] = []
    /// What was told, and the follower has not been told of: lives as they were then, and their directors.
    var told: (lives: [LifeIndex.Life], directors: Set<Name>)?
    private let append = CommitQueue.Append { _, _ in }

    /// Takes what can go into one batch from the queue.
    mutating func takeBatch() {
        while let item = queue.first {
            switch item {
            case .change(let change, let host): take(.record(change.encoded), [(change, host)])
            case .pair(let one, let other): take(.pair(one.0.encoded, other.0.encoded), [one, other])
            case .give: return
            }
            queue.removeFirst()
        }
    }

    private mutating func take(_ unit: CommitUnit, _ parts: [(change: Change, host: Host)]) {
        batch.append(CommitQueue.Waiting(unit, of: append, at: changes.count))
        changes.append(parts)
    }
}
