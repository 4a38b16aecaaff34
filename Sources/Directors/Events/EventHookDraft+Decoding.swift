import JSONValues
import Notation

extension EventHookDraft {
    /// The lengths that a hook's time-out may have.
    package static let timeouts: ClosedRange<Duration> = .milliseconds(10) ... .seconds(120)
    /// The lengths of time within which notifications may be coalesced.
    package static let coalescingTimes: ClosedRange<Duration> = .milliseconds(1) ... .seconds(3600)

    /// The lengths of time between two questions to a source.
    package static let pollingTimes: ClosedRange<Duration> = .milliseconds(500) ... .seconds(86_400)

    /// Reads the body of `PUT …/events/{event}`.
    ///
    /// - Throws: Every fault: a member that is unknown, or makes no sense for the event's kind, or holds nonsense.
    package static func decode(
        _ node: JSONNode, for event: EventDefinition
    ) throws(RepresentationError) -> EventHookDraft {
        try decoding { decode(node, for: event, &$0) }
    }

    /// Reads the member `events` of an adapter's body, `{"didSelect": {"url": …}}`.
    ///
    /// - Parameters:
    ///   - adapter: The adapter's body.
    ///   - source: What kind of adapter it is.
    /// - Returns: All hooks of the adapter by their events; nil where the member is left out and they stay as they are.
    /// - Throws: Every fault, with pointers into the adapter's body; of an event that the adapter does not have, which
    ///   ones it has.
    package static func decodeEvents(
        of adapter: JSONNode, source: EventSource
    ) throws(RepresentationError) -> [Name: EventHookDraft]? {
        guard let events = adapter["events"], !events.isNull else { return nil }
        return try decoding { decodeEvents(events, source: source, &$0) }
    }

    private static func decodeEvents(
        _ node: JSONNode, source: EventSource, _ faults: inout FaultList
    ) -> [Name: EventHookDraft]? {
        guard node.isObject("events", &faults) else { return nil }
        var drafts: [Name: EventHookDraft] = [:]
        for member in node.members where !faults.isFull {
            guard let event = EventCatalog.event(member.name, of: source) else {
                faults.append(member.value, EventCatalog.unknown(member.name, of: source))
                continue
            }
            drafts[member.name] = decode(member.value, for: event, &faults)
        }
        return drafts
    }

    /// Reads a hook; other members than a hook's are left aside.
    static func decode(
        _ node: JSONNode, for event: EventDefinition, leaving others: [String] = [], _ faults: inout FaultList
    ) -> EventHookDraft? {
        guard node.isObject("an event hook", &faults) else { return nil }
        var members = HookMembers()
        HookMembers.fields.decodeMembers(of: node, into: &members, leaving: others, &faults)
        check(node, for: event, &faults)
        // Bodies alone: a journal may hold what an earlier version has let through.
        if others.isEmpty, let reason = node["disabledReason"], reason.string?.hasControlCharacters == true {
            faults.append(reason, "a reason has no control characters, such as line breaks")
        }
        let reason = String(
            (node["disabledReason"]?.string ?? "disabled by request").prefix(EventHook.maximumReasonLength))
        let hook = EventHook(
            url: members.url, secrets: [], timeout: members.timeout,
            defaultAnswer: event.answerType == nil ? nil : members.defaultAnswer,
            headers: members.headers ?? [], coalesce: members.coalesce, every: members.every,
            isCached: members.isCached ?? false, rights: [],
            disabledReason: members.isDisabled == true ? reason : nil)
        return EventHookDraft(
            hook: hook, secrets: members.secrets, rights: members.rights, pointer: node.pointer.description)
    }

    /// Checks what depends on the event: what makes no sense for its kind, and what has to be there.
    private static func check(_ node: JSONNode, for event: EventDefinition, _ faults: inout FaultList) {
        if event.kind != .source, let time = node.present("every") {
            faults.append(time, "the event \(event.name) is a \(event.kindName); only sources are asked every so often")
        }
        if let type = event.answerType {
            if let answer = node["default"] { _ = type.check(answer, &faults) }
            if let time = node.present("coalesce") {
                faults.append(time, "the event \(event.name) is a question; only notifications are coalesced")
            }
            if let cache = node["cache"], cache.bool == true, event.place == .list {
                faults.append(
                    cache, "answers are cached by element or section, and the event \(event.name) is about neither")
            }
        } else {
            if let answer = node.present("default") {
                faults.append(
                    answer, "the event \(event.name) is a \(event.kindName), which has no default; leave it out")
            }
            if let cache = node["cache"], cache.bool == true {
                faults.append(
                    cache, "the event \(event.name) is a \(event.kindName); only answers to questions are cached")
            }
            if event.kind == .source, let time = node.present("coalesce") {
                faults.append(time, "the event \(event.name) is a source; only notifications are coalesced")
            }
        }
        checkIdentity(node, event, &faults)
        checkAnswerer(node, event, &faults)
    }

    /// Checks what a read has answered about the event, where it is sent back.
    private static func checkIdentity(_ node: JSONNode, _ event: EventDefinition, _ faults: inout FaultList) {
        for (name, own) in [("event", event.name), ("kind", event.kindName)] {
            guard let member = node[name], member.string != own else { continue }
            faults.append(member, "this is the \(event.kindName) \(event.name); leave the member out or say the same")
        }
    }

    /// Checks that the hook has an address or, on a question, an answer of its own.
    private static func checkAnswerer(_ node: JSONNode, _ event: EventDefinition, _ faults: inout FaultList) {
        guard node.present("url") == nil else { return }
        if event.answerType == nil {
            faults.append(
                node,
                #"an event hook needs the member "url"; \#(event.name) is a \#(event.kindName), which nobody hears of without"#
            )
        } else if node["default"] == nil {
            faults.append(node, #"an event hook needs the member "url", or "default", which is then the answer"#)
        }
    }
}
