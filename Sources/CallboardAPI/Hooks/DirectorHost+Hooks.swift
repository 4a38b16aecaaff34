import Directors
import HTTPTypes
import JSONValues
import Webhooks

extension DirectorHost {
    /// The hooks of a level, by their events' names.
    func listHooks(_ call: Call, at level: HookLevel) throws(Problem) -> Outcome {
        switch level {
        case .cell(let model):
            guard director.adapters.cells[model] != nil else {
                throw .notFound("No cell adapter is registered for the model \(model.quoted).")
            }
        case .headerFooter(let view):
            guard director.adapters.headerFooters[view] != nil else {
                throw .notFound("No header/footer adapter is registered for the view \(view.quoted).")
            }
        case .director, .scroll: break
        }
        var writer = JSONWriter()
        writer.beginObject()
        writer.key("events")
        writer.beginArray()
        for (event, hook) in director.hookedEvents(at: level) {
            hook.encode(to: &writer, on: event) { encodeStanding(of: hook, on: event, at: level, call, to: &$0) }
        }
        writer.endArray()
        writer.endObject()
        return try read(call, tag: nil) { Reply(body: writer.bytes) }
    }

    func readHook(_ call: Call, at level: HookLevel) throws(Problem) -> Outcome {
        let name = call.eventName
        do {
            let event = try director.event(name, at: level)
            return .read(Reply(body: resource(try director.hook(on: name, at: level), on: event, at: level, call)))
        } catch {
            throw Problem(error, body: nil)
        }
    }

    func putHook(_ call: Call, at level: HookLevel) throws(Problem) -> Outcome {
        try checkPreconditions(call) { () throws(Problem) in try isHooked(call, at: level) }
        let (before, name) = (director, call.eventName)
        let event: EventDefinition
        do {
            event = try director.event(name, at: level)
        } catch {
            throw Problem(error, body: nil)
        }
        let resolved = try Coding.hook(
            try call.document(), for: event, replacing: director.hooks[level, name], call.application.hooks?.policy)
        let hasChanged: Bool
        do {
            hasChanged = try director.setHook(resolved.hook, on: name, at: level)
        } catch {
            throw Problem(error, body: nil)
        }
        let isNew = before.hooks[level, name] == nil
        var outcome = Outcome(reply: Reply())
        if hasChanged { redefine(since: before, &outcome) }
        if call.query.flag("reload") { publish(nil, into: &outcome) }
        outcome.reply = try answer(call) { () throws(Problem) in
            Reply(
                status: isNew ? .created : .ok,
                body: resource(
                    resolved.hook, on: event, at: level, call,
                    generatedSecret: hasChanged ? resolved.generatedSecret : nil),
                location: isNew ? address(level, name).path : nil)
        }
        return outcome
    }

    /// Whether an event has a hook; 404 where there is no such event.
    private func isHooked(_ call: Call, at level: HookLevel) throws(Problem) -> Bool {
        do {
            _ = try director.event(call.eventName, at: level)
        } catch {
            throw Problem(error, body: nil)
        }
        return director.hooks[level, call.eventName] != nil
    }

    func removeHook(_ call: Call, at level: HookLevel) throws(Problem) -> Outcome {
        try checkPreconditions(call) { () throws(Problem) in
            guard try isHooked(call, at: level) else {
                throw Problem(DirectorError(.hookNotFound(event: call.eventName)), body: nil)
            }
            return true
        }
        let before = director
        do {
            try director.removeHook(on: call.eventName, at: level)
        } catch {
            throw Problem(error, body: nil)
        }
        var outcome = Outcome(reply: Reply())
        redefine(since: before, &outcome)
        if call.query.flag("reload") { publish(nil, into: &outcome) }
        outcome.reply = .noContent(etag: tag)
        return outcome
    }

    /// Records that what the director is has changed, and tells of it those whom it concerns.
    func redefine(since before: Director, _ outcome: inout Outcome) {
        outcome.entries.append(.defined(director))
        announceDefinition(since: before, &outcome)
    }

    /// Tells subscribers, and once it is stored the dispatcher of hooks, what has changed of the definition.
    func announceDefinition(since before: Director, _ outcome: inout Outcome) {
        announceShownDefinition(since: before, &outcome)
        guard before.hooks != director.hooks, let dispatcher = hookCaller()?.dispatcher else { return }
        let (earlier, later) = (before.hooks, director.hooks)
        let changed = later.entries.filter { earlier[$0.level, $0.event] != $0.hook }
        let gone = earlier.entries.filter { later[$0.level, $0.event] == nil }
        let put = changed.map { entry in
            (
                address: address(entry.level, entry.event),
                isElsewhere: earlier[entry.level, entry.event]?.url != entry.hook.url
            )
        }
        let removed = gone.map { address($0.level, $0.event) }
        outcome.afterwards = {
            for hook in put { dispatcher.hookChanged(hook.address, isElsewhere: hook.isElsewhere) }
            for address in removed { dispatcher.hookRemoved(address) }
        }
    }

    /// Names one of this life's hooks.
    func address(_ level: HookLevel, _ event: String) -> HookAddress {
        HookAddress(director: name, epoch: epoch, level: level, event: event)
    }

    // MARK: Resources

    /// Appends the hooks of an adapter as the adapter's member `events`: an object, by the events' names.
    ///
    /// - Parameter registered: What the request that is answered has registered, whose new secrets are shown.
    func encodeHooks(
        at level: HookLevel, _ call: Call, _ registered: [String: EventHookDraft.Resolved]? = nil,
        to writer: inout JSONWriter
    ) {
        director.encodeEvents(
            at: level, generatedSecrets: (registered ?? [:]).compactMapValues(\.generatedSecret), to: &writer
        ) { event, writer in
            guard let hook = director.hooks[level, event.name] else { return }
            encodeStanding(of: hook, on: event, at: level, call, to: &writer)
        }
    }

    private func resource(
        _ hook: EventHook, on event: EventDefinition, at level: HookLevel, _ call: Call,
        generatedSecret: HookSecret? = nil
    ) -> [UInt8] {
        var writer = JSONWriter()
        hook.encode(to: &writer, on: event, generatedSecret: generatedSecret) {
            encodeStanding(of: hook, on: event, at: level, call, to: &$0)
        }
        return writer.bytes
    }

    /// Appends what a hook's resource tells besides the hook: the type of the answer, and how the target is doing.
    private func encodeStanding(
        of hook: EventHook, on event: EventDefinition, at level: HookLevel, _ call: Call, to writer: inout JSONWriter
    ) {
        if let type = event.answerType { writer.member("answer", type.rawValue) }
        call.application.hooks?.dispatcher.health(of: address(level, event.name), at: hook.url).encode(to: &writer)
    }
}

extension Call {
    /// The event's name, which is the last of the path's parameters.
    var eventName: String { parameters.last ?? "" }
}

extension HookHealth {
    /// Appends the member `health`.
    fileprivate func encode(to writer: inout JSONWriter) {
        writer.key("health")
        writer.beginObject()
        writer.key("lastSuccess")
        if let lastSuccess { writer.string(lastSuccess.description) } else { writer.null() }
        writer.key("lastError")
        if let lastError {
            writer.beginObject()
            writer.member("at", lastError.time.description)
            writer.member("detail", lastError.text)
            writer.endObject()
        } else {
            writer.null()
        }
        writer.member("consecutiveFailures", consecutiveFailures)
        writer.member("pending", waiting)
        writer.member("dead", dead)
        writer.endObject()
    }
}
