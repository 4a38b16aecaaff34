import JSONValues

/// One event of FlowKit: its name, its source, and the type of its answer.
package struct EventDefinition: Sendable {
    /// Whether an event tells or asks.
    package enum Kind: Hashable, Sendable {
        /// It tells: the hook's target hears of it at least once.
        case notification
        /// It asks: whoever fires it waits for a value of a type.
        case question(AnswerType, default: EventDefault)
        /// The server asks, by itself and for no UI, what the elements of a section or a model row are.
        case source
    }

    /// The part of a list that an event is fired at.
    package enum Place: String, Hashable, Sendable {
        /// At an element, named by `indexPath`; an event that can be batched also at several, by `indexPaths`.
        case element
        /// At a section's header, named by `header`.
        case header
        /// At a section's footer, named by `footer`.
        case footer
        /// At either.
        case headerOrFooter
        /// At the whole list: nothing is named.
        case list
    }

    /// What the event comes from.
    package let source: EventSource
    /// FlowKit's name.
    package let name: String
    /// Whether it tells or asks.
    package let kind: Kind
    /// What it is fired at.
    package let place: Place
    /// Whether it may be fired at several elements in one call.
    package let isBatchable: Bool
    /// The parameters that a caller gives besides the place.
    package let parameters: [EventParameter]
    /// UIKit's method, whose documentation says when the event is fired.
    package let delegateMethod: String
    /// The event or the question, in a sentence without its end.
    package let summary: String
    /// The version that a program has to know in order to read a hook on the event; see ``ContentVersion``.
    package private(set) var contentVersion = ContentVersion.plain

    /// The answer's type; nil for a notification.
    package var answerType: AnswerType? {
        if case .question(let type, _) = kind { type } else { nil }
    }

    /// The default answer; nil for a notification.
    package var defaultRule: EventDefault? {
        if case .question(_, let rule) = kind { rule } else { nil }
    }

    /// The event, as one that programs know since a version.
    func since(_ version: Int) -> EventDefinition {
        var event = self
        event.contentVersion = version
        return event
    }

    /// The kind by its name.
    package var kindName: String {
        switch kind {
        case .notification: "notification"
        case .question: "question"
        case .source: "source"
        }
    }

    /// Whether the event is for UIs to report or ask, and not for the server alone.
    package var isForUIs: Bool { source != .section }
}

/// Something that a caller says in an event's `parameters`.
///
/// Unknown parameters are passed on unchanged; known ones are checked.
package struct EventParameter: Hashable, Sendable {
    /// The name in `parameters`.
    package let name: String
    /// What it holds.
    package let type: AnswerType
    /// Whether the event cannot be fired without it.
    package let isRequired: Bool
    /// Its description, in a few words.
    package let summary: String

    init(_ name: String, _ type: AnswerType, isRequired: Bool = false, _ summary: String) {
        self.name = name
        self.type = type
        self.isRequired = isRequired
        self.summary = summary
    }
}
