import Directors
import Reactor

@testable import Webhooks

/// The queues with everything around them in its plainest form: a disk, receivers, a clock, and what was promised.
///
/// What the queues do is compared with a list for each hook: of what was accepted and neither arrived nor died, in order.
struct DeliveryWorld {
    /// What can be done wrongly on purpose, to show that it is seen.
    enum Fault: CaseIterable {
        /// A notification is acknowledged before it is stored.
        case acknowledgesEarly
        /// The next delivery of a hook is tried while one is under way.
        case triesTwoAtOnce
        /// What failed goes to the end of its queue.
        case failedGoesToTheEnd
        /// What failed often enough is taken away without a trace.
        case losesDead
        /// What did not arrive is tried again at once.
        case forgetsDelays
        /// What takes the place of a waiting one is not stored.
        case storesFirstOnly
        /// No bound holds.
        case ignoresBounds
    }

    static let settings = DispatcherSettings(
        schedule: RetrySchedule(delays: [.seconds(5), .seconds(60), .seconds(600)]), maximumWaitingPerHook: 6,
        maximumWaiting: .init(count: 14, bytes: 14 * 400), retainedDeadPerHook: 3,
        retainedDead: .init(count: 5, bytes: 1 << 20))
    static let hooks = ["a", "b", "c"].map {
        HookAddress(director: "contacts", epoch: "e1", level: .cell($0), event: "didSelect")
    }

    let fault: Fault?
    var queues: DeliveryQueues
    var now = Moment(loop: 1_000_000_000, wall: WallTime(milliseconds: 1_700_000_000_000))

    /// What is on the disk, by sequence, and the writes that are on their way to it.
    var disk: [Int: Delivery] = [:]
    var writes: [(number: Int, changes: [DeliveryChange])] = []
    /// The attempts that are under way.
    var attempts: [Delivery] = []
    /// The hooks that were changed since their attempt began.
    var outdated: Set<HookAddress> = []

    /// What was accepted and has neither arrived nor died, in order, for each hook.
    var lists: [HookAddress: [String]] = [:]
    /// The notifications that have not been answered: what was sent under which identifier.
    var open: [Int: [(id: String, body: [UInt8])]] = [:]
    var retries: Set<Int> = []
    /// The removals that have not been answered: whose they are, and whether that was dead.
    var removals: [Int: (id: String, wasDead: Bool)] = [:]
    var nextTicket = 1
    var nextID = 1
    /// What was acknowledged and has not arrived or gone.
    var owed: Set<String> = []
    var arrived: Set<String> = []
    /// The body that is the latest of those stored under an identifier.
    var bodies: [String: [UInt8]] = [:]
    var dead: Set<String> = []
    /// Who may die without having been tried often enough.
    var doomed: Set<String> = []
    var failures: [String: Int] = [:]
    /// Before when something may not be tried.
    var notBefore: [String: LoopInstant] = [:]
    /// How many dead ones were dropped since the start, and those among them that were being put back meanwhile.
    var dropped = 0
    var droppedOnTheWay: Set<String> = []
    /// What was loaded beyond a bound, since something that had arrived was not removed yet: it may only become less.
    var excess: [HookAddress: Int] = [:]
    var excessInAll = DispatcherSettings.Bound(count: 0, bytes: 0)
    let verdict = Verdict()

    /// Apart from the world, so that a claim can look at all of it.
    final class Verdict {
        var violation: String?
    }

    init(fault: Fault? = nil) {
        self.fault = fault
        var settings = Self.settings
        if fault == .ignoresBounds {
            settings.maximumWaitingPerHook = 100
            settings.retainedDeadPerHook = 100
        }
        queues = DeliveryQueues(settings: settings)
    }

    /// The first thing that was not as it has to be.
    var violation: String? { verdict.violation }

    func claim(_ isSo: Bool, _ text: @autoclosure () -> String) {
        if !isSo, verdict.violation == nil { verdict.violation = text() }
    }

    // MARK: Steps

