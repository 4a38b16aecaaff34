import Directors

@testable import Webhooks

/// The disk of the world, and what is left on it when the process is killed.
extension DeliveryWorld {
    mutating func store(isStored: Bool) {
        guard !writes.isEmpty else { return }
        let (number, changes) = writes.removeFirst()
        if isStored { apply(changes) } else { drop(changes) }
        queues.settle(number, isStored ? .success(()) : .failure(.full("no room")), at: now)
    }

    mutating func apply(_ changes: [DeliveryChange]) {
        for change in changes {
            switch change {
            case .put(let delivery):
                if fault == .storesFirstOnly, disk[delivery.sequence] != nil, delivery.attempts == 0 { continue }
                disk[delivery.sequence] = delivery
                if delivery.state == .pending { bodies[delivery.id] = delivery.body }
            case .remove(let sequence): disk[sequence] = nil
            }
        }
    }

    /// Takes what could not be stored out of the lists, where nothing else of it is stored or on its way.
    mutating func drop(_ changes: [DeliveryChange]) {
        for case .put(let delivery) in changes where disk[delivery.sequence] == nil {
            let isOnItsWay = writes.contains { write in write.changes.contains { $0.sequence == delivery.sequence } }
            if !isOnItsWay { lists[delivery.address]?.removeAll { $0 == delivery.id } }
        }
    }

    /// Ends the process: of the writes that were on their way, the first few have reached the disk.
    mutating func kill(_ step: DeliveryStep) {
        for write in writes.prefix(step.numbers[0] % (writes.count + 1)) { apply(write.changes) }
        // What is removed may be gone or not until that is answered.
        owed.subtract(removals.values.map(\.id))
        (writes, attempts, outdated, open, retries, removals) = ([], [], [], [:], [], [:])
        let stored = disk.values.sorted { $0.sequence < $1.sequence }
        for id in owed.subtracting(droppedOnTheWay) {
            claim(stored.contains { $0.id == id }, "\(id) was acknowledged and is lost")
        }
        owed.formIntersection(stored.map(\.id))
        for address in Self.hooks {
            let waiting = stored.filter { $0.address == address && $0.state == .pending }.map(\.id)
            let promised = (lists[address] ?? []).filter {
                owed.contains($0) && !dead.contains($0) && !droppedOnTheWay.contains($0)
            }
            let rest = waiting.filter(promised.contains)
            claim(rest == promised.filter(waiting.contains), "\(promised) is stored as \(waiting)")
            lists[address] = waiting
        }
        (notBefore, dropped, droppedOnTheWay, doomed) = ([:], 0, [], [])
        dead = Set(stored.filter { $0.state == .dead }.map(\.id))
        failures = Dictionary(stored.map { ($0.id, $0.attempts) }, uniquingKeysWith: { $1 })
        bodies = Dictionary(stored.map { ($0.id, $0.body) }, uniquingKeysWith: { $1 })
        // Clocks may be wrong after a start.
        now.wall = now.wall.advanced(by: .seconds(step.numbers[1] - 500))
        let settings = queues.settings
        queues = DeliveryQueues(settings: settings)
        queues.load(stored, at: now) { _ in true }
        for address in Self.hooks { excess[address] = queues.counts(of: address).waiting }
        excessInAll = queues.waiting
    }
}
