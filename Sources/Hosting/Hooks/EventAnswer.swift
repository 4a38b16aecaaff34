import Directors
import JSONValues

/// The answer to a question about one element, header or footer, or about the whole list.
package struct EventAnswer: Sendable {
    /// The value.
    package let value: JSONValue
    /// Whether the hook's target has given it.
    package let isFromHook: Bool
    /// Why it is a default although there is a hook, a sentence without its full stop.
    package let reason: String?

    /// What the target has said.
    package static func hook(_ value: JSONValue) -> EventAnswer {
        EventAnswer(value: value, isFromHook: true, reason: nil)
    }

    /// The answer without a target: the hook's default, otherwise UIKit's.
    package static func defaults(of event: ResolvedEvent, because reason: String? = nil) -> [EventAnswer] {
        event.defaultAnswers.map { value in
            EventAnswer(value: event.hook?.defaultAnswer ?? value, isFromHook: false, reason: reason)
        }
    }

    /// The answer without a call: there is no hook, it has no address, or it is disabled.
    package static func withoutTarget(_ event: ResolvedEvent) -> [EventAnswer] {
        defaults(of: event, because: event.hook?.disabledReason.map { "the hook is disabled: \($0)" })
    }

    /// Appends `"value"`, `"source"` and, for a default that was not to be expected, `"reason"`.
    package func encode(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.key("value")
        writer.value(value)
        writer.member("source", isFromHook ? "hook" : "default")
        if let reason { writer.member("reason", reason) }
        writer.endObject()
    }
}
