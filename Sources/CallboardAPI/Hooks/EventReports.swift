import DirectorLife
import Directors
import Hosting
import Journal
import Webhooks

/// A UI's reports and questions. They refer to the stored state, and never wait for records in flight.
///
/// A notification is stored in its hooks' queues and answered; a question is answered once the hooks' targets have said
/// what they have to say. Runs on the director's loop, which goes on with other work meanwhile.
struct EventReports {
    private let call: Call
    private let host: DirectorHost
    private let key: CommandKey?
    private let caller: HookCaller

    /// `POST …/events`.
    ///
    /// - Parameters:
    ///   - call: The request, which is answered now or later.
    ///   - host: The director.
    ///   - key: The request's key, which the host has in flight.
    static func report(_ call: Call, _ host: isolated DirectorHost, _ key: CommandKey?) throws(Problem) {
        let caller = try caller(of: call)
        let report = try Coding.report(try call.document())
        let state = host.stored
        let published = try published(report.version, in: state)
        do {
            try state.director.check(report)
        } catch {
            throw Problem(error, body: .whole)
        }
        let events: [ResolvedEvent]
        do {
            events = try state.director.resolve(report, in: published)
        } catch {
            throw Self.besideContent(error)
        }
        try begin(call, host, key, caller, events)
    }

    /// The same of a report that was made at a view of the director.
    static func report(
        _ viewed: ViewedReport, _ call: Call, _ host: isolated DirectorHost, _ key: CommandKey?
    ) throws(Problem) {
        let caller = try caller(of: call)
        let state = host.stored
        let published = try published(viewed.version, in: state)
        let events: [ResolvedEvent]
        do {
            events = try state.director.resolve(viewed: viewed, in: published)
        } catch {
            throw Self.besideContent(error)
        }
        try begin(call, host, key, caller, events)
    }

    private static func caller(of call: Call) throws(Problem) -> HookCaller {
        guard let caller = call.application.hooks else { throw .withoutHooks }
        return caller
    }

    private static func published(_ version: Int?, in state: LifeState) throws(Problem) -> PublishedState {
        let newest = state.versions.newest.version
        if let published = state.versions.state(at: version ?? newest) { return published }
        throw .notRetained(version, newest: newest)
    }

    /// The problem of a report that is checked by itself already: what is wrong with it is wrong beside what is there.
    private static func besideContent(_ error: DirectorError) -> Problem {
        Problem(error, body: .whole, tellsContent: true)
    }

    private static func begin(
        _ call: Call, _ host: isolated DirectorHost, _ key: CommandKey?, _ caller: HookCaller,
        _ events: [ResolvedEvent]
    ) throws(Problem) {
        try MessageBound.check(events)
        let reports = EventReports(call: call, host: host, key: key, caller: caller)
        if events.first?.definition.answerType == nil {
            reports.notify(events, on: host)
        } else if events.allSatisfy({ $0.hook?.url == nil }) {
            reports.answer(events, events.map { EventAnswer.withoutTarget($0) }, on: host)
        } else {
            Task {
                _ = host
                await reports.ask(events, on: host)
            }
        }
    }

    // MARK: Questions

    private func ask(_ events: [ResolvedEvent], on host: isolated DirectorHost) async {
        let ids = events.indices.map { eventID($0) }
        answer(events, await host.answers(to: events, ids: ids, caller), on: host)
    }

    /// Answers a question, and counts where the values are from.
    private func answer(_ events: [ResolvedEvent], _ answers: [[EventAnswer]], on host: isolated DirectorHost) {
        for answer in answers.lazy.joined() {
            (answer.isFromHook ? caller.counters.answered : caller.counters.defaults).add()
        }
        do throws(Problem) {
            try MessageBound.check(answers.lazy.joined())
            call.application.finish(call, Self.reply(events, answers), on: host, key: key)
        } catch {
            call.application.finish(call, error, on: host, key: key)
        }
    }

    /// Puts the answers of several hooks into the order in which the UI has named the elements.
    private static func reply(_ events: [ResolvedEvent], _ answers: [[EventAnswer]]) -> Reply {
        guard let first = events.first, first.isBatch else {
            return answers.first?.first.map { Reply($0) } ?? Reply([])
        }
        let placed = zip(events, answers).flatMap { event, answers in zip(event.items.map(\.position), answers) }
        return Reply(placed.sorted { $0.0 < $1.0 }.map(\.1))
    }

    // MARK: Notifications

    private func notify(_ events: [ResolvedEvent], on host: isolated DirectorHost) {
        let moment = WallTime.now()
        var drafts: [DeliveryDraft] = []
        for event in events {
            guard let hook = event.hook, !hook.isDisabled, let address = event.address else { continue }
            drafts.append(
                DeliveryDraft(
                    id: eventID(drafts.count), address: address, body: event.message(at: moment),
                    coalesce: hook.coalesce))
        }
        guard !drafts.isEmpty else {
            let reason = events.compactMap { $0.hook?.disabledReason }.first
            let reply = Reply(deliveries: [], reason: reason.map { "the hook is disabled: \($0)" })
            return call.application.finish(call, reply, on: host, key: key)
        }
        caller.dispatcher.notify(drafts) { result in
            self.host.enter { self.noted(result, on: $0) }
        }
    }

    private func noted(_ result: Result<[String], NotifyRefusal>, on host: isolated DirectorHost) {
        switch result {
        case .success(let ids):
            call.application.finish(call, Reply(deliveries: ids, reason: nil), on: host, key: key)
        case .failure(let refusal):
            call.application.finish(call, Problem(refusal), on: host, key: key)
        }
    }

    /// The identifier of a request's message to one of its hooks. With an idempotency key it is always the same: a
    /// receiver recognizes a repetition even after the server has forgotten it. A key that comes again with another
    /// request, once it is forgotten, gives another: a delivery may wait for longer than keys are kept.
    private func eventID(_ position: Int) -> String {
        guard let key else { return Delivery.newID() }
        let halves = [UInt64(0), 1].map { seed in
            var hash = StableHash(seed: seed)
            hash.combine(host.epoch)
            hash.combine(key.name)
            hash.combine(Int(bitPattern: UInt(key.fingerprint)))
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
        throw Problem.unprocessable(
            "The elements are too large for one message.", faults: [.init(pointer: "/indexPaths", detail: detail)]
        ).tellingContent
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
        identifier.utf8.count + attributes.textLength
    }
}
