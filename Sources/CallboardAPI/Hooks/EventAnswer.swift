import Directors
import JSONValues

/// The answer to a question about one element, header or footer, or about the whole list.
struct EventAnswer: Sendable {
    /// The value.
    let value: JSONValue
    /// Whether the hook's target has given it.
    let isFromHook: Bool
    /// Why it is a default although there is a hook, a sentence without its full stop.
    let reason: String?

    /// What the target has said.
    static func hook(_ value: JSONValue) -> EventAnswer {
        EventAnswer(value: value, isFromHook: true, reason: nil)
    }

    /// What is answered without a target: the hook's default, else UIKit's.
    static func defaults(of event: ResolvedEvent, because reason: String? = nil) -> [EventAnswer] {
        event.defaultAnswers.map { value in
            EventAnswer(value: event.hook?.defaultAnswer ?? value, isFromHook: false, reason: reason)
        }
    }

    /// What is answered where nobody is asked: there is no hook, or one without an address, or it is disabled.
    static func withoutTarget(_ event: ResolvedEvent) -> [EventAnswer] {
        defaults(of: event, because: event.hook?.disabledReason.map { "the hook is disabled: \($0)" })
    }

    /// Appends `"value"`, `"source"` and, for a default that was not to be expected, `"reason"`.
    func encode(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.key("value")
        writer.value(value)
        writer.member("source", isFromHook ? "hook" : "default")
        if let reason { writer.member("reason", reason) }
        writer.endObject()
    }
}

extension Reply {
    /// The answer to a question about one thing.
    init(_ answer: EventAnswer) {
        var writer = JSONWriter()
        answer.encode(to: &writer)
        self.init(body: writer.bytes)
    }

    /// The answers to a question about several elements, in the order in which they were named.
    init(_ answers: [EventAnswer]) {
        var writer = JSONWriter()
        writer.beginObject()
        writer.key("values")
        writer.beginArray()
        for answer in answers { answer.encode(to: &writer) }
        writer.endArray()
        writer.endObject()
        self.init(body: writer.bytes)
    }

    /// What a notification is answered with: the identifiers of its deliveries, one for each hook; without any, why.
    init(deliveries ids: [String], reason: String?) {
        var writer = JSONWriter()
        writer.beginObject()
        if ids.count > 1 {
            writer.key("deliveries")
            writer.beginArray()
            for id in ids { writer.string(id) }
            writer.endArray()
        } else {
            writer.key("delivery")
            if let id = ids.first { writer.string(id) } else { writer.null() }
        }
        if let reason { writer.member("reason", reason) }
        writer.endObject()
        self.init(status: .accepted, body: writer.bytes)
    }
}
