import DequeModule
import HTTPWire

/// Where one stream stands in one director's feed.
struct FeedCursor {
    /// The director that is followed.
    let source: any FeedSource
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
