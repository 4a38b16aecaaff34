import HTTPWire

/// One event of a director's feed: its bytes are encoded once and shared by every subscriber.
package struct FeedEntry: Sendable {
    /// Counts the entries of one director, without gaps; a subscriber's position is the sequence it waits for.
    package let sequence: Int
    /// The published version after the event.
    package let version: Int
    /// The event, ready to be written.
    package let frame: EventFrame
    /// True for a director's last event: the subscription closes behind it.
    package var isLast = false

    /// Makes an entry.
    package init(sequence: Int, version: Int, frame: EventFrame, isLast: Bool = false) {
        self.sequence = sequence
        self.version = version
        self.frame = frame
        self.isLast = isLast
    }
}
