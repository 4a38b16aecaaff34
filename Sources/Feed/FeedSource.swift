import DirectorLife
import HTTPWire
import Reactor

/// The source of a stream: a director, wherever it lives.
package protocol FeedSource: AnyObject, Sendable {
    /// The name that clients know it by.
    var name: String { get }
    /// Which life of that name.
    var epoch: String { get }
    /// The newest published version; from any thread.
    var newestVersion: Int { get }

    /// The version that an id names whose client holds a version: the version itself, or a later one that is the same list.
    /// From any thread.
    func resumeVersion(holding version: Int) -> Int

    /// Works out what a stream has to be sent first, and where in the feed it goes on.
    ///
    /// Callable from any loop. Both answers are read in one turn of the source's loop, so what is published next has the
    /// sequence that the opening names: no gap, no overlap.
    ///
    /// - Parameters:
    ///   - terms: What the client holds and how it wants to begin.
    ///   - loop: The loop of the stream's connection: that of the hub.
    ///   - isLate: True for a stream that was running and fell out of the feed; it has its place in the hub already.
    ///   - completion: Called once, on the source's loop. A new stream then joins the hub, or gives its place up.
    func open(
        _ terms: SubscriptionTerms, on loop: EventLoop, isLate: Bool,
        completion: @escaping @Sendable (Opening, FeedHub) -> Void)
}

extension FeedSource {
    package func resumeVersion(holding version: Int) -> Int { version }
}

/// How a client wants to begin: what it already holds and what it wants sent.
package struct SubscriptionTerms: Sendable {
    /// The forms of the first event.
    package enum Snapshot: String, Sendable, CaseIterable {
        /// The published state with all elements.
        case full
        /// The published state without elements, which are then paged.
        case reference
        /// No snapshot.
        case none
    }

    /// How missed versions come.
    package enum CatchUp: String, Sendable, CaseIterable {
        /// As one changeset.
        case one
        /// Every retained one, in order.
        case each
    }

    /// Where the client left off.
    package var token: ResumeToken?
    /// True where a part of the token names no life of the stream's directors: one of them may have been created anew
    /// since, and a director that the token does not name may be that one.
    package var hasUnknownPlaces = false
    /// The form of the first event.
    package var snapshot = Snapshot.full
    /// How missed versions come.
    package var catchUp = CatchUp.one

    /// Makes the terms of a client that holds nothing and wants everything.
    package init() {}
}

/// A director's answer to a subscription, or to a stream that fell behind.
package struct Opening: Sendable {
    /// An event and the version that a client holds once it has applied it.
    package struct Event: Sendable {
        /// What is sent.
        package enum Content: Sendable {
            /// An event that is encoded.
            case frame(EventFrame)
            /// An event that is encoded as it is sent.
            case long(LongEvent)
        }

        /// What is sent.
        package let content: Content
        /// The version behind it; `nil` where the client then holds none.
        package let version: Int?

        /// Makes an event.
        package init(_ content: Content, version: Int?) {
            self.content = content
            self.version = version
        }

        /// Makes an event that is encoded.
        package init(frame: EventFrame, version: Int?) {
            self.init(.frame(frame), version: version)
        }

        /// The bytes, where they are there.
        var frame: EventFrame? {
            if case .frame(let frame) = content { frame } else { nil }
        }
    }

    /// Events that bring the client from what it holds to the director's version at this moment.
    package let events: [Event]
    /// The sequence of the feed that comes after them.
    package let position: Int
    /// How the feed has ended, where the events are the last ones; nil where it goes on.
    package let end: FeedEnd?

    /// Makes an answer.
    package init(events: [Event], position: Int, end: FeedEnd? = nil) {
        self.events = events
        self.position = position
        self.end = end
    }
}

/// Whether a stream may go on: what its client may read can end while it is open.
package protocol StreamPermit: AnyObject, Sendable {
    /// Why the stream has to end now; nil while it may go on.
    ///
    /// Asked about once a second for every stream, on the stream's loop: it must be quick while nothing has changed.
    var endReason: StreamEvent.EndReason? { get }
}