    mutating func take(_ step: DeliveryStep) {
        switch step.kind {
        case .notify: notify(step)
        case .store: store(isStored: step.percent(0, 85))
        case .end: end(step)
        case .wait:
            wait([.milliseconds(10), .seconds(1), .seconds(8), .seconds(100), .seconds(1000)][step.numbers[0] % 5])
        case .retry:
            let ids = queues.page(DeliveryFilter(), offset: 0, limit: 100).deliveries.map(\.id)
            if let id = step.pick(0, of: ids) { retry(id) }
        case .remove:
            let ids = queues.page(DeliveryFilter(), offset: 0, limit: 100).deliveries.map(\.id)
            if let id = step.pick(0, of: ids) { remove(id) }
        case .hurry:
            guard let address = step.pick(0, of: Self.hooks) else { return }
            if attempts.contains(where: { $0.address == address }) { outdated.insert(address) }
            if let first = lists[address]?.first { notBefore[first] = nil }
            queues.hookChanged(address, at: now)
        case .forget:
            guard let address = step.pick(0, of: Self.hooks) else { return }
            doomed.formUnion(lists[address] ?? [])
            if step.percent(1, 60) {
                queues.kill(address, "the hook was removed", at: now)
            } else {
                queues.forget(at: now) { $0 == address }
            }
        case .kill: kill(step)
        }
        perform()
        check()
    }

    mutating func notify(_ step: DeliveryStep) {
        var drafts: [DeliveryDraft] = []
        for index in 0...(step.numbers[0] % 3) {
            guard let address = step.pick(1, of: Self.hooks + Self.hooks.dropFirst(index)) else { return }
            var id = "msg_\(nextID)"
            nextID += 1
            if step.percent(2, 8), let known = lists.values.joined().sorted().first { id = known }
            let body = Array("\(nextID)".utf8) + Array(repeating: 0x20, count: step.numbers[3] % 200)
            drafts.append(
                DeliveryDraft(
                    id: id, address: address, body: body,
                    coalesce: step.percent(3, 40) ? .seconds(step.numbers[3] % 3) : nil))
        }
        let ticket = nextTicket
        nextTicket += 1
        let before = queues.sequences
        queues.accept(drafts, ticket: ticket, at: now)
        for draft in drafts where before[draft.id] == nil && queues.sequences[draft.id] != nil {
            if lists[draft.address]?.contains(draft.id) != true { lists[draft.address, default: []].append(draft.id) }
        }
        open[ticket] = []
    }

    mutating func retry(_ id: String) {
        let ticket = nextTicket
        nextTicket += 1
        retries.insert(ticket)
        notBefore[id] = nil
        if let first = (queues.delivery(id)?.delivery.address).flatMap({ lists[$0]?.first }) { notBefore[first] = nil }
        queues.retry(id, ticket: ticket, at: now)
    }

    mutating func remove(_ id: String) {
        let ticket = nextTicket
        nextTicket += 1
        removals[ticket] = (id, dead.contains(id))
        queues.remove(id, ticket: ticket, at: now)
    }

    mutating func wait(_ duration: Duration) {
        now.loop += duration.nanoseconds
        now.wall = now.wall.advanced(by: duration)
        queues.wake(at: now)
    }

    mutating func end(_ step: DeliveryStep) {
        guard let delivery = step.pick(0, of: attempts) else { return }
        end(
            delivery,
            [
                .delivered, .delivered, .failed("500"), .failed("503", retryAfter: .seconds(30)), .delivered, .crowded,
                .failed("cut off"),
                step.percent(2, 10) ? .disabled("410", before: queues.beginGeneration()) : .delivered,
            ][step.numbers[1] % 8], variation: Double(step.numbers[3] % 201 - 100) / 100)
    }

    mutating func end(_ delivery: Delivery, _ outcome: AttemptOutcome, variation: Double = 0) {
        attempts.removeAll { $0.sequence == delivery.sequence }
        let address = delivery.address
        notBefore[delivery.id] = nil
        switch outcome {
        case .delivered:
            arrived.insert(delivery.id)
            owed.remove(delivery.id)
            lists[address]?.removeAll { $0 == delivery.id }
            bodies[delivery.id] = nil
        case .failed(_, let retryAfter):
            failures[delivery.id, default: 0] += 1
            let delays = Self.settings.schedule.delays
            let delay = failures[delivery.id].flatMap { $0 <= delays.count ? delays[$0 - 1] * 0.8 : nil }
            notBefore[delivery.id] = delay.map { now.loop + max($0, retryAfter ?? .zero).nanoseconds - 1 }
            if delay == nil { doomed.insert(delivery.id) }
        case .disabled: doomed.formUnion(lists[address] ?? [])
        case .hookGone, .crowded, .abandoned: break
        }
        let isOutdated = outdated.remove(address) != nil
        if isOutdated, let first = lists[address]?.first { notBefore[first] = nil }
        queues.finish(delivery.sequence, outcome, variation: variation, at: now)
        if isOutdated, let first = queues.queues[address]?.waiting.first, queues.slots[first]?.isSettled == true {
            claim(queues.queues[address]?.underWay == first, "\(address) was changed and is not tried at once")
        }
        if case .failed = outcome { plant(delivery) }
    }

