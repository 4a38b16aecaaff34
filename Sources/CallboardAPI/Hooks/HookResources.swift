import Directors
import HTTPTypes
import JSONValues
import Notation
import Webhooks

extension Reading {
    /// The hooks of a level, by their events' names.
    func listHooks(_ call: Call, at level: HookLevel) throws(Problem) -> Reply {
        switch level.unviewed {
        case .cell(let model):
            guard director.adapters.cells[model] != nil else {
                throw .notFound("No cell adapter is registered for the model \(model.quoted).")
            }
        case .headerFooter(let view):
            guard director.adapters.headerFooters[view] != nil else {
                throw .notFound("No header/footer adapter is registered for the view \(view.quoted).")
            }
        case .row(let section, let row):
            guard !director.hooks.hooks(at: level).isEmpty || director.working.list.hasRow(row, in: section) else {
                throw .notFound("There is no row \(row.quoted) in a section \(section.quoted).")
            }
        case .section(let section):
            guard !director.hooks.hooks(at: level).isEmpty || director.working.list.knows(section: section) else {
                throw .notFound("There is no section \(section.quoted).")
            }
        case .director, .scroll, .viewed: break
        }
        let body = ListForm.eventHooks.list(director.hookedEvents(at: level)) { entry, writer in
            entry.hook.encode(to: &writer, on: entry.event) {
                encodeStanding(of: entry.hook, on: entry.event, at: level, call, to: &$0)
            }
        }
        return try answer(call, tag: nil) { Reply(body: body) }
    }

    func readHook(_ call: Call, at level: HookLevel) throws(Problem) -> Reply {
        let name = call.eventName
        do {
            let event = try director.event(name, at: level)
            return Reply(body: resource(try director.hook(on: name, at: level), on: event, at: level, call))
        } catch {
            throw Problem(error, body: nil)
        }
    }
}

extension Mutation {
    mutating func putHook(_ call: Call, at level: HookLevel) throws(Problem) -> Reply {
        try checkPreconditions(call) { () throws(Problem) in try isHooked(call, at: level) }
        let name = call.eventName
        let isNew = director.hooks[level, name] == nil
        let event: EventDefinition
        let resolved: EventHookDraft.Resolved
        let hasChanged: Bool
        do throws(DirectorError) {
            event = try director.event(name, at: level)
        } catch {
            throw Problem(error, body: nil)
        }
        let earlier = director.hooks[level, name]
        resolved = try Coding.hook(try call.document(), for: event, replacing: earlier, of: self.name, call)
        try call.requireRights(of: resolved.hook, replacing: earlier, on: self.name)
        do throws(DirectorError) {
            hasChanged = try draft.define { director throws(DirectorError) in
                try director.setHook(resolved.hook, on: name, at: level)
            }
        } catch {
            throw Problem(error, body: nil)
        }
        try publishIfAsked(call)
        let secret = hasChanged ? resolved.generatedSecret : nil
        return try answer(call) { mutation in
            Reply(
                status: isNew ? .created : .ok,
                body: mutation.resource(resolved.hook, on: event, at: level, call, generatedSecret: secret),
                location: isNew ? mutation.address(level, name).path : nil, isStorable: secret == nil, telling: .hooks)
        }
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

    mutating func removeHook(_ call: Call, at level: HookLevel) throws(Problem) -> Reply {
        try checkPreconditions(call) { () throws(Problem) in
            guard try isHooked(call, at: level) else {
                throw Problem(DirectorError(.hookNotFound(event: call.eventName)), body: nil)
            }
            return true
        }
        do throws(DirectorError) {
            try draft.define { director throws(DirectorError) in
                try director.removeHook(on: call.eventName, at: level)
                return true
            }
        } catch {
            throw Problem(error, body: nil)
        }
        try publishIfAsked(call)
        return noContent()
    }
}

extension DirectorContext {
    /// Appends the hooks of an adapter as the adapter's member `events`: an object, by the events' names.
    ///
    /// - Parameter registered: The hooks that the present request has registered, whose new secrets are shown.
    func encodeHooks(
        at level: HookLevel, _ call: Call, _ registered: [Name: EventHookDraft.Resolved]? = nil,
        to writer: inout JSONWriter
    ) {
        // Where events go is told to who may see hooks; others learn which events have one, as subscribers do.
        guard call.principal.has(.hooks, on: name) else { return director.encodeEventKinds(at: level, to: &writer) }
        director.encodeEvents(
            at: level, generatedSecrets: (registered ?? [:]).compactMapValues(\.generatedSecret), to: &writer
        ) { event, writer in
            guard let hook = director.hooks[level, event.name] else { return }
            encodeStanding(of: hook, on: event, at: level, call, to: &writer)
        }
    }

    /// The JSON form of a hook.
    func resource(
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
    fileprivate func encodeStanding(
        of hook: EventHook, on event: EventDefinition, at level: HookLevel, _ call: Call, to writer: inout JSONWriter
    ) {
        if let type = event.answerType { writer.member("answer", type.rawValue) }
        guard let hooks = call.application.hooks else { return }
        writer.key("health")
        hooks.dispatcher.health(of: address(level, event.name), at: hook.url).write(to: &writer)
    }
}

extension Call {
    /// Refuses a hook whose target's answers would have more rights than the registering client; an unchanged hook is
    /// accepted with the rights that it has.
    func requireRights(of hook: EventHook, replacing earlier: EventHook?, on director: String) throws(Problem) {
        if hook != earlier { try principal.require(hook.rights, on: director) }
    }

    /// The event's name, which is the last of the path's parameters.
    var eventName: String { parameters.last ?? "" }
}

extension HookHealth: AnswerObject {
    package static let form = AnswerForm<Self>(
        AnswerField("lastSuccess") { $0.lastSuccess },
        AnswerField("lastError") { $0.lastError },
        AnswerField("consecutiveFailures", as: .integer(minimum: 0)) { $0.consecutiveFailures },
        .ifAny("latency", "How long the latest \(CallLatency.maximumCount) calls took; absent before the first.") {
            $0.latency.calls == 0 ? nil : $0.latency
        },
        AnswerField("pending", as: .integer(minimum: 0)) { $0.waiting },
        AnswerField("dead", as: .integer(minimum: 0)) { $0.dead })
}

extension CallLatency: AnswerObject {
    package static let form = AnswerForm<Self>(
        AnswerField("calls", as: .integer(minimum: 1)) { $0.calls },
        AnswerField("median") { $0.median ?? .zero },
        AnswerField("p95", "The time that 19 of 20 took at most.") { $0.percentile95 ?? .zero })
}

extension HookHealth.Problem: AnswerObject {
    package static let form = AnswerForm<Self>(AnswerField("at") { $0.time }, AnswerField("detail") { $0.text })
}
