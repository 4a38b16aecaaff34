import JSONValues

extension EventHookDraft {
    /// The lengths that a hook's time-out may have.
    package static let timeouts: ClosedRange<Duration> = .milliseconds(10) ... .seconds(120)
    /// The lengths of time within which notifications may be coalesced.
    package static let coalescingTimes: ClosedRange<Duration> = .milliseconds(1) ... .seconds(3600)

    private static let members = ["url", "secret", "timeout", "default", "headers", "coalesce", "cache", "isDisabled"]
    /// What a read answers besides, so that what was read can be sent back.
    private static let readOnly = ["event", "kind", "answer", "disabledReason", "health"]

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
    ) throws(RepresentationError) -> [String: EventHookDraft]? {
        guard let events = adapter["events"], !events.isNull else { return nil }
        return try decoding { decodeEvents(events, source: source, &$0) }
    }

    private static func decodeEvents(
        _ node: JSONNode, source: EventSource, _ faults: inout FaultList
    ) -> [String: EventHookDraft]? {
        guard node.isObject("events", &faults) else { return nil }
        var drafts: [String: EventHookDraft] = [:]
        for member in node.members where !faults.isFull {
            guard let event = EventCatalog.event(member.name, of: source) else {
                faults.append(member.value, EventCatalog.unknown(member.name, of: source))
                continue
            }
            drafts[member.name] = decode(member.value, for: event, &faults)
        }
        return drafts
    }

    static func decode(
        _ node: JSONNode, for event: EventDefinition, leaving others: [String] = [], _ faults: inout FaultList
    ) -> EventHookDraft? {
        guard node.isObject("an event hook", &faults) else { return nil }
        var fields = HookReader(event: event)
        let leftAside = readOnly + others
        for member in node.members {
            if fields.set(member, &faults) || leftAside.contains(where: member.isNamed) { continue }
            JSONNode.appendUnknown(member, of: "an event hook", known: members, &faults)
        }
        fields.checkIdentity(of: node, &faults)
        fields.checkAnswerer(of: node, &faults)
        return fields.draft(pointer: node.pointer.description)
    }
}

/// What has been read of a hook so far.
private struct HookReader {
    let event: EventDefinition
    var url: HookURL?
    /// False where there is an address that cannot be read.
    var isReadable = true
    var secrets: [EventHookDraft.SecretText]?
    var timeout: Duration?
    var defaultAnswer: JSONValue?
    var headers: [HookHeader] = []
    var coalesce: Duration?
    var isCached = false
    var isDisabled = false
    var disabledReason: String?

    init(event: EventDefinition) {
        self.event = event
    }

    /// Takes a member; false for one that hooks do not have. Null is as good as leaving a member out, but for the
    /// default, which may be null.
    mutating func set(_ member: JSONNode.Member, _ faults: inout FaultList) -> Bool {
        let value = member.value
        switch member.name {
        case "url": if !value.isNull { setURL(value, &faults) }
        case "default": setDefault(value, &faults)
        case "secret": if !value.isNull { secrets = EventHookDraft.SecretText.decodeList(value, &faults) }
        case "timeout":
            if !value.isNull { timeout = DurationText.decode(value, in: EventHookDraft.timeouts, &faults) }
        case "headers": if !value.isNull { headers = HookHeader.decodeList(value, &faults) }
        case "coalesce": if !value.isNull { setCoalesce(value, &faults) }
        case "cache": if !value.isNull { setCache(value, &faults) }
        case "isDisabled": if !value.isNull { isDisabled = value.decodeBool(&faults) ?? false }
        default: return false
        }
        return true
    }

    private mutating func setURL(_ value: JSONNode, _ faults: inout FaultList) {
        url = HookURL.decode(value, &faults)
        isReadable = url != nil
    }

    private mutating func setDefault(_ value: JSONNode, _ faults: inout FaultList) {
        guard let type = event.answerType else {
            if !value.isNull {
                faults.append(
                    value, "the event \(event.name) is a notification, which nobody answers; leave the default out")
            }
            return
        }
        defaultAnswer = type.check(value, &faults)
    }

