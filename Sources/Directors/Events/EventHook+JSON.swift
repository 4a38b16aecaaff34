import JSONValues

extension EventHook {
    /// Appends the hook as a read answers it: secrets and credentials are masked.
    ///
    /// - Parameters:
    ///   - event: The hook's event.
    ///   - generatedSecret: The secret that the present request has generated; it is shown whole.
    ///   - writer: Gets the hook.
    ///   - extra: Appends further members, such as the hook's health.
    package func encode(
        to writer: inout JSONWriter, on event: EventDefinition, generatedSecret: HookSecret? = nil,
        extra: (inout JSONWriter) -> Void = { _ in }
    ) {
        writer.beginObject()
        writer.member("event", event.name)
        writer.member("kind", event.kindName)
        let isWhole = generatedSecret.map { secrets == [$0] } ?? false
        let members = HookMembers(self, secret: { isWhole ? $0.text : $0.masked }, header: \.shown, tellsUse: true)
        HookMembers.fields.encodeMembers(of: members, to: &writer)
        if let disabledReason { writer.member("disabledReason", disabledReason) }
        extra(&writer)
        writer.endObject()
    }

    /// Appends the hook as it is stored, with its secrets and its place.
    package func encodeStored(to writer: inout JSONWriter, level: HookLevel, event: String) {
        writer.beginObject()
        level.encodeMembers(to: &writer)
        writer.member("event", event)
        let members = HookMembers(self, secret: \.text, header: \.value, tellsUse: false)
        HookMembers.fields.encodeMembers(of: members, to: &writer)
        if let disabledReason { writer.member("disabledReason", disabledReason) }
        writer.endObject()
    }
}

extension HookLevel {
    /// Appends `"level"`, and the adapter's name where it is one's; `"shownIn"` for what is reported at a view.
    package func encodeMembers(to writer: inout JSONWriter) {
        if case .viewed(let view, let level) = self {
            level.encodeMembers(to: &writer)
            writer.key("shownIn")
            writer.beginObject()
            writer.member("director", view.name)
            writer.member("epoch", view.epoch)
            return writer.endObject()
        }
        writer.key("level")
        writer.string(kind.rawValue)
        if case .cell(let model) = self {
            writer.key("model")
            writer.string(model)
        }
        if case .headerFooter(let view) = self {
            writer.key("view")
            writer.string(view)
        }
        if case .row(let section, let row) = self {
            writer.member("section", section)
            writer.member("row", row)
        }
        if case .section(let section) = self { writer.member("section", section) }
    }

    private var kind: Kind {
        switch self {
        case .cell: .cell
        case .headerFooter: .headerFooter
        case .director: .director
        case .scroll: .scroll
        case .row: .row
        case .section: .section
        case .viewed(_, let level): level.kind
        }
    }

    private enum Kind: String, CaseIterable {
        case cell
        case headerFooter
        case director
        case scroll
        case row
        case section
    }

    /// The members that ``encodeMembers(to:)`` writes.
    fileprivate static let members = ["level", "model", "view", "section", "row", "shownIn"]

    /// Reads what ``encodeMembers(to:)`` has written.
    fileprivate static func decode(_ node: JSONNode, _ faults: inout FaultList) -> HookLevel? {
        guard let level = decodeUnviewed(node, &faults) else { return nil }
        guard let view = node["shownIn"] else { return level }
        let name = view.decodeMember("director", &faults)?.decodeString(&faults)
        let epoch = view.decodeMember("epoch", &faults)?.decodeString(&faults)
        guard let name, let epoch else { return nil }
        return .viewed(ViewLife(name: name, epoch: epoch), level)
    }

    private static func decodeUnviewed(_ node: JSONNode, _ faults: inout FaultList) -> HookLevel? {
        switch node.decodeMember("level", &faults)?.decodeChoice(Kind.self, &faults) {
        case .cell: node.decodeMember("model", &faults)?.decodeName(&faults).map { .cell($0) }
        case .headerFooter: node.decodeMember("view", &faults)?.decodeName(&faults).map { .headerFooter($0) }
        case .director: .director
        case .scroll: .scroll
        case .row: decodeRow(node, &faults)
        case .section: node.decodeMember("section", &faults)?.decodeString(&faults).map { .section($0) }
        case nil: nil
        }
    }

    private static func decodeRow(_ node: JSONNode, _ faults: inout FaultList) -> HookLevel? {
        let section = node.decodeMember("section", &faults)?.decodeString(&faults)
        let row = node.decodeMember("row", &faults)?.decodeString(&faults)
        guard let section, let row else { return nil }
        return .row(section: section, row: row)
    }
}

extension HookRegistry {
    /// Appends all hooks as they are stored, an array.
    package func encodeStored(to writer: inout JSONWriter) {
        writer.beginArray()
        for entry in entries { entry.hook.encodeStored(to: &writer, level: entry.level, event: entry.event) }
        writer.endArray()
    }

    /// Reads what ``encodeStored(to:)`` has written.
    ///
    /// - Throws: Every fault, and events that a director of the kind does not have.
    package static func decodeStored(
        _ node: JSONNode, kind: DirectorKind
    ) throws(RepresentationError) -> HookRegistry {
        let entries: [Entry] = try decoding { faults in
            node.decodeArray(&faults) { decodeEntry($0, kind: kind, &$1) }
        }
        return HookRegistry(entries)
    }

    private static func decodeEntry(_ node: JSONNode, kind: DirectorKind, _ faults: inout FaultList) -> Entry? {
        guard node.isObject("a stored hook", &faults), let level = HookLevel.decode(node, &faults),
            let name = node.decodeMember("event", &faults)?.decodeString(&faults)
        else { return nil }
        guard let event = EventCatalog.event(name, at: level, in: kind) else {
            faults.append(node, EventCatalog.unknown(name, of: level.source(in: kind)))
            return nil
        }
        guard let draft = EventHookDraft.decode(node, for: event, leaving: HookLevel.members, &faults) else {
            return nil
        }
        do {
            return Entry(level: level, event: name, hook: try draft.resolved(replacing: nil).hook)
        } catch {
            for fault in error.faults { faults.append(fault) }
            return nil
        }
    }
}
