import DequeModule
import Directors
import Notation
import Reactor

extension DeliveryQueues {
    /// Takes over what was stored, in the order of the sequences; called once, before anything else.
    ///
    /// A delivery waits for the rest of its delay: no longer than the schedule's longest one, whatever the clock has
    /// been set to. Nothing is refused for a bound: it was accepted once.
    ///
    /// - Parameter isLiving: Whether a hook's director is still there; what belongs to another one is forgotten.
    mutating func load(_ deliveries: [Delivery], at now: Moment, isLiving: (HookAddress) -> Bool) {
        insert(deliveries, at: now)
        forget(at: now) { !isLiving($0) }
        for address in Array(queues.keys) {
            dropDead(of: address)
            advance(address, at: now)
        }
        save(at: now)
    }

    /// Takes over another server's deliveries; known ones stay unchanged.
    ///
    /// - Parameter sequence: The first number for new ones.
    mutating func adopt(
        _ deliveries: [Delivery], of director: String, epoch: String, firstSequence sequence: Int, at now: Moment
    ) {
        elsewhere.remove(DirectorKey(director: director, epoch: epoch))
        released.subtract(deliveries.map(\.sequence))
        insert(deliveries.filter { slots[$0.sequence] == nil }, at: now)
        number(from: sequence)
        for address in Set(deliveries.map(\.address)) {
            dropDead(of: address)
            advance(address, at: now)
        }
        save(at: now)
    }

    /// Begins to number new deliveries with a number that no other server gives.
    mutating func number(from sequence: Int) {
        nextSequence = max(nextSequence, sequence)
    }

    /// Puts stored deliveries into their queues.
    private mutating func insert(_ deliveries: [Delivery], at now: Moment) {
        for delivery in deliveries {
            let longest = settings.schedule.longestDelay
            let delay = min(max(.zero, delivery.nextAttempt.since(now.wall)), longest)
            let slot = DeliverySlot(delivery, due: now.loop &+ delay.nanoseconds, isStored: true)
            nextSequence = max(nextSequence, delivery.sequence + 1)
            sequences[delivery.id] = delivery.sequence
            if delivery.state == .pending {
                insert(slot)
            } else {
                slots[delivery.sequence] = slot
                log.append(delivery.sequence)
                deadLog.append(delivery.sequence)
                queues[delivery.address, default: HookQueue()].dead.append(delivery.sequence)
                count(slot, by: 1)
                touch(delivery.address)
            }
        }
    }

    /// The stored deliveries that a filter lets through, oldest first, a page of them and how many there are.
    ///
    /// - Complexity: One look at each hook that has deliveries, and at each delivery up to the end of the page.
    func page(_ filter: DeliveryFilter, offset: Int, limit: Int) -> DeliveryPage {
        var lists: [Deque<Int>] = []
        for (address, queue) in queues where filter.matches(address) {
            if filter.state != .dead { lists.append(queue.waiting) }
            if filter.state != .pending { lists.append(queue.dead) }
        }
        let count = lists.reduce(0) { $0 + $1.count }
        let total = count - unstored(filter)
        guard offset < total else { return DeliveryPage(deliveries: [], total: total) }
        // Few among many are found in their queues.
        let isRare = count < log.entries.count / 8
        let sequences = isRare ? Deque(lists.joined().sorted()) : log.entries
        return DeliveryPage(deliveries: page(of: sequences, filter, offset, limit), total: total)
    }

    private func page(of sequences: Deque<Int>, _ filter: DeliveryFilter, _ offset: Int, _ limit: Int) -> [Delivery] {
        var page: [Delivery] = []
        var position = 0
        for sequence in sequences {
            guard page.count < limit else { break }
            guard let slot = slots[sequence], slot.isStored, filter.matches(slot.delivery) else { continue }
            if position >= offset { page.append(slot.delivery) }
            position += 1
        }
        return page
    }

    /// How many of the deliveries that a filter lets through are on their way to the store for the first time.
    private func unstored(_ filter: DeliveryFilter) -> Int {
        let sequences = Set(writes.values.lazy.flatMap(\.puts).map(\.sequence))
        return sequences.count { slots[$0].map { !$0.isStored && filter.matches($0.delivery) } ?? false }
    }

    /// The stored delivery with an identifier, and its attempts.
    func delivery(_ id: String) -> TracedDelivery? {
        guard let slot = sequences[id].flatMap({ slots[$0] }), slot.isStored else { return nil }
        return TracedDelivery(delivery: slot.delivery, attempts: slot.attempts)
    }

    /// When the one that waits longest was accepted.
    var oldestWaiting: WallTime? {
        waitingLog.entries.first.flatMap { slots[$0] }?.delivery.created
    }
}

/// Which deliveries to list; what is nil lets all through.
package struct DeliveryFilter: Sendable {
    /// The deliveries of the director of this name, in whatever life.
    package var director: String?
    /// The deliveries of the event of this name.
    package var event: String?
    /// Those of this hook.
    package var address: HookAddress?
    /// The waiting deliveries, or the dead ones.
    package var state: Delivery.State?
    /// The deliveries of directors for which this is true; nil for all.
    package var mayShow: (@Sendable (_ director: String) -> Bool)?

    /// Makes a filter.
    package init(
        director: String? = nil, event: String? = nil, address: HookAddress? = nil, state: Delivery.State? = nil,
        mayShow: (@Sendable (_ director: String) -> Bool)? = nil
    ) {
        self.director = director
        self.event = event
        self.address = address
        self.state = state
        self.mayShow = mayShow
    }

    func matches(_ delivery: Delivery) -> Bool {
        (state.map { $0 == delivery.state } ?? true) && matches(delivery.address)
    }

    /// Whether deliveries of a hook are let through, as far as it goes by that.
    func matches(_ other: HookAddress) -> Bool {
        (event.map { $0.isVerbatim(other.event) } ?? true) && (director.map { $0.isVerbatim(other.director) } ?? true)
            && (address.map { $0 == other } ?? true) && (mayShow?(other.director) ?? true)
    }
}

/// Some of the deliveries that were asked for.
package struct DeliveryPage: Sendable, Hashable {
    /// The deliveries, oldest first.
    package var deliveries: [Delivery]
    /// How many there are in all.
    package var total: Int
}
