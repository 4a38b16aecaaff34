import Directors
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
        var added: [HookAddress: Int] = [:]
        var count = 0
        var bytes = 0
        for draft in drafts where sequences[draft.id] == nil {
            let size = Delivery.size(id: draft.id, body: draft.body)
            if draft.coalesce != nil {
                if let sequence = replaceable(draft.address, at: now) {
                    bytes += max(0, size - (slots[sequence]?.size ?? 0))
                    continue
                }
                // Those behind the first take its place.
                if added[draft.address] != nil { continue }
            }
            added[draft.address, default: 0] += 1
            count += 1
            bytes += size
        }
        for (address, number) in added {
            if let refusal = room(for: number, at: address, now) { return refusal }
        }
        return room(for: count, bytes: bytes, now)
    }

    /// Why so many more cannot wait for a hook; nil where they can.
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
