import JSONValues
import Notation

extension Director {
    /// Appends the hooks of a level by their events, an object, as reads answer them; secrets are masked.
    ///
    /// - Parameters:
    ///   - level: The level.
    ///   - generatedSecrets: The secrets that the request has led to, by event; they are shown whole.
    ///   - writer: Where it goes.
    ///   - extra: Appends members of a hook that others know of, such as its health.
    package func encodeEvents(
        at level: HookLevel, generatedSecrets: [Name: HookSecret] = [:], to writer: inout JSONWriter,
        extra: (EventDefinition, inout JSONWriter) -> Void = { _, _ in }
    ) {
        writer.beginObject()
        for (event, hook) in hookedEvents(at: level) {
            writer.key(event.name)
            hook.encode(to: &writer, on: event, generatedSecret: generatedSecrets[event.name]) { extra(event, &$0) }
        }
        writer.endObject()
    }

    /// Appends a level's events with hooks and their kinds, `{"didSelect": {"kind": "notification"}}`: clients learn
    /// the events to report and to ask, but not the targets.
    package func encodeEventKinds(at level: HookLevel, to writer: inout JSONWriter) {
        writer.beginObject()
        for (event, _) in hookedEvents(at: level) where event.isForUIs {
            writer.key(event.name)
            writer.beginObject()
            writer.key("kind")
            writer.string(event.kindName)
            writer.endObject()
        }
        writer.endObject()
    }

    /// The events of a level that have hooks, in the order of their names.
    package func hookedEvents(at level: HookLevel) -> [(event: EventDefinition, hook: EventHook)] {
        hooks.hooks(at: level).sorted { $0.key < $1.key }.compactMap { name, hook in
            EventCatalog.event(name.text, at: level, in: kind).map { ($0, hook) }
        }
    }
}

extension JSONWriter {
    /// Writes an object without members.
    mutating func emptyObject() {
        beginObject()
        endObject()
    }
}
