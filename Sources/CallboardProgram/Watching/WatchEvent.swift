import CallboardClient

/// The text of a live list's update, in a sentence and in JSON.
enum WatchEvent {
    static func counts(_ list: RemoteList) -> String {
        "\(Count.of(list.counts.sections, "section")), \(Count.of(list.counts.elements, "element"))"
    }

    /// The update in a sentence, on one line.
    static func sentence(_ update: LiveList.Update) -> String {
        switch update {
        case .connection(.connecting(let attempt)): attempt == 1 ? "connecting" : "connecting, attempt \(attempt)"
        case .connection(.open): "connected"
        case .connection(.lost(let interruption, let retryIn)):
            "connection lost: \(TextWidth.printable(interruption.description)); trying again in \(seconds(retryIn)) s"
        case .replaced(let list, _): "showing version \(list.version)"
        case .changed(_, let changeset): "version \(changeset.version): \(ChangeCounts(changeset))"
        case .resumed(let resumption): "resumed after version \(resumption.from)"
        case .heartbeat(let version): "alive at version \(version)"
        case .refresh(let refresh):
            refresh.elements.map { "refresh of \(Count.of($0.count, "cell"))" } ?? "refresh of all cells"
        case .scroll(let command): "scroll to \(TextWidth.printable(command.element))"
        case .redefined: "properties or adapters changed"
        case .resynchronizing(let mismatch): "\(TextWidth.printable(mismatch.description)); asking for the whole list"
        case .ended(let end): "the server ended the stream: \(TextWidth.printable(end.description))"
        }
    }

    /// The update as a JSON object with a member `event`.
    static func json(_ update: LiveList.Update) -> JSON {
        switch update {
        case .connection(.connecting(let attempt)): event("connecting", ["attempt": number(attempt)])
        case .connection(.open): event("connected", [:])
        case .connection(.lost(let interruption, let retryIn)):
            event(
                "lost",
                [
                    "reason": .string(interruption.description),
                    "retryMilliseconds": number(Int(retryIn / .milliseconds(1))),
                ])
        case .replaced(let list, let reset): snapshot(list, reset)
        case .changed(let list, let changeset):
            // Every change that gets here has been applied and counted.
            event("changeset", ["changeset": changeset.json, "counts": counts(list.counts), "verified": true])
        case .resumed(let resumption):
            event("resumed", ["from": number(resumption.from), "version": number(resumption.version)])
        case .heartbeat(let version): event("heartbeat", ["version": number(version)])
        case .refresh(let refresh):
            event("refresh", ["elements": refresh.elements.map { .array($0.map(\.element.json)) } ?? .null])
        case .scroll(let command):
            event(
                "scroll",
                [
                    "section": .string(command.section), "element": .string(command.element),
                    "position": .string(command.position.rawValue), "animated": .bool(command.isAnimated),
                ])
        case .redefined(let list): event("definition", ["properties": .object(list.definition.properties)])
        case .resynchronizing(let mismatch): event("resynchronizing", ["reason": .string(mismatch.description)])
        case .ended(let end): event("end", ["reason": .string(end.reason)])
        }
    }

    private static func snapshot(_ list: RemoteList, _ reset: String?) -> JSON {
        var members: JSONObject = [
            "version": number(list.version), "epoch": .string(list.epoch), "counts": counts(list.counts),
            "reset": reset.map { .string($0) } ?? .null, "sections": .array(list.sections.map(\.json)),
        ]
        if !list.totals.isEmpty { members["totals"] = .object(list.totals) }
        return event("snapshot", members)
    }

    private static func event(_ name: String, _ members: JSONObject) -> JSON {
        var object: JSONObject = ["event": .string(name)]
        for member in members.members { object[member.name] = member.value }
        return .object(object)
    }

    private static func number(_ value: Int) -> JSON { .number(JSONNumber(value)) }

    private static func counts(_ counts: ListCounts) -> JSON {
        ["sections": number(counts.sections), "elements": number(counts.elements)]
    }

    private static func seconds(_ duration: Duration) -> String {
        let tenths = Int((duration / .milliseconds(100)).rounded())
        return "\(tenths / 10).\(tenths % 10)"
    }
}
