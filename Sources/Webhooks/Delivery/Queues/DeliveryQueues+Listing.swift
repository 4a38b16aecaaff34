import Directors
import Reactor

extension DeliveryQueues {
    /// Takes over what was stored, in the order of the sequences; called once, before anything else.
    ///
    /// What waited for a time waits for what is left of it: no longer than the schedule's longest delay, whatever the
    /// clock has been set to. Nothing is refused for a bound: it was accepted once.
    ///
    /// - Parameter isLiving: Whether a hook's director is still there; what belongs to another one is forgotten.
    mutating func load(_ deliveries: [Delivery], at now: Moment, isLiving: (HookAddress) -> Bool) {
        for delivery in deliveries {
            let longest = settings.schedule.longestDelay
            let delay = min(max(.zero, delivery.nextAttempt.since(now.wall)), longest)
            var slot = DeliverySlot(delivery, due: now.loop &+ delay.nanoseconds, isStored: true)
            slot.size = delivery.size
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
        forget(at: now) { !isLiving($0) }
        for address in Array(queues.keys) {
            dropDead(of: address)
            advance(address, at: now)
        }
        save(at: now)
    }

    /// The stored deliveries that a filter lets through, oldest first, a page of them and how many there are.
    ///
    /// - Complexity: One look at each delivery.
    func page(_ filter: DeliveryFilter, offset: Int, limit: Int) -> DeliveryPage {
        var page: [Delivery] = []
        var total = 0
        for sequence in log.entries {
            guard let slot = slots[sequence], slot.isStored, filter.matches(slot.delivery) else { continue }
            if total >= offset, page.count < limit { page.append(slot.delivery) }
            total += 1
        }
        return DeliveryPage(deliveries: page, total: total)
    }

    /// The stored delivery with an identifier.
    func delivery(_ id: String) -> Delivery? {
        guard let slot = sequences[id].flatMap({ slots[$0] }), slot.isStored else { return nil }
        return slot.delivery
    }

    /// When the one that waits longest was accepted.
    var oldestWaiting: WallTime? {
        waitingLog.entries.first.flatMap { slots[$0] }?.delivery.created
    }
}

/// Which deliveries to list; what is nil lets all through.
package struct DeliveryFilter: Sendable, Hashable {
    /// Those of the director of this name, in whatever life.
    package var director: String?
    /// Those of the event of this name.
    package var event: String?
    /// Those of this hook.
    package var address: HookAddress?
    /// Those that wait, or the dead ones.
    package var state: Delivery.State?

    /// Makes a filter.
    package init(
        director: String? = nil, event: String? = nil, address: HookAddress? = nil, state: Delivery.State? = nil
    ) {
        self.director = director
        self.event = event
        self.address = address
        self.state = state
    }

    func matches(_ delivery: Delivery) -> Bool {
        (state.map { $0 == delivery.state } ?? true) && (event.map { $0 == delivery.address.event } ?? true)
            && (director.map { $0 == delivery.address.director } ?? true)
            && (address.map { $0 == delivery.address } ?? true)
    }
}

/// Some of the deliveries that were asked for.
package struct DeliveryPage: Sendable, Hashable {
    /// The deliveries, oldest first.
    package var deliveries: [Delivery]
    /// How many there are in all.
    package var total: Int
}
