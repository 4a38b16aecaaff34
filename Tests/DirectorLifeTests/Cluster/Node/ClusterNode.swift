import DirectorLife
import Journal

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

    // Of the writing thread.
    var writer = Writer()

    // Of both.
    var owned: [Int: OwnWriting] = [:]
    var beginning: Set<LifeName> = []
    var begun: [Int: LifeName] = [:]

    // Of the following thread.
    var directory: LifeDirectory
    var isConnected = false
    var look: Look?
    var nodes: [Int: JournalNode] = [:]
    var owners: [String: Int] = [:]
    var hinted: Set<Int> = []
    /// Lives that were given, or not: nil where that is not known.
    var jobs: [(lives: [Int], given: Set<Int>?)] = []
    /// Who waits for the next look.
    var waiting: [Message] = []
    /// Whether looks have no time for what nobody asks for yet.
    var isBusy = false
    var isLeaving = false
    /// Until when its lease lasts, as it was renewed last; and as it counts, since everything was looked at after that.
    var renewedEnd: Int
    var leaseEnd: Int
    /// Where it has come to among all records, for a fault.
    var cursor = 0
    /// The lives that have something to be looked at, as others have told; not heard yet.
    var hints: [Int] = []

    init(_ number: Int, _ world: ClusterWorld) {
        self.number = number
        self.world = world
        directory = LifeDirectory(node: number)
        renewedEnd = world.now + ClusterWorld.lease
        leaseEnd = renewedEnd
    }

    var database: SimulatedDatabase { world.database }
    var fault: ClusterFault? { world.fault }
    var runs: Bool { condition == .runs }

    /// Whether nobody can have taken what it owns.
    var hasLease: Bool { world.now < leaseEnd || fault == .leaseIgnored }

    /// Who the nodes are and what belongs where, as the newest look has found it.
    var placement: Placement {
        var placement = Placement()
        placement.nodes = nodes
        return placement
    }

    /// The host of a life that is the name's one here.
    func host(_ life: LifeName) -> Host? {
        hosts[life.director].flatMap { $0.name == life ? $0 : nil }
    }
}