    /// Does something wrongly after a failed attempt.
    mutating func plant(_ delivery: Delivery) {
        let (address, sequence) = (delivery.address, delivery.sequence)
        switch fault {
        case .failedGoesToTheEnd?:
            queues.unqueue(sequence, of: address)
            queues.queues[address]?.waiting.append(sequence)
        case .losesDead? where queues.slots[sequence]?.delivery.state == .dead:
            queues.queues[address]?.dead.removeAll { $0 == sequence }
            queues.discard(sequence)
        case .forgetsDelays?: queues.hurry(address, at: now)
        default: break
        }
    }

    // MARK: What the queues want done

    mutating func perform() {
        for action in queues.takeActions() {
            switch action {
            case .write(let number, let changes):
                writes.append((number, changes))
                for case .put(let delivery) in changes where delivery.state == .pending && delivery.attempts == 0 {
                    enlist(delivery)
                }
                if fault == .acknowledgesEarly { owed.formUnion(changes.compactMap(\.newID)) }
            case .attempt(let delivery): begin(delivery)
            case .answer(let ticket, let result):
                claim(open.removeValue(forKey: ticket) != nil, "\(ticket) was answered twice")
                // What was removed meanwhile may have died and been dropped by now.
                guard case .success(let ids) = result else { continue }
                owed.formUnion(ids.filter { !arrived.contains($0) && (isKnown($0) || !doomed.contains($0)) })
            case .answerRetry(let ticket, _):
                claim(retries.remove(ticket) != nil, "\(ticket) was answered twice")
            case .answerRelease: break
            case .answerRemoval(let ticket, let result):
                let removal = removals.removeValue(forKey: ticket)
                claim(removal != nil, "\(ticket) was answered twice")
                guard case .success = result, let (id, wasDead) = removal else { continue }
                claim(wasDead, "\(id) was removed and was not dead")
                claim(!disk.values.contains { $0.id == id }, "\(id) was removed and is still stored")
                claim(!isKnown(id), "\(id) was removed and is still there")
            }
        }
    }

    /// Puts what is put back into its queue at the end of its list.
    mutating func enlist(_ delivery: Delivery) {
        guard lists[delivery.address]?.contains(delivery.id) != true else { return }
        lists[delivery.address, default: []].append(delivery.id)
        failures[delivery.id] = 0
        doomed.remove(delivery.id)
    }

    func isKnown(_ id: String) -> Bool { queues.delivery(id) != nil }

    func isOnItsWay(_ id: String) -> Bool {
        writes.contains { $0.changes.contains { $0.newID == id } }
    }

    mutating func begin(_ delivery: Delivery) {
        let address = delivery.address
        claim(!attempts.contains { $0.address == address }, "two of \(address) are tried at once")
        claim(disk[delivery.sequence]?.body == delivery.body, "\(delivery.id) is tried and not stored as it is")
        claim(bodies[delivery.id] == delivery.body, "\(delivery.id) is tried with another body than the latest")
        // Those that have died or gone in this step are taken out of the lists at its end.
        let rest = (lists[address] ?? []).filter { queues.delivery($0)?.delivery.state == .pending || isOnItsWay($0) }
        claim(rest.first == delivery.id, "\(delivery.id) is tried before \(rest)")
        claim(now.loop >= notBefore[delivery.id] ?? 0, "\(delivery.id) is tried too early")
        attempts.append(delivery)
        if fault == .triesTwoAtOnce {
            queues.queues[address]?.attempt = nil
            let first = queues.queues[address]?.waiting.removeFirst()
            queues.advance(address, at: now)
            if let first { queues.queues[address]?.waiting.prepend(first) }
        }
    }
}

extension DeliveryChange {
    /// The identifier of what is stored for the first time.
    var newID: String? {
        guard case .put(let delivery) = self, delivery.state == .pending, delivery.attempts == 0 else { return nil }
        return delivery.id
    }
}
