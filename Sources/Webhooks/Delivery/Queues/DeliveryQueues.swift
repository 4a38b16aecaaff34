import DequeModule
import Directors
import Notation
import Reactor

/// All deliveries and what is to be done with them: a value that knows neither sockets nor a clock.
///
/// Each call says what has happened and when; what is to be done then is taken with ``takeActions()``. The guarantees:
/// - The deliveries of one hook are tried in the order in which they were accepted, one at a time. A delivery that
///   waits for another attempt holds back the deliveries behind it. Once it is dead, they go on. Hooks do not wait for
///   each other.
/// - Nothing is tried, listed or acknowledged that is not stored. A delivery is removed from the store after it has
///   arrived: the end of the process at any moment leads to a repetition with the same identifier, never to a loss.
/// - Everything is bounded (``DispatcherSettings``): what waits by refusing more, what is dead by dropping the oldest.
struct DeliveryQueues {
    let settings: DispatcherSettings

    var slots: [Int: DeliverySlot] = [:]
    var queues: [HookAddress: HookQueue] = [:]
    /// The sequence of each identifier.
    var sequences: [Name: Int] = [:]
    var nextSequence = 1
    private(set) var generation = 0
    /// All that are there, those that wait, and the dead ones in the order in which they died.
    var log = SequenceLog()
    var waitingLog = SequenceLog()
    var deadLog = SequenceLog()
    var waiting = DispatcherSettings.Bound(count: 0, bytes: 0)
    var dead = DispatcherSettings.Bound(count: 0, bytes: 0)
    var attemptsUnderWay = 0

    var writes: [Int: StoreWrite] = [:]
    var nextWrite = 1
    var tickets: [Int: Ticket] = [:]
    /// Sequences whose stored form is not up to date, oldest first.
    var unsaved = UnsavedSequences()
    /// Deliveries that another server makes now, until nothing of them is on its way to the store.
    var released: Set<Int> = []
    /// Directors whose notifications another server sends.
    var elsewhere: Set<DirectorKey> = []
    /// Directors that are being released, and the ticket that is answered when nothing of them is on its way to the store.
    var releases: [(director: DirectorKey, ticket: Int)] = []
    /// The write that brings some of them up to date; one at a time.
    var savingWrite: Int?
    /// When storing is tried again after a failure.
    var saveAgainAt: LoopInstant?

    var alarms = DeadlineHeap<HookAddress>()
    var counters = DeliveryCounters()
    var isClosed = false

    private var actions: [DeliveryAction] = []
    private var touched: Set<HookAddress> = []

    /// Makes empty queues.
    init(settings: DispatcherSettings) {
        self.settings = settings
    }

    /// The actions, in order; each is handed out once.
    mutating func takeActions() -> [DeliveryAction] {
        answerReleases()
        defer { actions = [] }
        return actions
    }

    /// The hooks whose queues have changed since this was asked last.
    mutating func takeTouched() -> Set<HookAddress> {
        defer { touched = [] }
        return touched
    }

    /// When ``wake(at:)`` has to be called next; nil where nothing waits for a time.
    var nextDeadline: LoopInstant? {
        let saving = unsaved.isEmpty ? nil : saveAgainAt
        guard let alarm = alarms.earliest else { return saving }
        return saving.map { min($0, alarm) } ?? alarm
    }

    /// Whether everything is stored as it is, and nothing is being tried.
    var isQuiet: Bool { attemptsUnderWay == 0 && writes.isEmpty && unsaved.isEmpty }

    mutating func act(_ action: DeliveryAction) {
        actions.append(action)
    }

    mutating func touch(_ address: HookAddress) {
        touched.insert(address)
    }

    /// Begins a generation and returns its number; notifications that wait now are of earlier ones.
    ///
    /// An answer about a hook takes time to come, and says nothing of notifications that are accepted meanwhile: the hook may
    /// have been put anew.
    mutating func beginGeneration() -> Int {
        generation += 1
        return generation
    }

    // MARK: Slots

    /// Puts a delivery into its hook's queue, behind the others.
    mutating func insert(_ slot: DeliverySlot) {
        let delivery = slot.delivery
        slots[delivery.sequence] = slot
        slots[delivery.sequence]?.generation = generation
        log.append(delivery.sequence)
        waitingLog.append(delivery.sequence)
        queues[delivery.address, default: HookQueue()].waiting.append(delivery.sequence)
        count(slot, by: 1)
        touch(delivery.address)
    }

    /// Forgets a delivery that is in no queue any more.
    mutating func discard(_ sequence: Int) {
        guard let slot = slots.removeValue(forKey: sequence) else { return }
        if sequences[slot.delivery.id] == sequence { sequences[slot.delivery.id] = nil }
        count(slot, by: -1)
        trimLogs()
        leave(slot.delivery.address)
    }

    /// Counts a slot among those that wait or the dead ones, or no longer.
    mutating func count(_ slot: DeliverySlot, by number: Int) {
        switch slot.delivery.state {
        case .pending:
            waiting.count += number
            waiting.bytes += number * slot.size
        case .dead:
            dead.count += number
            dead.bytes += number * slot.size
        }
    }

    mutating func trimLogs() {
        let slots = slots
        log.trim(to: slots.count) { slots[$0] != nil }
        waitingLog.trim(to: waiting.count) { slots[$0]?.delivery.state == .pending }
        deadLog.trim(to: dead.count) { slots[$0]?.delivery.state == .dead }
    }

    /// Forgets a queue that nothing has to be known of.
    mutating func leave(_ address: HookAddress) {
        touch(address)
        guard queues[address]?.isEmpty == true, queues[address]?.underWay == nil else { return }
        queues[address] = nil
    }
}

/// Names a life of a director.
struct DirectorKey: Hashable {
    @Verbatim var director: String
    @Verbatim var epoch: String
}

/// A write that is on its way.
struct StoreWrite {
    /// The deliveries that are stored with it, for the first time or in another form.
    var puts: [Delivery] = []
    /// The dead one that is put back into its queue with it.
    var revived: Int?
    /// The dead one that is removed with it because someone asked for it.
    var removed: Int?
    /// The sequences of the deliveries whose changes it stores.
    var saved: [Int] = []
    /// Who waits for it.
    var tickets: [Int] = []
}

/// Someone who waits for writes.
struct Ticket {
    /// The answer if all of them have succeeded.
    enum Answer {
        case accepted([String])
        case revived(Int)
        case removed
    }

    var answer: Answer
    var writesLeft: Set<Int> = []
    var failure: DeliveryStoreError?
}

/// Sequences in the order in which they were added, each once.
struct UnsavedSequences {
    private var order = Deque<Int>()
    private var members: Set<Int> = []

    var isEmpty: Bool { members.isEmpty }

    mutating func insert(_ sequence: Int) {
        if members.insert(sequence).inserted { order.append(sequence) }
    }

    mutating func popFirst() -> Int? {
        guard let first = order.popFirst() else { return nil }
        members.remove(first)
        return first
    }
}
