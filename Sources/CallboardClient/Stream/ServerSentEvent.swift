/// One event of an event stream (WHATWG HTML, section 9.2), before anyone has looked into its data.
public struct ServerSentEvent: Sendable, Hashable {
    /// The event's type; `message` where the stream names none.
    public let name: String
    /// The data lines, joined by line feeds.
    public let data: String
    /// The last event id that the stream has given so far, this event's included; empty where it gave none.
    public let lastEventID: String

    /// Makes an event.
    public init(name: String = "message", data: String, lastEventID: String = "") {
        self.name = name
        self.data = data
        self.lastEventID = lastEventID
    }
}

/// A stream that goes past what the reader is willing to keep.
public enum ServerSentEventError: Error, Sendable, Hashable, CustomStringConvertible {
    /// A line is longer than the limit, in bytes.
    case lineTooLong(limit: Int)
    /// An event's data is longer than the limit, in bytes.
    case eventTooLarge(limit: Int)

    /// The part that is too long, as a sentence without a full stop.
    public var description: String {
        switch self {
        case .lineTooLong(let limit): "a line of the event stream is longer than \(limit) bytes"
        case .eventTooLarge(let limit): "an event of the stream is larger than \(limit) bytes"
        }
    }
}
