import Directors
import Notation
import Reactor

extension DeliveryQueues {
    /// Has everything that waits for a hook go dead, for a reason: that of generations before one, or all.
    ///
    /// A delivery under way may still arrive; if it fails, it is dead.
    mutating func kill(_ address: HookAddress, _ reason: String, before generation: Int? = nil, at now: Moment) {
        end(address, .dies(reason), before: generation)
        advance(address, at: now)
        save(at: now)
    }

    /// Forgets everything of some hooks, the dead ones too: their director is gone. One look at each queue.
    ///
    /// A delivery under way may still arrive, and is forgotten if it does not.
    mutating func forget(at now: Moment, where isOver: (HookAddress) -> Bool) {
        for address in queues.keys.filter(isOver) {
            for sequence in queues[address]?.dead ?? [] { vanish(sequence) }
            end(address, .isForgotten)
        }
        save(at: now)
    }

    /// Lets go of everything of a director without a change in the store, and takes nothing of it any more: another
    /// server has it now. A delivery under way may still arrive.
    ///
    /// - Parameter ticket: Answered when nothing of the director is on its way to the store.
    mutating func release(_ director: String, epoch: String, ticket: Int, at now: Moment) {
        let key = DirectorKey(director: director, epoch: epoch)
        elsewhere.insert(key)
        releases.append((key, ticket))
        for address in queues.keys where address.director.isVerbatim(director) && address.epoch == epoch {
            for sequence in queues[address]?.dead ?? [] { letGo(sequence) }
            queues[address]?.dead = []
            end(address, .isElsewhere)
        }
        save(at: now)
    }

    /// Answers the releases that nothing on its way to the store holds up.
    mutating func answerReleases() {
        guard !releases.isEmpty else { return }
        let open = releases
        releases = open.filter { isStoring($0.director) }
        for release in open where !releases.contains(where: { $0.ticket == release.ticket }) {
            act(.answerRelease(release.ticket))
        }
    }

    /// Whether something of a director is on its way to the store.
    ///
    /// - Complexity: One look at each hook that has deliveries, and at each of the director's.
    private func isStoring(_ key: DirectorKey) -> Bool {
        queues.contains { address, queue in
            address.director.isVerbatim(key.director) && address.epoch.isVerbatim(key.epoch)
                && queue.waiting.contains { slots[$0].map { !$0.isSettled } ?? false }
        }
    }

    /// Ends what waits for a hook: that of generations before one, or all.
    mutating func end(_ address: HookAddress, _ ending: DeliverySlot.Ending, before generation: Int? = nil) {
        let limit = generation ?? .max
        for sequence in queues[address]?.waiting ?? [] where slots[sequence].map({ $0.generation < limit }) ?? true {
            switch slots[sequence]?.ending {
            case .isForgotten, .isElsewhere: break
            case .dies, nil: slots[sequence]?.ending = ending
            }
            endIfDue(sequence)
        }
        leave(address)
    }

    /// Ends a delivery whose hook is no more, once nothing is under way with it.
    mutating func endIfDue(_ sequence: Int) {
        guard let slot = slots[sequence], let ending = slot.ending, slot.isSettled,
            queues[slot.delivery.address]?.underWay != sequence
        else { return }
        unqueue(sequence, of: slot.delivery.address)
        switch ending {
        case .dies(let reason): die(sequence, reason)
        case .isForgotten: vanish(sequence)
        case .isElsewhere: letGo(sequence)
        }
    }

    /// Takes a delivery away that stays in the store.
    private mutating func letGo(_ sequence: Int) {
        // What is not up to date there would otherwise be taken for removed.
        released.insert(sequence)
        discard(sequence)
    }

    /// Takes a delivery away that is in no queue any more, or dead.
    private mutating func vanish(_ sequence: Int) {
        counters.forgotten += 1
        remove(sequence)
    }

    /// Ends a delivery that has just left those that wait.
    ///
    /// - Parameter reason: Why, where its last attempt does not tell.
    mutating func die(_ sequence: Int, _ reason: String?) {
        guard var slot = slots[sequence] else { return }
        count(slot, by: -1)
        slot.delivery.state = .dead
        slot.ending = nil
        slot.isCoalescing = false
        if let reason {
            let earlier = slot.delivery.lastError.map { "; the last attempt: \($0)" } ?? ""
            slot.delivery.lastError = (reason + earlier).shortened(to: Delivery.maximumErrorLength)
        }
        slot.size = slot.delivery.size
        slots[sequence] = slot
        count(slot, by: 1)
        counters.died += 1
        let address = slot.delivery.address
        queues[address, default: HookQueue()].dead.append(sequence)
        deadLog.append(sequence)
        mark(sequence)
        touch(address)
        dropDead(of: address)
    }

    /// Drops the oldest dead ones where there are too many.
    mutating func dropDead(of address: HookAddress) {
        while let count = queues[address]?.dead.count, count > settings.retainedDeadPerHook,
            let first = queues[address]?.dead.first
        {
            drop(first)
        }
        while dead.count > settings.retainedDead.count || dead.count > 1 && dead.bytes > settings.retainedDead.bytes {
            trimLogs()
            guard let first = deadLog.entries.first else { return }
            drop(first)
        }
    }

    private mutating func drop(_ sequence: Int) {
        counters.dropped += 1
        remove(sequence)
    }

