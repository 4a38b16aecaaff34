import HTTPWire
import Reactor

/// One director's way to its subscribers: a hub on each loop that has some, and the numbers of the feed's entries.
///
/// A value of the director's actor; everything happens on the director's loop.
package struct FeedPublisher {
    /// A hub, and how many places in it the director has given out.
    private struct Places {
        let hub: FeedHub
        /// Places given out so far, to members that are there, that have left, and that are on their way.
        var given = 0
    }

    private var places: [ObjectIdentifier: Places] = [:]
    /// The sequence of the feed's next entry.
    package private(set) var nextSequence = 0
    private let feed: FeedConfiguration

    /// Makes a feed without subscribers.
    package init(feed: FeedConfiguration) {
        self.feed = feed
    }

    /// On how many loops there is a hub.
    package var count: Int { places.count }

    /// Whether nobody subscribes, and nobody is on the way.
    package var isEmpty: Bool { places.isEmpty }

    /// The hub on a loop, made when the first stream of that loop asks.
    ///
    /// - Parameters:
    ///   - loop: The loop.
    ///   - addingPlace: Whether a stream is on its way to become a member. It has to join, or to give the place up: the
    ///     hub is there until all places that were given out have come to their end.
    ///   - onEmpty: As in ``FeedHub/init(loop:startingAt:feed:onEmpty:)``; leads to ``release(_:ended:)``.
    package mutating func hub(
        on loop: EventLoop, addingPlace: Bool, onEmpty: @escaping @Sendable (FeedHub, _ ended: Int) -> Void
    ) -> FeedHub {
        let key = ObjectIdentifier(loop)
        var entry =
            places[key] ?? Places(hub: FeedHub(loop: loop, startingAt: nextSequence, feed: feed, onEmpty: onEmpty))
        if addingPlace { entry.given += 1 }
        places[key] = entry
        return entry.hub
    }

    /// Drops a hub without members, unless a place was given out that it has not heard of.
    package mutating func release(_ hub: FeedHub, ended: Int) {
        let key = ObjectIdentifier(hub.loop)
        guard let entry = places[key], entry.hub === hub, entry.given == ended else { return }
        places[key] = nil
    }

    /// Drops all hubs; their members have been sent the last event.
    package mutating func releaseAll() {
        places.removeAll()
    }

    /// Appends an event: every loop with subscribers gets it through its queue, in this order.
    ///
    /// - Parameters:
    ///   - frame: The event.
    ///   - version: The published version after it.
    ///   - end: How the director's feed ends with it; nil where it goes on.
    /// - Complexity: O(*l*) in the loops with subscribers.
    package mutating func append(_ frame: EventFrame, version: Int, end: FeedEnd? = nil) {
        let entry = FeedEntry(sequence: nextSequence, version: version, frame: frame, end: end)
        nextSequence += 1
        for places in places.values {
            places.hub.send { $0.append(entry) }
        }
    }
}
