import DequeModule
import HTTPWire

/// Where one stream stands in one director's feed.
struct FeedCursor {
    /// The director that is followed.
    let host: DirectorHost
    /// The hub on the stream's loop; `nil` until the director has answered the subscription.
    var hub: FeedHub?
    /// The stream's name in the hub.
    var memberID = 0
    /// The sequence that comes next; meaningless before the hub is there.
    var position = 0
    /// The version that the client holds once everything handed out so far has arrived; `nil` where it holds none.
    var version: Int?
    /// Events to send before the feed goes on: the snapshot, or what resuming brought.
    var backlog: Deque<Opening.Event> = []
    /// Whether the backlog's frames are charged: the connection did not take all of them at once.
    var isBacklogCharged = false
    /// True while the director works out how to bring the stream up to date.
    var isWaiting = true
    /// True once the director's last event has been handed out.
    var isOver = false
}

/// How a client wants to begin: what it already holds and what it wants sent.
struct SubscriptionTerms: Sendable {
    /// The forms of the first event.
    enum Snapshot: String, Sendable, CaseIterable {
        /// The published state with all elements.
        case full
        /// The published state without elements, which are then paged.
        case reference
        /// No snapshot.
        case none
    }

    /// How missed versions come.
    enum CatchUp: String, Sendable, CaseIterable {
        /// As one changeset.
        case one
        /// Every retained one, in order.
        case each
    }

    /// Where the client left off.
    var token: ResumeToken?
    /// True where a part of the token names no life of the stream's directors: one of them may have been created anew
    /// since, and a director that the token does not name may be that one.
    var hasUnknownPlaces = false
    /// The form of the first event.
    var snapshot = Snapshot.full
    /// How missed versions come.
    var catchUp = CatchUp.one
}

/// A director's answer to a subscription, or to a stream that fell behind.
struct Opening: Sendable {
    /// An event and the version that a client holds once it has applied it.
    struct Event: Sendable {
        /// The event's bytes.
        let frame: EventFrame
        /// The version behind it; `nil` where the client then holds none.
        let version: Int?
    }

    /// Events that bring the client from what it holds to the director's version at this moment.
    let events: [Event]
    /// The sequence of the feed that comes after them.
    let position: Int
    /// True where the director is gone and the frames are the last ones.
    var isOver = false
}
