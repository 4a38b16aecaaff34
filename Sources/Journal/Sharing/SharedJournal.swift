import Access
import DirectorLife
import Directors
import Notation

/// A node's part of a journal that several servers write to: each director's records by its owner, and read by all.
///
/// It follows what other nodes store, on a thread of its own, and tells a ``LifeObserver`` of it.
package protocol SharedJournal: AnyObject, Sendable {
    /// This node's number, unlike that of any other node there ever was.
    var node: Int { get }

    /// Until when this node's lease lasts, on this machine's clock: until then nobody has taken what it owns.
    var leaseEnd: ContinuousClock.Instant { get }

    /// The state of the nodes and of following them.
    var sharingStatus: SharingStatus { get }

    /// Begins to follow: the observer is given the lives that this node is to own, or would take over, before this returns.
    ///
    /// Blocks while they are read; to be called once, before anything is appended.
    ///
    /// - Throws: The rows are damaged or cannot be read.
    func follow(_ observer: any LifeObserver) throws(JournalError)

    /// Takes part from now on: directors whose owner is gone, and a share of the others' directors.
    ///
    /// - Parameter url: The address at which the other nodes reach this one.
    func serve(at url: String)

    /// Looks what is stored now. When it completes, the observer has been given every record of these directors that was
    /// acknowledged, on whatever node, before this was called; of all directors those that are in memory here.
    ///
    /// A director that is named is in use: it is loaded, and stays so for a while.
    ///
    /// Callable from any thread. Callers during a look share the next one.
    ///
    /// - Parameters:
    ///   - directors: The names that are looked at; nil for all.
    ///   - completion: Called once, on the following thread, with the error where the database is away.
    func look(at directors: [String]?, completion: @escaping @Sendable (StorageError?) -> Void)

    /// Has a life read anew, whose records could not be performed; any thread.
    func restart(_ life: LifeName)

    /// Hands every director over to the other nodes, and takes none any more. Blocks until that is done, or the time is
    /// over; what is left then is taken when the lease runs out or is given back.
    func leave(within limit: Duration)
}

/// Told what other nodes store and who owns what; on the journal's following thread, one thing after the other.
package protocol LifeObserver: Sendable {
    /// A stored life that this node has to load: a new one, or one of which intermediate records are pruned. It stands
    /// in the place of any other life of the name.
    func begin(_ life: RecoveredDirector)

    /// Whether there is somebody here who writes a life, or shows what its owner writes.
    func holds(_ life: LifeName) -> Bool

    /// Unloads a life of another node that no client has asked for lately; the next request loads it again.
    ///
    /// - Returns: False where somebody here still needs it: it stays.
    func unload(_ life: LifeName) -> Bool

    /// The next records of a life, in order; some may have been performed here before.
    func follow(_ records: [LifeRecord], of life: LifeName)

    /// A life that is over. A life that this node has ended itself is told, too, and perhaps before its end is
    /// acknowledged.
    func end(_ life: LifeName)

    /// This node owns the life from now on: every record of it has been given before.
    func own(_ life: LifeName, _ inheritance: Inheritance)

    /// The first number for notifications of directors that this node begins: no other node gives one of the block.
    func number(deliveriesFrom first: Int)

    /// Another node has taken lives that this one has owned.
    func lose(_ lives: [LifeName])

    /// Another node owns a life that this one was about to hand over: what is in flight of it is not waited for.
    func letGo(_ life: LifeName)

    /// Has the owners of some lives take no command any more, and calls the completion once, from any thread, when what
    /// they had in flight is settled.
    func release(_ lives: [LifeName], completion: @escaping @Sendable () -> Void)

    /// The nodes, or who owns which director, is not what it was.
    ///
    /// - Parameters:
    ///   - nodes: The nodes by number.
    ///   - owners: The directors that have another owner, and those that are gone, with nil.
    func place(_ nodes: [Int: JournalNode], owners: [Name: Int?])

    /// The static tokens are others than before.
    func replaceTokens(_ tokens: [TokenEntry])

    /// A life that cannot be read: what is here of it may be old, and is not shown. With nil, it was read again, or is over.
    ///
    /// Called each time that it was tried.
    func setAside(_ life: LifeName, because reason: String?)

    /// A row that stands for itself (a token, a notification, the answer to a repeated request) is damaged. Everything
    /// else goes on without it. Called for each look that finds it.
    func leftOut(_ damage: JournalDamage)
}

/// Names a life of a director.
package struct LifeName: Sendable, Hashable {
    /// The director's name.
    @Verbatim package private(set) var director: String
    /// Which life of that name.
    @Verbatim package private(set) var epoch: String

    /// Names a life.
    package init(director: String, epoch: String) {
        self.director = director
        self.epoch = epoch
    }
}

/// The data that an owner takes over beside the records.
package struct Inheritance: Sendable {
    /// The answers that are kept for repetitions.
    package let answers: [StoredAnswer]
    /// Notifications that wait, and dead ones, in their order.
    package let deliveries: [Delivery]
    /// The first number for new notifications: larger than that of any other.
    package let firstDelivery: Int
    /// The number of this ownership, which tells it from earlier ones of the same node: its records bear it.
    package let ownership: Int

    /// Makes an inheritance.
    package init(answers: [StoredAnswer], deliveries: [Delivery], firstDelivery: Int, ownership: Int) {
        self.answers = answers
        self.deliveries = deliveries
        self.firstDelivery = firstDelivery
        self.ownership = ownership
    }
}
