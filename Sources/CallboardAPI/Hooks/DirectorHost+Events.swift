import Directors
import HTTPTypes
import JSONValues
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
        } else if events.allSatisfy({ $0.hook == nil }) {
            finish(call, Self.reply(events.map { ($0, EventAnswer.defaults(of: $0)) }), key: key)
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
        do {
            return try Bounds.check(try stored.resolve(report, in: state))
        } catch let error as DirectorError {
            throw Problem(error, body: "")
        } catch let error as Problem {
            throw error
        } catch {
            throw .unprocessable("The event cannot be reported.")
        }
    }

    // MARK: Notifications

    private func notify(_ events: [ResolvedEvent], _ caller: HookCaller, _ call: Call, key: String?) {
        let moment = WallTime.now()
        var drafts: [DeliveryDraft] = []
        for event in events {
            guard let hook = event.hook, !hook.isDisabled, let address = event.address else { continue }
            drafts.append(
                DeliveryDraft(
                    id: eventID(key, drafts.count), address: address, body: event.message(at: moment),
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
    /// knows a repetition of which this server knows no longer.
    private func eventID(_ key: String?, _ position: Int) -> String {
        guard let key else { return Delivery.newID() }
        let halves = [UInt64(0), 1].map { seed in
            var hash = StableHash(seed: seed)
            hash.combine(epoch)
            hash.combine(key)
            hash.combine(position)
            let digits = String(hash.value, radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }
        return "msg_" + halves.joined()
    }

    // MARK: Questions

    private func answer(_ events: [ResolvedEvent], _ caller: HookCaller, _ call: Call, key: String?) async {
        // Tasks of the director's own, which begin on its loop; those of a group would begin elsewhere.
        let tasks = events.enumerated().map { position, event in
            Task { (event, await self.answers(to: event, caller, id: eventID(key, position))) }
        }
        var answers: [(ResolvedEvent, [EventAnswer])] = []
        for task in tasks { answers.append(await task.value) }
        finish(call, Self.reply(answers), key: key)
    }

    /// Puts the answers of several hooks into the order in which the UI has named the elements.
    private static func reply(_ answers: [(event: ResolvedEvent, answers: [EventAnswer])]) -> Reply {
        guard let first = answers.first, first.event.isBatch else {
            return answers.first?.answers.first.map { Reply($0) } ?? Reply([])
        }
        let placed = answers.flatMap { part in zip(part.event.items.map(\.position), part.answers) }
        return Reply(placed.sorted { $0.0 < $1.0 }.map(\.1))
    }

    /// The answers to one event, one for each of its defaults.
    private func answers(to event: ResolvedEvent, _ caller: HookCaller, id: String) async -> [EventAnswer] {
        guard let hook = event.hook else { return EventAnswer.defaults(of: event) }
        if let reason = hook.disabledReason {
            return EventAnswer.defaults(of: event, because: "the hook is disabled: \(reason)")
        }
        guard hook.isCached, event.version == history.newest.version, let questions = event.questions else {
            return await ask(event, hook, caller, id: id)
        }
        return await cached(event, questions, hook, caller, id: id)
    }

    /// Answers from the cache, and asks for what is not there and not being asked for: in one call.
    private func cached(
        _ event: ResolvedEvent, _ questions: [AnswerCache.Question], _ hook: EventHook, _ caller: HookCaller, id: String
    ) async -> [EventAnswer] {
        var known: [EventAnswer?] = []
        var awaited: [Int: PendingAnswer] = [:]
        var asked: [(index: Int, answer: PendingAnswer)] = []
        for (index, question) in questions.enumerated() {
            switch answerCache.lookup(question) {
            case .answer(let value): known.append(.hook(value))
            case .underWay(let answer):
                known.append(nil)
                awaited[index] = answer
            case nil:
                known.append(nil)
                asked.append((index, answerCache.begin(question)))
            }
        }
        if !asked.isEmpty {
            let isWhole = asked.count == questions.count || event.items.isEmpty
            let part = isWhole ? event : event.narrowed(to: Set(asked.map { event.items[$0.index].position }))
            for ((index, pending), answer) in zip(asked, await ask(part, hook, caller, id: id)) {
                answerCache.settle(pending, of: questions[index], with: answer)
                known[index] = answer
            }
        }
        for (index, pending) in awaited {
            known[index] = await withCheckedContinuation { pending.wait($0) }
        }
        return known.compactMap { $0 }
    }

    /// Asks the hook's target, and does what its answer asks for.
    private func ask(
        _ event: ResolvedEvent, _ hook: EventHook, _ caller: HookCaller, id: String
    ) async -> [EventAnswer] {
        guard let address = event.address else { return EventAnswer.defaults(of: event) }
        let question = WebhookQuestion(id: id, address: address, hook: hook, body: event.message(at: .now()))
        switch await caller.dispatcher.ask(question) {
        case .failure(let failure): return EventAnswer.defaults(of: event, because: failure.description)
        case .success(let body):
            guard let document = try? JSONDocument(body) else {
                caller.dispatcher.answerRefused(address, "the answer is not JSON")
                return EventAnswer.defaults(of: event, because: "the answer is not JSON")
            }
            let answer = HookAnswer.decode(document.root, to: event)
            let reason = answer.faults.isEmpty ? "the answer has no value" : answer.faults.sentence
            if !answer.faults.isEmpty { caller.dispatcher.answerRefused(address, reason) }
            if let batch = answer.batch { await perform(batch, of: id, address, caller) }
            return zip(answer.values, EventAnswer.defaults(of: event, because: reason)).map { value, otherwise in
                value.map { .hook($0) } ?? otherwise
            }
        }
    }

    /// Performs what the answer to a question asks for. The answer counts in any case: the UI waits for it, and nobody
    /// asks again.
    private func perform(_ batch: OperationBatch, of id: String, _ address: HookAddress, _ caller: HookCaller) async {
        switch caller.desk.note(await apply(batch, of: id), address) {
        case .applied, .nothing: break
        case .refused(let reason), .tryAgain(let reason): caller.dispatcher.answerRefused(address, reason)
        }
    }
}

/// Bounds of what one report may bring about.
private enum Bounds {
    /// Bytes of the message about several elements.
    static let maximumMessage = 16 << 20

    /// Refuses several elements whose message would be larger than one that a single element can have.
    static func check(_ events: [ResolvedEvent]) throws(Problem) -> [ResolvedEvent] {
        for event in events where event.isBatch && event.hook != nil {
            let size = event.items.reduce(0) { $0 + $1.element.bytes + $1.section.titleBytes }
            guard size <= maximumMessage else {
                throw .unprocessable(
                    "The elements are too large for one message.",
                    faults: [
                        .init(
                            pointer: "/indexPaths",
                            detail:
                                "the elements take \(size) bytes and may take \(maximumMessage); name fewer at a time")
                    ])
            }
        }
        return events
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
