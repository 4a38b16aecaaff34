import Directors
import HTTPServer
import HTTPWire
import Journal

/// What a director's action did and what is to be answered once it is stored.
struct Outcome: Sendable {
    /// The answer.
    var reply: Reply
    /// What the journal has to store first; nothing for a read.
    var entries: [JournalEntry] = []
    /// What subscribers are then sent, in order.
    var events: [FeedEvent] = []
    /// A stream that takes the answer's place.
    var stream: (any BodyProducer)?
    /// The version at which the definition changed, where it did.
    var definitionVersion: Int?
    /// What else happens once it is stored; runs on the director's loop.
    var afterwards: (@Sendable () -> Void)?

    /// Whether answers of hooks' targets may be others from here on: there is another version, or another definition.
    var outdatesAnswers: Bool {
        entries.contains { entry in
            switch entry {
            case .defined, .published: true
            case .performed, .deleted: false
            }
        }
    }

    /// Lets go of the operations, once the journal has them: they hold the request's text, which may be long.
    mutating func dropOperations() {
        // Nearly always nothing is left over, and nothing is allocated.
        entries = entries.filter { entry in
            if case .performed = entry { false } else { true }
        }
    }

    /// The outcome of a read.
    static func read(_ reply: Reply) -> Outcome {
        Outcome(reply: reply)
    }
}

/// An event on its way into the feed.
struct FeedEvent: Sendable {
    /// A version that comes with an event.
    struct Published: Sendable {
        /// What subscribers show from here on.
        let state: PublishedState
        /// The adapters of that moment.
        let adapters: AdapterRegistry
    }

    /// What the event says.
    enum Content: Sendable {
        /// The event's bytes.
        case frame(EventFrame)
        /// A changeset that nobody has asked for yet: it is encoded if somebody turns out to need it.
        case change(PublishedChange)
    }

    /// What the event says.
    let content: Content
    /// The published version after it.
    let version: Int
    /// What is published with it, where the event is a changeset.
    var published: Published?
    /// True for the director's last event.
    var isLast = false
}

extension FeedEvent {
    /// Makes an event of its bytes.
    init(frame: EventFrame, version: Int, published: Published? = nil, isLast: Bool = false) {
        self.init(content: .frame(frame), version: version, published: published, isLast: isLast)
    }
}
