/// One step of a cluster's history; every number in it is taken modulo what there is at that moment.
///
/// A step that has nothing to act on does nothing, so that any part of a history is a history too.
struct ClusterStep: CustomStringConvertible {
    /// What happens.
    enum Action {
        /// A client sends a command to a node, with or without a key.
        case command(Command, key: Int?)
        /// A client sends a node a command on both directors. The node carries it out if it owns both.
        case pair
        /// A node's writing thread does its next things: send, wait for the answer, tell it.
        case write(Int)
        /// The answer of what a node has sent is lost with its connection, or that of its attempt to connect anew.
        case loseAnswer
        /// A node's loop takes its next messages.
        case handle(Int)
        /// A node looks at everything, and perhaps takes or gives directors, from beginning to end.
        case look(takes: Bool, gives: Bool)
        /// The same, begun only.
        case beginLook(takes: Bool, gives: Bool)
        /// A node goes on with its look by so many things.
        case goOnLooking(Int)
        /// A node goes on with its jobs beside looks by so many things.
        case work(Int)
        /// The connections of these jobs are lost.
        case loseJobs
        /// A node hears a hint and looks at its life; it may come again.
        case hint(Int, isRepeated: Bool)
        /// A node does not hear what it was told.
        case loseHints
        /// The connection is lost with which a node looks. `isAway`: it cannot be made again before the look has failed.
        case loseLook(isAway: Bool)
        /// A director cannot be read any more: its records, or its row. Later all can be.
        case damage(isRow: Bool)
        case mend
        /// A transaction goes on whose sender is gone or does not wait.
        case proceed(Int)
        /// The standby gets what is stored.
        case replicate
        /// The primary restarts.
        case restartPrimary
        /// The standby becomes the primary.
        case failOver
        /// A node stops, and does not know of it.
        case pause
        /// It goes on.
        case goOn
        /// A node is killed; or begins to hand over what it has, and ends later.
        case kill
        case leave
        /// A node starts.
        case start
        /// A node renews its lease.
        case renew
        /// The database's clock is set, by so many seconds from the right time.
        case setClock(Int)
        /// Time passes.
        case wait(Int)
        /// A snapshot is stored, and the records that it stands for are deleted.
        case snapshot
        /// A director leaves a node's memory, where nobody needs it there. `isForced`: also one that the node would take over,
        /// which is not loaded then until it is asked for.
        case unload(isForced: Bool)
        /// A client reads at a node.
        case read
        /// A subscriber connects to a node, or leaves.
        case connect(Int)
        case disconnect(Int)
    }

    let action: Action
    /// Which director, and at which node.
    let name: Int
    let node: Int

    var description: String {
        "director \(name), node \(node): \(action)".split(separator: "DirectorLifeTests.").joined()
    }
}

/// A history of a cluster.
struct ClusterHistory: SimulatedHistory {
    var names = 1
    var nodes = 2
    /// The node that owns everything at the beginning.
    var owner = 0
    var steps: [ClusterStep]

    var beginning: String { "\(names) directors, \(nodes) nodes, owned by node \(owner)" }
}
