import HTTPWire

/// One event of a director's feed: its bytes are encoded once and shared by every subscriber.
struct FeedEntry: Sendable {
    /// Counts the entries of one director, without gaps; a subscriber's position is the sequence it waits for.
    let sequence: Int
    /// The published version after the event.
    let version: Int
    /// The event, ready to be written.
    let frame: EventFrame
    /// True for a director's last event: the subscription closes behind it.
    var isLast = false
}