    /// Removes a delivery that is in no queue any more, or dead.
    private mutating func remove(_ sequence: Int) {
        guard let slot = slots[sequence] else { return }
        let address = slot.delivery.address
        if let position = queues[address]?.dead.firstIndex(of: sequence) { queues[address]?.dead.remove(at: position) }
        let revived = slot.moving.flatMap { writes[$0]?.puts.first }
        discard(sequence)
        mark(sequence)
        // One that is on its way back into its queue keeps its identifier from being given twice.
        if let revived { sequences[revived.id] = revived.sequence }
    }

    // MARK: Trying again

    /// Tries a delivery again: a dead one at the end of its hook's queue, a waiting one without its delay, behind the
    /// deliveries before it. The first of the queue is tried at once if no attempt is under way.
    mutating func retry(_ id: String, ticket: Int, at now: Moment) {
        guard !isClosed else { return act(.answerRetry(ticket, .failure(.refused(.closed)))) }
        guard let sequence = sequences[id], let slot = slots[sequence], slot.isStored else {
            return act(.answerRetry(ticket, .failure(.unknown)))
        }
        let address = slot.delivery.address
        guard slot.delivery.state == .dead else {
            if queues[address]?.underWay != sequence { hasten(sequence, at: now) }
            act(.answerRetry(ticket, .success(slots[sequence]?.delivery ?? slot.delivery)))
            return hurry(address, at: now)
        }
        if let moving = slot.moving {
            guard let revived = writes[moving]?.puts.first else {
                return act(.answerRetry(ticket, .failure(.unknown)))
            }
            tickets[ticket] = Ticket(answer: .revived(revived.sequence), writesLeft: [moving])
            writes[moving]?.tickets.append(ticket)
            return
        }
        if let refusal = room(for: 1, at: address, now) ?? room(for: 1, bytes: slot.size, now) {
            return act(.answerRetry(ticket, .failure(.refused(refusal))))
        }
        revive(slot, ticket, at: now)
    }

    private mutating func revive(_ slot: DeliverySlot, _ ticket: Int, at now: Moment) {
        let dead = slot.delivery
        let delivery = Delivery(
            sequence: nextSequence, id: dead.id, address: dead.address, created: dead.created, body: dead.body,
            nextAttempt: now.wall)
        nextSequence += 1
        var revived = DeliverySlot(delivery, due: now.loop, isStored: false)
        revived.putsUnderWay = 1
        revived.lastWrite = nextWrite
        revived.attempts = slot.attempts
        insert(revived)
        slots[dead.sequence]?.moving = nextWrite
        tickets[ticket] = Ticket(answer: .revived(delivery.sequence), writesLeft: [nextWrite])
        begin(
            StoreWrite(puts: [delivery], revived: dead.sequence, tickets: [ticket]),
            [.remove(dead.sequence), .put(delivery)])
    }

    /// Says what came of putting a dead one back into its queue.
    mutating func settleRevival(of dead: Int, by write: StoreWrite, _ result: Result<Void, DeliveryStoreError>) {
        guard case .success = result else {
            slots[dead]?.moving = nil
            return mark(dead)
        }
        counters.revived += 1
        if let address = slots[dead]?.delivery.address, let position = queues[address]?.dead.firstIndex(of: dead) {
            queues[address]?.dead.remove(at: position)
        }
        discard(dead)
        for delivery in write.puts where slots[delivery.sequence] != nil {
            sequences[delivery.id] = delivery.sequence
        }
    }

    /// Tries at once what waits for a hook that was changed; where an attempt is being made, once that has ended.
    mutating func hookChanged(_ address: HookAddress, at now: Moment) {
        queues[address]?.attempt?.isOutdated = true
        hurry(address, at: now)
    }

    /// Tries at once what waits for a hook, unless an attempt is being made.
    mutating func hurry(_ address: HookAddress, at now: Moment) {
        guard let queue = queues[address], queue.underWay == nil, let first = queue.waiting.first else { return }
        hasten(first, at: now)
        advance(address, at: now)
    }

    private mutating func hasten(_ sequence: Int, at now: Moment) {
        slots[sequence]?.due = now.loop
        slots[sequence]?.delivery.nextAttempt = now.wall
    }

    // MARK: Removing by request

    /// Removes a dead delivery because someone asks for it; the answer comes when that is stored.
    mutating func remove(_ id: String, ticket: Int, at now: Moment) {
        guard !isClosed else { return act(.answerRemoval(ticket, .failure(.closed))) }
        guard let sequence = sequences[id], let slot = slots[sequence], slot.isStored else {
            return act(.answerRemoval(ticket, .failure(.unknown)))
        }
        guard slot.delivery.state == .dead else { return act(.answerRemoval(ticket, .failure(.pending))) }
        guard let moving = slot.moving else {
            slots[sequence]?.moving = nextWrite
            tickets[ticket] = Ticket(answer: .removed, writesLeft: [nextWrite])
            return begin(StoreWrite(removed: sequence, tickets: [ticket]), [.remove(sequence)])
        }
        // Otherwise it is being put back into its queue.
        guard writes[moving]?.removed == sequence else { return act(.answerRemoval(ticket, .failure(.pending))) }
        tickets[ticket] = Ticket(answer: .removed, writesLeft: [moving])
        writes[moving]?.tickets.append(ticket)
    }

    /// Says what came of removing a dead one.
    mutating func settleRemoval(of dead: Int, _ result: Result<Void, DeliveryStoreError>) {
        guard let address = slots[dead]?.delivery.address else { return }
        guard case .success = result else {
            slots[dead]?.moving = nil
            return mark(dead)
        }
        counters.removed += 1
        if let position = queues[address]?.dead.firstIndex(of: dead) { queues[address]?.dead.remove(at: position) }
        discard(dead)
    }
}
