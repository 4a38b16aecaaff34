import DequeModule
import Directors
import Reactor

/// The queues' record of one delivery.
struct DeliverySlot {
    /// The stored delivery, or the first form of one that is not stored yet.
    var delivery: Delivery
    /// When it may be tried next.
    var due: LoopInstant
    /// Whether it is stored: until then nobody is told of it.
    var isStored: Bool
    /// How often it is on its way to the store: more than once where it was replaced meanwhile.
    var putsUnderWay = 0
    /// The newest write that has it.
    var lastWrite: Int?
    /// The generation in which it was accepted, or replaced last.
    var generation = 0
    /// Whether a later notification may take its place.
    var isCoalescing = false
    /// Its part of the bytes that are bounded.
    var size: Int
    /// The action that follows as soon as neither an attempt nor a write of it is under way.
    var ending: Ending?
    /// Its latest attempts that have failed, oldest first.
    var attempts: [DeliveryAttempt] = []
    /// The write that takes it out of the dead ones: into its queue, under another sequence, or away.
    var moving: Int?

    /// Makes the slot of a delivery that was just accepted, or was read from the store.
    init(_ delivery: Delivery, due: LoopInstant, isStored: Bool) {
        self.delivery = delivery
        self.due = due
        self.isStored = isStored
        size = delivery.size
    }

    /// Notes an attempt that has failed.
    mutating func note(_ attempt: DeliveryAttempt) {
        if attempts.count == DeliveryAttempt.maximumCount { attempts.removeFirst() }
        attempts.append(attempt)
    }

    /// The result for a delivery whose hook is no more.
    enum Ending {
        /// It goes dead, for a reason: it can be tried again when there is such a hook again.
        case dies(String)
        /// It goes with the director that the hook was of.
        case isForgotten
        /// Another server makes it from now on: it stays in the store.
        case isElsewhere
    }

    /// Whether it can be tried, as far as storing goes.
    var isSettled: Bool { isStored && putsUnderWay == 0 }
}

/// The deliveries of one hook.
struct HookQueue {
    /// The sequences of those that wait, in their order.
    var waiting = Deque<Int>()
    /// The sequences of the dead ones, in the order in which they died.
    var dead = Deque<Int>()
    /// The attempt at the first of those that wait.
    var attempt: Attempt?
    /// When the queue is to be looked at next; nil where nothing waits for a time.
    var alarm: LoopInstant?

    /// An attempt that is being made.
    struct Attempt {
        let sequence: Int
        /// When it began.
        let began: Moment
        /// Whether the hook was changed since it began: it says nothing of the target that the hook has now.
        var isOutdated = false
    }

    /// The one that is being tried.
    var underWay: Int? { attempt?.sequence }

    /// Whether nothing has to be known of it.
    var isEmpty: Bool { waiting.isEmpty && dead.isEmpty }
}