    /// Checks that the hook has an address or, on a question, an answer of its own.
    func checkAnswerer(of node: JSONNode, _ faults: inout FaultList) {
        guard node.present("url") == nil else { return }
        if event.answerType == nil {
            faults.append(
                node,
                #"an event hook needs the member "url"; \#(event.name) is a notification, which nobody hears of without"#
            )
        } else if node["default"] == nil {
            faults.append(node, #"an event hook needs the member "url", or "default", which is then the answer"#)
        }
    }

    private mutating func setCoalesce(_ value: JSONNode, _ faults: inout FaultList) {
        guard event.answerType == nil else {
            faults.append(value, "the event \(event.name) is a question; only notifications are coalesced")
            return
        }
        coalesce = DurationText.decode(value, in: EventHookDraft.coalescingTimes, &faults)
    }

    private mutating func setCache(_ value: JSONNode, _ faults: inout FaultList) {
        guard let isWanted = value.decodeBool(&faults), isWanted else { return }
        if event.answerType == nil {
            faults.append(value, "the event \(event.name) is a notification; only answers to questions are cached")
        } else if event.place == .list {
            faults.append(
                value, "the event \(event.name) asks about no element and no section, by which answers are cached")
        }
        isCached = true
    }

    /// Checks what a read has answered about the event, where it is sent back, and takes the reason.
    mutating func checkIdentity(of node: JSONNode, _ faults: inout FaultList) {
        for (name, own) in [("event", event.name), ("kind", event.kindName)] {
            guard let member = node[name], member.string != own else { continue }
            faults.append(member, "this is the \(event.kindName) \(event.name); leave the member out or say the same")
        }
        disabledReason = node["disabledReason"]?.string
    }

    func draft(pointer: String) -> EventHookDraft? {
        guard isReadable else { return nil }
        let reason = String((disabledReason ?? "disabled by request").prefix(EventHook.maximumReasonLength))
        let hook = EventHook(
            url: url, secrets: [], timeout: timeout, defaultAnswer: defaultAnswer, headers: headers, coalesce: coalesce,
            isCached: isCached, disabledReason: isDisabled ? reason : nil)
        return EventHookDraft(hook: hook, secrets: secrets, pointer: pointer)
    }
}

extension HookURL {
    fileprivate static func decode(_ node: JSONNode, _ faults: inout FaultList) -> HookURL? {
        guard let text = node.decodeString(&faults) else { return nil }
        do {
            return try HookURL(parsing: text)
        } catch {
            faults.append(node, error.detail)
            return nil
        }
    }
}

extension EventHookDraft.SecretText {
    /// Reads one secret or several.
    fileprivate static func decodeList(_ node: JSONNode, _ faults: inout FaultList) -> [EventHookDraft.SecretText] {
        let nodes = node.kind == .array ? Array(node.elements) : [node]
        if !(1...EventHook.maximumSecrets ~= nodes.count) {
            faults.append(node, "a hook has 1 to \(EventHook.maximumSecrets) secrets")
        }
        return nodes.prefix(EventHook.maximumSecrets).compactMap { decode($0, &faults) }
    }

    private static func decode(_ node: JSONNode, _ faults: inout FaultList) -> EventHookDraft.SecretText? {
        guard let text = node.decodeString(&faults) else { return nil }
        if HookSecret.isMasked(text) { return .masked(text, pointer: node.pointer.description) }
        do {
            return .whole(try HookSecret(text))
        } catch {
            faults.append(node, "the secret \(error)")
            return nil
        }
    }
}

extension HookHeader {
    fileprivate static func decodeList(_ node: JSONNode, _ faults: inout FaultList) -> [HookHeader] {
        guard node.isObject("headers", &faults) else { return [] }
        var headers: [String: HookHeader] = [:]
        for member in node.members where !faults.isFull {
            let name = member.name
            if let detail = fault(inName: name) { faults.append(member.value, detail) }
            if headers[name.lowercased()] != nil {
                faults.append(member.value, "the header \(name.quoted) is there twice")
            }
            guard let value = member.value.decodeString(&faults) else { continue }
            if !value.hasPrefix(mask), let detail = fault(inValue: value) { faults.append(member.value, detail) }
            headers[name.lowercased()] = HookHeader(name: name, value: value)
        }
        if headers.count > maximumCount { faults.append(node, "a hook has at most \(maximumCount) headers") }
        return headers.sorted { $0.key < $1.key }.map(\.value)
    }
}
