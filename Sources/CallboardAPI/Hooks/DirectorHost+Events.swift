import Directors
import Journal
import Webhooks

// What a UI reports: it is about what is stored, and never waits for what is being stored.

extension DirectorHost {
    /// `POST …/events`.
    func report(_ call: Call, key: String?) throws(Problem) {
        guard let caller = call.application.hooks else { throw .withoutHooks }
        let report = try Coding.report(try call.document())
        let events = try resolve(report)
        if events.first?.definition.answerType == nil {
            notify(events, caller, call, key: key)
        } else if events.allSatisfy({ $0.hook?.url == nil }) {
            finish(call, events.map { ($0, EventAnswer.withoutTarget($0)) }, caller, key: key)
        } else {
            Task { await self.answer(events, caller, call, key: key) }
        }
    }

    private func resolve(_ report: EventReport) throws(Problem) -> [ResolvedEvent] {
        let newest = history.newest.version
        guard let state = history.state(at: report.version ?? newest) else {
            throw .conflict(
                "Version \(report.version ?? newest) is not retained; the newest is \(newest). Catch up with the stream, "
                    + "and report what happens there.")
        }
        let events: [ResolvedEvent]
        do {
            events = try stored.resolve(report, in: state)
        } catch {
            throw Problem(error, body: .whole)
        }
        try MessageBound.check(events)
        return events
    }

    // MARK: Notifications

    private func notify(_ events: [ResolvedEvent], _ caller: HookCaller, _ call: Call, key: String?) {
        let moment = WallTime.now()
        var drafts: [DeliveryDraft] = []
        for event in events {
            guard let hook = event.hook, !hook.isDisabled, let address = event.address else { continue }
            drafts.append(
                DeliveryDraft(
                    id: eventID(key, call, drafts.count), address: address, body: event.message(at: moment),
                    coalesce: hook.coalesce))
        }
        guard !drafts.isEmpty else {
            let reason = events.compactMap { $0.hook?.disabledReason }.first
            return finish(
                call, Reply(deliveries: [], reason: reason.map { "the hook is disabled: \($0)" }), key: key)
        }
        caller.dispatcher.notify(drafts) { [loop] result in
            if loop.isCurrent {
                self.assumeIsolated { $0.noted(result, call, key: key) }
            } else {
                loop.execute { self.assumeIsolated { $0.noted(result, call, key: key) } }
            }
        }
    }

    private func noted(_ result: Result<[String], NotifyRefusal>, _ call: Call, key: String?) {
        switch result {
        case .success(let ids): finish(call, Reply(deliveries: ids, reason: nil), key: key)
        case .failure(let refusal): finish(call, Problem(refusal), key: key)
        }
    }

    /// The identifier of what one request reports to one of its hooks: with a key always the same, so that a receiver
    /// knows a repetition of which this server knows no longer. A key that comes again with another request, once it is
    /// forgotten, gives another: a delivery may wait for longer than keys are kept.
    func eventID(_ key: String?, _ call: Call, _ position: Int) -> String {
        guard let key else { return Delivery.newID() }
        let halves = [UInt64(0), 1].map { seed in
            var hash = StableHash(seed: seed)
            hash.combine(epoch)
            hash.combine(key)
            hash.combine(Int(bitPattern: UInt(call.fingerprint)))
            hash.combine(position)
            let digits = String(hash.value, radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }
        return "msg_" + halves.joined()
    }
}

/// How large what a short request brings about may be: messages to hooks about several elements, all hooks together; what
/// subscribers are told to refresh; answers to questions about several elements. As large as what a body may bring.
enum MessageBound {
    /// Bytes of the elements, or of the answers.
    static let bytes = 16 << 20

    /// Refuses elements that are too much for one message.
    static func check(_ events: [ResolvedEvent]) throws(Problem) {
        var size = 0
        for event in events where event.isBatch && event.hook?.url != nil {
            size += event.items.reduce(0) { $0 + $1.element.bytes + $1.section.titleBytes }
            // Each hook is told them.
            size += event.parameters?.bytes.count ?? 0
        }
        guard size > bytes else { return }
        let detail = "the elements take \(size) bytes and may take \(bytes); name fewer at a time"
        throw .unprocessable(
            "The elements are too large for one message.", faults: [.init(pointer: "/indexPaths", detail: detail)])
    }

    /// Refuses answers that are too much for one reply: a hook's default, or one cached answer, may be asked for at
    /// thousands of places.
    static func check(_ answers: some Sequence<EventAnswer>) throws(Problem) {
        var size = 0
        for answer in answers { size += answer.value.bytes.count + (answer.reason?.utf8.count ?? 0) }
        guard size > bytes else { return }
        let detail = "the answers take \(size) bytes and may take \(bytes); ask about fewer at a time"
        throw .unprocessable(
            "The answers are too large for one reply.", faults: [.init(pointer: "/indexPaths", detail: detail)])
    }
}

extension Section {
    /// The bytes of the section's texts, which a message tells with each of its elements.
    fileprivate var titleBytes: Int {
        [
            identifier, attributes.headerTitle, attributes.footerTitle, attributes.headerView, attributes.footerView,
            attributes.indexTitle,
        ].reduce(0) { $0 + ($1?.utf8.count ?? 0) }
    }
}
