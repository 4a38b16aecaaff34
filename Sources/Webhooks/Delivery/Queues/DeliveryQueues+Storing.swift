import Directors
import Reactor

extension DeliveryQueues {
    /// The most that one write brings up to date, by number and by bytes.
    static let savedAtOnce = DispatcherSettings.Bound(count: 1024, bytes: 1 << 20)

    /// Hands a write to the store.
    mutating func begin(_ write: StoreWrite, _ changes: [DeliveryChange]) {
        writes[nextWrite] = write
        act(.write(nextWrite, changes))
        nextWrite += 1
    }

    /// Says what came of a write.
    mutating func settle(_ number: Int, _ result: Result<Void, DeliveryStoreError>, at now: Moment) {
        guard let write = writes.removeValue(forKey: number) else { return }
        var addresses: Set<HookAddress> = []
        // First, so that it does not count as dead beside itself.
        if let sequence = write.revived { settleRevival(of: sequence, by: write, result) }
        if let sequence = write.removed { settleRemoval(of: sequence, result) }
        for put in write.puts {
            addresses.insert(put.address)
            if case .success = result { keep(put) } else { lose(put.sequence) }
        }
        if savingWrite == number { savingWrite = nil }
        switch result {
        case .success:
            saveAgainAt = nil
        case .failure:
            for sequence in write.saved { unsaved.insert(sequence) }
            if !write.saved.isEmpty { saveAgainAt = now.loop &+ settings.storingDelay.nanoseconds }
        }
        for ticket in write.tickets { settle(ticket, number, result) }
        for address in addresses { advance(address, at: now) }
        save(at: now)
    }

    private mutating func keep(_ delivery: Delivery) {
        guard var slot = slots[delivery.sequence] else { return }
        slot.putsUnderWay -= 1
        slot.isStored = true
        slot.delivery = delivery
        slots[delivery.sequence] = slot
        settleSize(of: delivery.sequence)
        endIfDue(delivery.sequence)
    }

    private mutating func lose(_ sequence: Int) {
        guard var slot = slots[sequence] else { return }
        slot.putsUnderWay -= 1
        slots[sequence] = slot
        settleSize(of: sequence)
        guard slot.isStored || slot.putsUnderWay > 0 else {
            unqueue(sequence, of: slot.delivery.address)
            return discard(sequence)
        }
        endIfDue(sequence)
    }

    /// Counts the bytes of what is stored, once nothing else is on its way.
    private mutating func settleSize(of sequence: Int) {
        guard let slot = slots[sequence], slot.isSettled else { return }
        waiting.bytes += slot.delivery.size - slot.size
        slots[sequence]?.size = slot.delivery.size
    }

    private mutating func settle(_ number: Int, _ write: Int, _ result: Result<Void, DeliveryStoreError>) {
        guard var ticket = tickets[number] else { return }
        ticket.writesLeft.remove(write)
        if case .failure(let error) = result { ticket.failure = ticket.failure ?? error }
        tickets[number] = ticket.writesLeft.isEmpty ? nil : ticket
        guard ticket.writesLeft.isEmpty else { return }
        switch ticket.answer {
        case .accepted(let ids):
            act(.answer(number, ticket.failure.map { .failure(.store($0)) } ?? .success(ids)))
        case .removed:
            act(.answerRemoval(number, ticket.failure.map { .failure(.refused($0)) } ?? .success(())))
        case .revived(let sequence):
            if let failure = ticket.failure {
                act(.answerRetry(number, .failure(.refused(.store(failure)))))
            } else if let slot = slots[sequence] {
                act(.answerRetry(number, .success(slot.delivery)))
            } else {
                act(.answerRetry(number, .failure(.unknown)))
            }
        }
    }

    /// Notes that the stored form of a delivery is not up to date.
    mutating func mark(_ sequence: Int) {
        unsaved.insert(sequence)
    }

    /// Brings what is stored up to date, unless that is being done already.
    ///
    /// Nobody waits for it: a delivery that has arrived and is still stored is repeated with the same identifier.
    mutating func save(at now: Moment) {
        guard savingWrite == nil, !unsaved.isEmpty, saveAgainAt.map({ $0 <= now.loop }) ?? true else { return }
        var write = StoreWrite()
        var changes: [DeliveryChange] = []
        var bytes = 0
        while changes.count < Self.savedAtOnce.count, bytes < Self.savedAtOnce.bytes,
            let sequence = unsaved.popFirst()
        {
            // One that is being put back into its queue is removed with that; after a failure it is noted again.
            if slots[sequence]?.moving != nil || slots[sequence] == nil && released.contains(sequence) { continue }
            let change = slots[sequence].map { DeliveryChange.put($0.delivery) } ?? .remove(sequence)
            changes.append(change)
            write.saved.append(sequence)
            bytes += change.size
        }
        if unsaved.isEmpty, writes.isEmpty { released = [] }
        guard !changes.isEmpty else { return }
        savingWrite = nextWrite
        begin(write, changes)
    }
}
