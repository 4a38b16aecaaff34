import HTTPWire

/// One event of a director's feed: its bytes are encoded once and shared by every subscriber.
package struct FeedEntry: Sendable {
    /// Counts the entries of one director, without gaps; a subscriber's position is the sequence it waits for.
    package let sequence: Int
    /// The published version after the event.
    package let version: Int
    /// The event, ready to be written.
    package let frame: EventFrame
    /// The meaning of a director's last event for its streams; nil for any other event.
    package let end: FeedEnd?

    /// Makes an entry.
    package init(sequence: Int, version: Int, frame: EventFrame, end: FeedEnd? = nil) {
        self.sequence = sequence
        self.version = version
        self.frame = frame
        self.end = end
    }
}

/// How a director's feed ends.
package enum FeedEnd: Sendable, Hashable {
    /// The director is gone: a stream of several goes on with the others.
    case over
    /// The director goes on, and not in this feed: a stream ends as a whole, so that its client comes back for it.
    case moved
}
