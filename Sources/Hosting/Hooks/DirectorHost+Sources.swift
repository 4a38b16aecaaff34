import Directors
import JSONValues
import Reactor
import Webhooks

// Sources: targets that the server asks for the elements of sections and model rows. Only the director's owner asks.

extension DirectorHost {
    /// A source that is asked every so often.
    struct PolledSource {
        /// The hook as it was when the waiting began.
        let hook: EventHook
        /// Asks it next; nil while it is being asked.
        var timer: ScheduledTimer?
    }

    /// Begins to ask the sources that are to be asked every so often, and stops asking those that are not any more. An
    /// unchanged source is not disturbed.
    ///
    /// - Parameter isFirst: Whether the sources may have been asked a moment ago, by this server before it was started anew
    ///   or by another node. They are then asked at a random moment within ten seconds, and not all at once.
    func followSources(afterStart isFirst: Bool = false) {
        asksAtRead = stored.director.hooks.hasSourcesAtRead
        publishFacts()
        let isOwner = refusal(isRead: false) == nil
        let wanted = isOwner ? stored.director.hooks.sources.filter { $0.hook.isPolled } : []
        let levels = Set(wanted.map(\.level))
        for (level, source) in polledSources where !levels.contains(level) {
            source.timer?.cancel()
            polledSources[level] = nil
        }
        for (level, hook) in wanted where polledSources[level]?.hook != hook {
            polledSources[level]?.timer?.cancel()
            polledSources[level] = PolledSource(hook: hook)
            waitForSource(at: level, .nanoseconds(isFirst ? Int64.random(in: 0..<10_000_000_000) : 0))
        }
    }

    private func waitForSource(at level: HookLevel, _ delay: Duration) {
        polledSources[level]?.timer = loop.schedule(after: delay) { [weak self] in
            self?.enter { $0.pollSource(at: level) }
        }
    }

    private func pollSource(at level: HookLevel) {
        guard let hook = polledHook(at: level), let caller = environment.hooks else { return }
        polledSources[level]?.timer = nil
        Task {
            await askSource(at: level, hook, publishing: true, caller)
            if polledHook(at: level) == hook, let every = hook.every?.duration { waitForSource(at: level, every) }
        }
    }

    /// The hook of a source that is asked every so often; nil if it has been changed or disabled since, or another node owns
    /// the director. The source is then asked no more.
    private func polledHook(at level: HookLevel) -> EventHook? {
        guard let hook = polledSources[level]?.hook else { return nil }
        if refusal(isRead: false) == nil, stored.director.hooks[level, EventCatalog.models] == hook { return hook }
        polledSources[level] = nil
        return nil
    }

    /// Whether a reload has sources to ask before it.
    ///
    /// - Complexity: O(*l*) in the number of levels that have hooks.
    package var hasSourcesAtReload: Bool {
        guard !stored.director.hooks.isEmpty, environment.hooks != nil, refusal(isRead: false) == nil else {
            return false
        }
        return stored.director.hooks.sources.contains { $0.hook.isAskedAtReload }
    }

    /// Asks all sources that are asked at each reload, at once, and publishes nothing.
    ///
    /// - Parameter completion: Called once all have answered, or have not within their time.
    package func askSourcesAtReload(then completion: @escaping WaitingCommand) {
        askSources(publishing: false, where: \.isAskedAtReload, then: completion)
    }

    /// Asks all sources that are asked when somebody reads, at once, and publishes what differs; readers that come meanwhile
    /// share the answers. Asks nobody where another node owns the director.
    ///
    /// - Parameter completion: Called once all have answered, or have not within their time.
    package func askSourcesAtRead(then completion: @escaping WaitingCommand) {
        guard refusal(isRead: false) == nil else { return completion(self) }
        sourceReaders.append(completion)
        guard sourceReaders.count == 1 else { return }
        askSources(publishing: true, where: \.isAskedAtRead) { host in
            let readers = host.sourceReaders
            host.sourceReaders = []
            for reader in readers { reader(host) }
        }
    }

    private func askSources(
        publishing: Bool, where isAsked: (EventHook) -> Bool, then completion: @escaping WaitingCommand
    ) {
        guard let caller = environment.hooks else { return completion(self) }
        let asked = stored.director.hooks.sources.filter { isAsked($0.hook) }.map { source in
            Task { await self.askSource(at: source.level, source.hook, publishing: publishing, caller) }
        }
        Task {
            for each in asked { await each.value }
            completion(self)
        }
    }

    /// Asks a source once, and puts its elements in place of the present ones. If that fails, these stay, and the hook's
    /// health says why. An answer with the present elements changes nothing.
    private func askSource(
        at level: HookLevel, _ hook: EventHook, publishing: Bool, _ caller: HookCaller
    ) async {
        let address = HookAddress(director: name, epoch: epoch, level: level, event: EventCatalog.models)
        guard let body = stored.director.sourceMessage(at: level, time: .now()) else { return }
        let question = WebhookQuestion(id: Delivery.newID(), address: address, hook: hook, body: body)
        guard case .success(let answer) = await caller.dispatcher.ask(question) else { return }
        func refuse(_ reason: String) {
            caller.counters.unusable.add()
            caller.dispatcher.answerRefused(question, reason)
        }
        guard let document = try? JSONDocument(answer) else { return refuse("the answer is not JSON") }
        do throws(RepresentationError) {
            let operation = try HookAnswer.decodeElements(document.root, at: level)
            let batch = OperationBatch(operations: [operation], reload: publishing, animations: nil)
            await perform(batch, of: question, caller, unlessSame: true)
        } catch {
            refuse(error.faults.sentence)
        }
    }
}

extension HookRegistry {
    /// Whether there is a source that is asked when somebody reads.
    var hasSourcesAtRead: Bool { !isEmpty && sources.contains { $0.hook.isAskedAtRead } }
}

extension EventHook {
    fileprivate var isPolled: Bool { every?.duration != nil && !isDisabled }
    fileprivate var isAskedAtRead: Bool { every == .read && !isDisabled }
    fileprivate var isAskedAtReload: Bool { every == nil && !isDisabled }
}
