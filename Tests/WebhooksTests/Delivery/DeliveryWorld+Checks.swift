import Directors

@testable import Webhooks

/// What has to be so after each step.
extension DeliveryWorld {
    mutating func check() {
        let stored = queues.page(DeliveryFilter(), offset: 0, limit: .max).deliveries
        claim(Set(stored.map(\.id)).count == stored.count, "an identifier is there twice")
        claim(stored.map(\.sequence) == stored.map(\.sequence).sorted(), "the list is not in order")
        checkDead(stored)
        for (address, list) in lists {
            for id in list where !isKnown(id) && !isOnItsWay(id) {
                claim(doomed.contains(id), "\(id) is gone")
                dropped += 1
                owed.remove(id)
                lists[address]?.removeAll { $0 == id }
            }
            let waiting = stored.filter { $0.address == address && $0.state == .pending }.map(\.id)
            claim(waiting == lists[address]?.filter(waiting.contains), "\(waiting) is not the order of \(list)")
        }
        let counted = queues.counters.dropped + queues.counters.forgotten + queues.counters.removed
        claim(dropped == counted, "\(dropped) are gone, not \(counted)")
        for id in owed where !isKnown(id) && !isOnItsWay(id) {
            claim(droppedOnTheWay.contains(id), "\(id) was acknowledged and is gone")
            owed.remove(id)
        }
        checkBounds()
    }

    private mutating func checkDead(_ stored: [Delivery]) {
        let nowDead = Set(stored.filter { $0.state == .dead }.map(\.id))
        for id in dead.subtracting(nowDead) where !isKnown(id) {
            dropped += 1
            if isOnItsWay(id) { droppedOnTheWay.insert(id) } else { owed.remove(id) }
        }
        for id in nowDead.subtracting(dead) { claim(doomed.contains(id), "\(id) died for no reason") }
        for id in nowDead where !isOnItsWay(id) {
            for address in Self.hooks { lists[address]?.removeAll { $0 == id } }
        }
        dead = nowDead
    }

    private mutating func checkBounds() {
        let settings = Self.settings
        for address in Self.hooks {
            let counts = queues.counts(of: address)
            let limit = max(settings.maximumWaitingPerHook, excess[address] ?? 0)
            claim(counts.waiting <= limit, "\(counts.waiting) wait for \(address)")
            excess[address] = min(counts.waiting, excess[address] ?? 0)
            claim(counts.dead <= settings.retainedDeadPerHook, "\(counts.dead) of \(address) are dead")
        }
        let waiting = queues.waiting
        claim(waiting.count <= max(settings.maximumWaiting.count, excessInAll.count), "\(waiting.count) wait")
        claim(waiting.bytes <= max(settings.maximumWaiting.bytes, excessInAll.bytes), "\(waiting.bytes) bytes wait")
        excessInAll.count = min(waiting.count, excessInAll.count)
        excessInAll.bytes = min(waiting.bytes, excessInAll.bytes)
        claim(queues.dead.count <= settings.retainedDead.count, "\(queues.dead.count) are dead")
        for state in Delivery.State.allCases {
            let slots = queues.slots.values.filter { $0.delivery.state == state }
            let counted = state == .pending ? queues.waiting : queues.dead
            claim(
                counted == .init(count: slots.count, bytes: slots.reduce(0) { $0 + $1.size }),
                "\(counted) of \(state) are counted")
        }
        claim(queues.attemptsUnderWay == attempts.count, "\(queues.attemptsUnderWay) attempts are counted")
        claim(queues.log.entries.count <= 2 * queues.slots.count + 65, "the log keeps what is gone")
    }

    /// Lets everything go well from now on; then all that is owed has arrived or is dead.
    mutating func finish() {
        var rounds = 0
        while violation == nil, !(queues.waiting.count == 0 && queues.isQuiet) {
            rounds += 1
            claim(rounds < 2000, "it does not come to an end")
            if !writes.isEmpty {
                store(isStored: true)
            } else if let delivery = attempts.first {
                end(delivery, .delivered)
            } else if let deadline = queues.nextDeadline {
                wait(.nanoseconds(Int64(clamping: deadline > now.loop ? deadline - now.loop : 0)))
            } else {
                claim(false, "something waits for nothing")
            }
            perform()
            check()
        }
        claim(open.isEmpty && retries.isEmpty && removals.isEmpty, "someone was not answered")
        let stored = disk.values.sorted { $0.sequence < $1.sequence }
        let listed = queues.page(DeliveryFilter(), offset: 0, limit: .max).deliveries
        claim(stored == listed, "\(stored.map(\.id)) is stored and \(listed.map(\.id)) is listed")
    }
}
