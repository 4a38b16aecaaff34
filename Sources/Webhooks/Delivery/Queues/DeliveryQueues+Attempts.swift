import Directors
import Reactor

extension DeliveryQueues {
    /// Has the next delivery of a hook tried if its time has come, or sets the alarm for it.
    mutating func advance(_ address: HookAddress, at now: Moment) {
        guard !isClosed, let queue = queues[address], queue.underWay == nil, let first = queue.waiting.first,
            let slot = slots[first], slot.isSettled
        else { return }
        guard slot.due <= now.loop else { return setAlarm(address, for: slot.due) }
        queues[address]?.attempt = HookQueue.Attempt(sequence: first, began: now)
        attemptsUnderWay += 1
        act(.attempt(slot.delivery))
    }

    private mutating func setAlarm(_ address: HookAddress, for due: LoopInstant) {
        guard let queue = queues[address], queue.alarm.map({ due < $0 }) ?? true else { return }
        queues[address]?.alarm = due
        alarms.insert(address, at: due)
        // Earlier alarms of a queue stay until they ring, unless that becomes too many.
        guard alarms.count > 2 * queues.count + 64 else { return }
        alarms = DeadlineHeap()
        for (address, queue) in queues {
            if let alarm = queue.alarm { alarms.insert(address, at: alarm) }
        }
    }

    /// Does what is due.
    mutating func wake(at now: Moment) {
        while let address = alarms.popDue(at: now.loop) {
            if let alarm = queues[address]?.alarm, alarm <= now.loop { queues[address]?.alarm = nil }
            advance(address, at: now)
        }
        save(at: now)
    }

    /// Says what came of an attempt.
    ///
    /// - Parameter variation: The position between the shortest and the longest delay, from −1 to 1.
    mutating func finish(_ sequence: Int, _ outcome: AttemptOutcome, variation: Double, at now: Moment) {
        guard let address = slots[sequence]?.delivery.address, let attempt = queues[address]?.attempt,
            attempt.sequence == sequence
        else { return }
        queues[address]?.attempt = nil
        attemptsUnderWay -= 1
        switch outcome {
        case .delivered:
            counters.delivered += 1
            unqueue(sequence, of: address)
            discard(sequence)
            mark(sequence)
        case .failed(let reason, let retryAfter):
            noteFailure(of: attempt, reason, at: now)
            postpone(sequence, retryAfter, variation, at: now)
        case .hookGone(let reason, let generation):
            end(address, .dies(reason), before: generation)
        case .disabled(let reason, let generation):
            noteFailure(of: attempt, reason, at: now)
            slots[sequence]?.delivery.lastError = nil
            end(address, .dies(reason), before: generation)
        case .crowded:
            let delay = settings.crowdedDelay * (1 + settings.schedule.jitter * variation)
            slots[sequence]?.due = now.loop &+ delay.nanoseconds
            endIfDue(sequence)
        case .abandoned:
            endIfDue(sequence)
        }
        touch(address)
        advance(address, at: now)
        save(at: now)
        if attempt.isOutdated { hurry(address, at: now) }
    }

    private mutating func noteFailure(of attempt: HookQueue.Attempt, _ reason: String, at now: Moment) {
        let sequence = attempt.sequence
        let took = Duration.nanoseconds(Int64(clamping: now.loop &- attempt.began.loop))
        counters.failedAttempts += 1
        slots[sequence]?.note(DeliveryAttempt(began: attempt.began.wall, took: took, error: reason))
        slots[sequence]?.delivery.attempts += 1
        slots[sequence]?.delivery.lastAttempt = now.wall
        slots[sequence]?.delivery.lastError = reason.shortened(to: Delivery.maximumErrorLength)
    }

    /// Sets when a delivery is tried again, or ends it.
    private mutating func postpone(
        _ sequence: Int, _ retryAfter: Duration?, _ variation: Double, at now: Moment
    ) {
        guard let slot = slots[sequence] else { return }
        guard slot.ending == nil else { return endIfDue(sequence) }
        let attempts = slot.delivery.attempts
        guard
            let delay = settings.schedule.delay(afterAttempts: attempts, retryAfter: retryAfter, variation: variation)
        else {
            unqueue(sequence, of: slot.delivery.address)
            return die(sequence, nil)
        }
        slots[sequence]?.due = now.loop &+ delay.nanoseconds
        slots[sequence]?.delivery.nextAttempt = now.wall.advanced(by: delay)
        mark(sequence)
    }

    /// Takes a delivery out of those that wait.
    mutating func unqueue(_ sequence: Int, of address: HookAddress) {
        // Mostly the first or, where that is being tried, the one behind it; else from the back, where what could not be
        // stored is. No copy of the queue is held meanwhile.
        if queues[address]?.waiting.first == sequence {
            queues[address]?.waiting.removeFirst()
        } else if queues[address]?.waiting.dropFirst().first == sequence {
            queues[address]?.waiting.remove(at: 1)
        } else if let position = queues[address]?.waiting.lastIndex(of: sequence) {
            queues[address]?.waiting.remove(at: position)
        }
    }
}

extension String {
    /// The text on one line, cut behind the last whole character that fits into so many bytes of UTF-8.
    ///
    /// Control characters become spaces: the text may be what a receiver or an operator has written.
    func shortened(to bytes: Int) -> String {
        guard !unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else {
            let plain = unicodeScalars.map { $0.properties.generalCategory == .control ? " " : String($0) }.joined()
            return plain.shortened(to: bytes)
        }
        guard utf8.count > bytes else { return self }
        var end = utf8.index(startIndex, offsetBy: max(0, bytes - 3))
        while end > startIndex, end.samePosition(in: self) == nil { end = utf8.index(before: end) }
        return self[..<end] + "…"
    }
}
