import Directors
import JSONValues
import Webhooks

// Questions, which wait for a hook's target: on the director's loop, which goes on with other work meanwhile.

extension DirectorHost {
    /// Answers a question once all hooks that are concerned have said what they have to say, and counts where the values
    /// are from.
    ///
    /// - Parameters:
    ///   - events: What is asked, one event for each hook.
    ///   - ids: The identifier of each event.
    ///   - caller: Calls the targets.
    /// - Returns: For each event its answers, one for each of its defaults.
    package func answers(to events: [ResolvedEvent], ids: [String], _ caller: HookCaller) async -> [[EventAnswer]] {
        // Tasks of the director's own, which begin on its loop; those of a group would begin elsewhere.
        let tasks = zip(events, ids).map { event, id in
            Task { await self.answers(to: event, caller, id: id) }
        }
        var answers: [[EventAnswer]] = []
        for task in tasks { answers.append(await task.value) }
        return answers
    }

    /// The answers to one event, one for each of its defaults.
    private func answers(to event: ResolvedEvent, _ caller: HookCaller, id: String) async -> [EventAnswer] {
        guard let hook = event.hook, hook.url != nil, !hook.isDisabled else { return EventAnswer.withoutTarget(event) }
        let state = stored
        // The cache is of this version and this definition.
        guard hook.isCached, event.version == state.versions.newest.version, let questions = event.questions,
            let level = event.level, state.director.hooks[level, event.definition.name] == hook
        else { return await ask(event, hook, caller, id: id) }
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
            case .answer(let value):
                caller.counters.cached.add()
                known.append(.hook(value))
            case .inFlight(let answer):
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
        case .failure(let failure): return EventAnswer.defaults(of: event, because: failure.reason)
        case .success(let body):
            guard let document = try? JSONDocument(body) else {
                caller.counters.unusable.add()
                caller.dispatcher.answerRefused(question, "the answer is not JSON")
                return EventAnswer.defaults(of: event, because: "the answer is not JSON")
            }
            let answer = HookAnswer.decode(document.root, to: event)
            let reason = answer.faults.isEmpty ? "the answer has no value" : answer.faults.sentence
            if !answer.faults.isEmpty || answer.values.contains(where: { $0 == nil }) {
                caller.counters.unusable.add()
                caller.dispatcher.answerRefused(question, reason)
            }
            if let batch = answer.batch { await perform(batch, of: question, caller) }
            return zip(answer.values, EventAnswer.defaults(of: event, because: reason)).map { value, otherwise in
                value.map { .hook($0) } ?? otherwise
            }
        }
    }

    /// Performs what the answer to a question asks for. The answer counts in any case: the UI waits for it, and nobody
    /// asks again.
    ///
    /// - Parameter unlessSame: Whether operations that leave the content as it is are not performed at all.
    func perform(
        _ batch: OperationBatch, of question: WebhookQuestion, _ caller: HookCaller, unlessSame: Bool = false
    ) async {
        let applied = await apply(
            batch, of: question.id, from: question.address, question.hook, unlessSame: unlessSame)
        let known = unlessSame ? caller.dispatcher.health(of: question.address, at: question.hook.url).lastError : nil
        switch caller.desk.note(applied, question.address, unless: known?.text) {
        case .nothing: break
        case .applied: caller.counters.applied.add()
        case .refused(let reason), .tryAgain(let reason):
            caller.counters.refused.add()
            caller.dispatcher.answerRefused(question, reason)
        }
    }
}

extension QuestionFailure {
    /// Why there is no answer, as a UI is told: not where the hook leads to, which the hook's own resource tells.
    fileprivate var reason: String {
        switch self {
        case .refused: "the target may not be called"
        case .crowded: "too many calls of the target wait"
        case .failed: "the target could not be reached"
        case .timedOut, .tooLarge, .status, .disabled, .closed: description
        }
    }
}
