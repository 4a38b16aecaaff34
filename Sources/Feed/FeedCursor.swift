import DequeModule
import HTTPWire
import Reactor

/// One stream's position in one director's feed.
struct FeedCursor {
    /// The director that is followed.
    let source: any FeedSource
    /// The hub on the stream's loop; `nil` until the director has answered the subscription.
    var hub: FeedHub?
    /// Events to send before the feed goes on: the snapshot, or what resuming brought.
    var backlog: Deque<Opening.Event> = []
    /// The sequence that comes next; meaningless before the hub is there.
    var position = 0
    /// The version that the client holds once everything handed out so far has arrived; `nil` where it holds none.
    var version: Int?
    /// Whether the backlog's frames are charged: the connection did not take all of them at once.
    var isBacklogCharged = false
    /// True while the director works out how to bring the stream up to date.
    var isWaiting = true
    /// How the director's feed has ended, once its last event has been handed out or stands in the backlog.
    var end: FeedEnd?
    /// The stream's name in the hub.
    var memberID: Int32 = 0

    init(source: any FeedSource, version: Int?) {
        self.source = source
        self.version = version
    }

    /// Whether nothing comes behind the backlog.
    var isOver: Bool { end != nil }
    /// Whether the whole stream ends here.
    var hasMoved: Bool { end == .moved && backlog.isEmpty }

    /// What comes next.
    enum Next {
        /// An event.
        case event(Opening.Event.Content)
        /// The feed's newest event, which is not the director's last one.
        case newest(EventFrame)
        /// An event of the backlog, whose frame was charged.
        case charged(Opening.Event.Content)
        /// Nothing now.
        case nothing
        /// The feed has moved past the stream's position.
        case passed
    }

    /// Takes the next event, and stands behind it then. On the stream's loop. Complexity: O(1).
    mutating func next() -> Next {
        if let event = backlog.popFirst() {
            let wasCharged = isBacklogCharged
            if backlog.isEmpty {
                isBacklogCharged = false
                // Its memory is freed: a stream is quiet for most of its life.
                backlog = []
            }
            version = event.version
            return wasCharged ? .charged(event.content) : .event(event.content)
        }
        guard !isWaiting, !isOver, let hub else { return .nothing }
        switch hub.onLoop(position, { hub, position in hub.lookup(position) }) {
        case .pending:
            return .nothing
        case .entry(let entry):
            return .event(.frame(take(entry)))
        case .newest(let entry):
            let frame = take(entry)
            return isOver ? .event(.frame(frame)) : .newest(frame)
        case .passed:
            return .passed
        }
    }

    private mutating func take(_ entry: FeedEntry) -> EventFrame {
        position += 1
        version = entry.version
        end = entry.end
        return entry.frame
    }
}
