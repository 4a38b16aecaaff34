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

    private let fault: Fault?
    var queues: DeliveryQueues
    var now = Moment(loop: 1_000_000_000, wall: WallTime(milliseconds: 1_700_000_000_000))

    /// What is on the disk, by sequence, and the writes that are on their way to it.
    private var disk: [Int: Delivery] = [:]
    private var writes: [(number: Int, changes: [DeliveryChange])] = []
    /// The attempts that are under way.
    private(set) var attempts: [Delivery] = []

    /// What was accepted and has neither arrived nor died, in order, for each hook.
    private var lists: [HookAddress: [String]] = [:]
    /// The notifications that have not been answered: what was sent under which identifier.
    private var open: [Int: [(id: String, body: [UInt8])]] = [:]
    private var retries: Set<Int> = []
    private var nextTicket = 1
    private var nextID = 1
    /// What was acknowledged and has not arrived or gone.
    private(set) var owed: Set<String> = []
    private(set) var arrived: Set<String> = []
    /// The body that is the latest of those stored under an identifier.
    private var bodies: [String: [UInt8]] = [:]
    private var dead: Set<String> = []
    /// Who may die without having been tried often enough.
    private var doomed: Set<String> = []
    private var failures: [String: Int] = [:]
    /// Before when something may not be tried.
    private var notBefore: [String: LoopInstant] = [:]
    /// How many dead ones were dropped since the start, and those among them that were being put back meanwhile.
    private var dropped = 0
    private var droppedOnTheWay: Set<String> = []
    /// What was loaded beyond a bound, since something that had arrived was not removed yet: it may only become less.
    private var excess: [HookAddress: Int] = [:]
    private var excessInAll = DispatcherSettings.Bound(count: 0, bytes: 0)
    private let verdict = Verdict()

    /// Apart from the world, so that a claim can look at all of it.
    private final class Verdict {
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

    private func claim(_ isSo: Bool, _ text: @autoclosure () -> String) {
        if !isSo, verdict.violation == nil { verdict.violation = text() }
    }

    // MARK: Steps

    mutating func take(_ step: DeliveryStep) {
        switch step.kind {
        case .notify: notify(step)
        case .store: store(isStored: step.percent(0, 85))
        case .end: end(step)
        case .wait: wait([.milliseconds(10), .seconds(1), .seconds(8), .seconds(100), .seconds(1000)][step.numbers[0] % 5])
        case .retry:
            let ids = queues.page(DeliveryFilter(), offset: 0, limit: 100).deliveries.map(\.id)
            if let id = step.pick(0, of: ids) { retry(id) }
        case .hurry:
            guard let address = step.pick(0, of: Self.hooks) else { return }
            if let first = lists[address]?.first { notBefore[first] = nil }
            queues.hurry(address, at: now)
        case .forget:
            guard let address = step.pick(0, of: Self.hooks) else { return }
            doomed.formUnion(lists[address] ?? [])
            queues.forget("the hook was removed", at: now) { $0 == address }
        case .kill: kill(step)
        }
        perform()
        check()
    }

    private mutating func notify(_ step: DeliveryStep) {
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

    private mutating func retry(_ id: String) {
        let ticket = nextTicket
        nextTicket += 1
        retries.insert(ticket)
        notBefore[id] = nil
        if let first = (queues.delivery(id)?.address).flatMap({ lists[$0]?.first }) { notBefore[first] = nil }
        queues.retry(id, ticket: ticket, at: now)
    }

    mutating func wait(_ duration: Duration) {
        now.loop += duration.nanoseconds
        now.wall = now.wall.advanced(by: duration)
        queues.wake(at: now)
    }

    private mutating func end(_ step: DeliveryStep) {
        guard let delivery = step.pick(0, of: attempts) else { return }
        end(
            delivery,
            [
                .delivered, .delivered, .failed("500"), .failed("503", retryAfter: .seconds(30)), .delivered, .crowded,
                .failed("cut off"), step.percent(2, 10) ? .disabled("410") : .delivered,
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
        queues.finish(delivery.sequence, outcome, variation: variation, at: now)
        if case .failed = outcome { plant(delivery) }
    }

    /// Does something wrongly after a failed attempt.
    private mutating func plant(_ delivery: Delivery) {
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

    // MARK: The store

    mutating func store(isStored: Bool) {
        guard !writes.isEmpty else { return }
        let (number, changes) = writes.removeFirst()
        if isStored { apply(changes) } else { drop(changes) }
        queues.settle(number, isStored ? .success(()) : .failure(.full("no room")), at: now)
    }

    private mutating func apply(_ changes: [DeliveryChange]) {
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
    private mutating func drop(_ changes: [DeliveryChange]) {
        for case .put(let delivery) in changes where disk[delivery.sequence] == nil {
            let isOnItsWay = writes.contains { write in write.changes.contains { $0.sequence == delivery.sequence } }
            if !isOnItsWay { lists[delivery.address]?.removeAll { $0 == delivery.id } }
        }
    }

    /// Ends the process: of the writes that were on their way, the first few have reached the disk.
    private mutating func kill(_ step: DeliveryStep) {
        for write in writes.prefix(step.numbers[0] % (writes.count + 1)) { apply(write.changes) }
        (writes, attempts, open, retries) = ([], [], [:], [])
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

    // MARK: What the queues want done

    private mutating func perform() {
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
            }
        }
    }

    /// Puts what is put back into its queue at the end of its list.
    private mutating func enlist(_ delivery: Delivery) {
        guard lists[delivery.address]?.contains(delivery.id) != true else { return }
        lists[delivery.address, default: []].append(delivery.id)
        failures[delivery.id] = 0
        doomed.remove(delivery.id)
    }

    private func isKnown(_ id: String) -> Bool { queues.delivery(id) != nil }

    private func isOnItsWay(_ id: String) -> Bool {
        writes.contains { $0.changes.contains { $0.newID == id } }
    }

    private mutating func begin(_ delivery: Delivery) {
        let address = delivery.address
        claim(!attempts.contains { $0.address == address }, "two of \(address) are tried at once")
        claim(disk[delivery.sequence]?.body == delivery.body, "\(delivery.id) is tried and not stored as it is")
        claim(bodies[delivery.id] == delivery.body, "\(delivery.id) is tried with another body than the latest")
        // Those that have died in this step are taken out of the lists at its end.
        let rest = (lists[address] ?? []).filter { queues.delivery($0)?.state != .dead || isOnItsWay($0) }
        claim(rest.first == delivery.id, "\(delivery.id) is tried before \(rest)")
        claim(now.loop >= notBefore[delivery.id] ?? 0, "\(delivery.id) is tried too early")
        attempts.append(delivery)
        if fault == .triesTwoAtOnce {
            queues.queues[address]?.underWay = nil
            let first = queues.queues[address]?.waiting.removeFirst()
            queues.advance(address, at: now)
            if let first { queues.queues[address]?.waiting.prepend(first) }
        }
    }

    // MARK: What has to be so

    private mutating func check() {
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
        claim(dropped == queues.counters.dropped, "\(dropped) dead ones are gone, not \(queues.counters.dropped)")
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
        claim(open.isEmpty && retries.isEmpty, "someone was not answered")
        let stored = disk.values.sorted { $0.sequence < $1.sequence }
        let listed = queues.page(DeliveryFilter(), offset: 0, limit: .max).deliveries
        claim(stored == listed, "\(stored.map(\.id)) is stored and \(listed.map(\.id)) is listed")
    }
}

extension DeliveryChange {
    fileprivate var newID: String? {
        if case .put(let delivery) = self, delivery.state == .pending, delivery.attempts == 0 { delivery.id } else { nil }
    }
}
