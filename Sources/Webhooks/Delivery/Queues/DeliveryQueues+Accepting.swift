import Directors
import Notation
import Reactor

extension DeliveryQueues {
    /// Accepts notifications, all or none; the answer comes when they are stored.
    mutating func accept(_ drafts: [DeliveryDraft], ticket: Int, at now: Moment) {
        if let refusal = refusal(of: drafts, at: now) {
            counters.refused += drafts.count
            return act(.answer(ticket, .failure(refusal)))
        }
        let number = nextWrite
        var write = StoreWrite()
        var waits: Set<Int> = []
        var ids: [String] = []
        for draft in drafts {
            if let known = sequences[draft.id].flatMap({ slots[$0] }) {
                ids.append(draft.id)
                if !known.isStored, let last = known.lastWrite { waits.insert(last) }
                continue
            }
            let delivery = place(draft, in: number, at: now)
            ids.append(delivery.id)
            write.puts.append(delivery)
            waits.insert(number)
        }
        guard !waits.isEmpty else { return act(.answer(ticket, .success(ids))) }
        tickets[ticket] = Ticket(answer: .accepted(ids), writesLeft: waits)
        for earlier in waits where earlier != number { writes[earlier]?.tickets.append(ticket) }
        guard !write.puts.isEmpty else { return }
        write.tickets.append(ticket)
        begin(write, write.puts.map(DeliveryChange.put))
    }

    /// Puts a draft into its queue, or in the place of the one that waits there.
    private mutating func place(_ draft: DeliveryDraft, in write: Int, at now: Moment) -> Delivery {
        counters.accepted += 1
        if draft.coalesce != nil, let sequence = replaceable(draft.address, at: now), var slot = slots[sequence] {
            counters.coalesced += 1
            let earlier = slot.delivery
            let delivery = Delivery(
                sequence: sequence, id: earlier.id, address: earlier.address, created: earlier.created,
                body: draft.body, nextAttempt: earlier.nextAttempt)
            slot.putsUnderWay += 1
            slot.lastWrite = write
            // The larger of both counts until it is known which of them stays.
            let size = max(slot.size, delivery.size)
            waiting.bytes += size - slot.size
            slot.size = size
            slot.generation = generation
            slots[sequence] = slot
            return delivery
        }
        let delay = draft.coalesce ?? .zero
        let delivery = Delivery(
            sequence: nextSequence, id: draft.id, address: draft.address, created: now.wall, body: draft.body,
            nextAttempt: now.wall.advanced(by: delay))
        nextSequence += 1
        var slot = DeliverySlot(delivery, due: now.loop &+ delay.nanoseconds, isStored: false)
        slot.putsUnderWay = 1
        slot.lastWrite = write
        slot.isCoalescing = draft.coalesce != nil
        sequences[delivery.id] = delivery.sequence
        insert(slot)
        return delivery
    }

    /// The delivery whose place a notification can take: the last of its hook's, while it has not been tried.
    ///
    /// One whose time has come is only waiting for the store: it would never go out if its place were taken again and
    /// again. While a delivery is queued behind another, a newer one replaces it: a slow receiver gets the latest.
    private func replaceable(_ address: HookAddress, at now: Moment) -> Int? {
        guard let queue = queues[address], let last = queue.waiting.last, last != queue.underWay,
            let slot = slots[last], slot.isCoalescing, slot.delivery.attempts == 0, slot.ending == nil
        else { return nil }
        let isNext = queue.underWay == nil && queue.waiting.count == 1
        return isNext && slot.due <= now.loop ? nil : last
    }

    /// Why drafts cannot be accepted; nil where they can.
    private func refusal(of drafts: [DeliveryDraft], at now: Moment) -> NotifyRefusal? {
        guard !isClosed else { return .closed }
        if !elsewhere.isEmpty {
            let isElsewhere = drafts.contains {
                elsewhere.contains(DirectorKey(director: $0.address.director, epoch: $0.address.epoch))
            }
            if isElsewhere { return .store(.unavailable("another node sends the director's notifications now")) }
        }
        let demand = demand(of: drafts, at: now)
        for (address, number) in demand.added {
            if let refusal = room(for: number, at: address, now) { return refusal }
        }
        return room(for: demand.added.values.reduce(0, +), bytes: demand.bytes, now)
    }

    /// How much drafts add.
    private struct Demand {
        /// How many deliveries of each hook.
        var added: [HookAddress: Int] = [:]
        /// How many bytes in all.
        var bytes = 0
    }

    /// The delivery at the end of a queue whose place the next draft can take.
    private struct Tail {
        let id: String
        let size: Int
    }

    /// How much drafts add, each placed behind those before it as ``place(_:in:at:)`` does.
    ///
    /// - Complexity: O(drafts).
    private func demand(of drafts: [DeliveryDraft], at now: Moment) -> Demand {
        var demand = Demand()
        var ids: Set<Name> = []
        var tails: [HookAddress: Tail?] = [:]
        for draft in drafts where sequences[draft.id] == nil && !ids.contains(Name(draft.id)) {
            let address = draft.address
            if draft.coalesce != nil, let tail = tails[address] ?? tail(of: address, at: now) {
                let size = Delivery.size(id: tail.id, body: draft.body)
                demand.bytes += max(0, size - tail.size)
                tails[address] = Tail(id: tail.id, size: max(size, tail.size))
                continue
            }
            let size = Delivery.size(id: draft.id, body: draft.body)
            ids.insert(Name(draft.id))
            demand.added[address, default: 0] += 1
            demand.bytes += size
            // As `replaceable(_:at:)` finds it once the draft is there.
            let queue = queues[address]
            let isNext = queue?.underWay == nil && (queue?.waiting.count ?? 0) + (demand.added[address] ?? 0) == 1
            let isReplaceable = draft.coalesce.map { !isNext || $0.nanoseconds > 0 } ?? false
            tails[address] = .some(isReplaceable ? Tail(id: draft.id, size: size) : nil)
        }
        return demand
    }

    private func tail(of address: HookAddress, at now: Moment) -> Tail? {
        replaceable(address, at: now).flatMap { slots[$0] }.map { Tail(id: $0.delivery.id, size: $0.size) }
    }

    /// Why so many more cannot wait for a hook; nil where they can. A hook for which nothing waits takes any number at once: they
    /// could never be delivered otherwise.
    func room(for number: Int, at address: HookAddress, _ now: Moment) -> NotifyRefusal? {
        let limit = settings.maximumWaitingPerHook
        guard let queue = queues[address], queue.waiting.count + number > limit else { return nil }
        let due = queue.waiting.first.flatMap { slots[$0]?.due } ?? now.loop
        let wait = Duration.nanoseconds(Int64(clamping: due > now.loop ? due - now.loop : 0))
        return .hookFull(address, limit: limit, retryAfter: min(max(wait, .seconds(1)), .seconds(3600)))
    }

    /// Why so many more cannot wait at all; nil where they can.
    func room(for number: Int, bytes: Int, _ now: Moment) -> NotifyRefusal? {
        let limit = settings.maximumWaiting
        if waiting.count + number > limit.count {
            return .full(limit: "\(limit.count) deliveries", retryAfter: .seconds(10))
        }
        // One alone may be larger than the bound, or it could never be delivered.
        if bytes > 0, waiting.count > 0, waiting.bytes + bytes > limit.bytes {
            return .full(limit: "\(limit.bytes) bytes of deliveries", retryAfter: .seconds(10))
        }
        return nil
    }
}
