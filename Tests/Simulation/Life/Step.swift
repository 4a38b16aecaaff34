/// One step of a history.
///
/// Every number in it is taken modulo what there is at that moment, and a step that has nothing to act on does nothing.
/// So any part of a history is a history too, and a failing one can be made shorter.
struct Step: CustomStringConvertible {
    /// What happens.
    enum Action {
        /// A client sends a command, with or without a key.
        case command(Command, Key?)
        /// A client asks a question with a key; its answer takes a while.
        case beginQuestion(Key)
        /// The oldest question is answered, and the answer is stored under its key; or it is given up.
        case endQuestion(isAnswered: Bool)
        /// The journal stores the oldest records that a node has queued, or refuses those that do not fit.
        case store(Int)
        /// The journal cannot store the oldest record that a node has queued.
        case fail
        /// A node is told what became of its oldest records.
        case deliver(Int, isSnapshotDue: Bool)
        /// A node that does not write performs the next stored records.
        case follow(Int)
        /// A node that has followed everything becomes the one that writes.
        case takeOver
        /// A node is killed; so many of its queued records became durable before that, and nobody was told.
        case stop(durable: Int)
        /// A node starts again and reads the journal.
        case start(fromSnapshot: Bool)
        /// A subscriber connects to a node: it resumes where it can, else it begins with a snapshot.
        case connect(Int)
        /// A subscriber leaves.
        case disconnect(Int)
        /// Time passes.
        case wait(hours: Int)
    }

    /// What happens.
    let action: Action
    /// To which director.
    let name: Int
    /// On which node.
    let node: Int

    var description: String {
        "director \(name), node \(node): \(action)".split(separator: "DirectorLifeTests.").joined()
    }
}

/// What a client asks of a director.
enum Command {
    /// Sets the variable that is named after the command.
    case set
    /// Sets that variable and appends an element of that name.
    case append(isReloaded: Bool)
    /// Reloads, and changes nothing else.
    case reload
    /// Changes the height of rows.
    case setHeight(Int)
    /// Registers an adapter, in place of an earlier one.
    case register(Int)
    /// Registers two adapters by one call.
    case registerTwo(Int)
    /// Registers an adapter and appends an element by one batch, and reloads.
    case batch(Int)
    /// Registers an adapter by a single operation.
    case registerByOperation(Int)
    /// Registers a hook on one of two events.
    case setHook(event: Int, target: Int)
    /// Registers a hook on each of two events, one after the other.
    case setTwoHooks(target: Int)
    /// Removes a hook.
    case removeHook(event: Int)
    /// A batch of which the last operation fails.
    case failingBatch
    /// Reads, and has to be answered after what is in flight.
    case nothing
    /// Tells subscribers to draw anew.
    case refresh
    /// Deletes the director.
    case delete
    /// Creates the director, with another epoch than its lives before.
    case create
}

/// The key of a command, and the hash of its request.
struct Key: Hashable {
    /// The key.
    let name: Int
    /// The hash.
    let fingerprint: Int
}

/// A history: where it begins, and what happens.
struct History: SimulatedHistory {
    /// How many directors there are.
    var names = 1
    /// How many nodes there are.
    var nodes = 2
    /// Whether the directors are still to be created.
    var isEmpty = false
    /// What happens.
    var steps: [Step]

    var beginning: String { "\(names) directors\(isEmpty ? ", not created" : ""), \(nodes) nodes" }
}
