import Directors
import HTTPWire
import Reactor

/// A hub, and how many places in it the director has given out.
struct HubPlaces {
    let hub: FeedHub
    /// Places given out so far, to members that are there, that have left, and that are on their way.
    var given = 0
}

extension DirectorHost {
    /// The director's hub on a loop, made when the first stream of that loop asks.
    ///
    /// - Parameter addingPlace: Whether a stream is on its way to become a member. It has to join, or to give the place
    ///   up: the hub is there until all places that were given out have come to their end.
    func hub(on loop: EventLoop, addingPlace: Bool) -> FeedHub {
        var places = hubs[ObjectIdentifier(loop)] ?? HubPlaces(hub: makeHub(on: loop))
        if addingPlace { places.given += 1 }
        hubs[ObjectIdentifier(loop)] = places
        return places.hub
    }

    private func makeHub(on loop: EventLoop) -> FeedHub {
        FeedHub(loop: loop, startingAt: nextSequence, feed: feed) { [weak self] hub, ended in
            guard let host = self else { return }
            host.loop.execute { host.assumeIsolated { $0.letGo(hub, ended: ended) } }
        }
    }

    /// Lets go of a hub without members, unless a place was given out that it has not heard of.
    private func letGo(_ hub: FeedHub, ended: Int) {
        guard let places = hubs[ObjectIdentifier(hub.loop)], places.hub === hub, places.given == ended else { return }
        hubs[ObjectIdentifier(hub.loop)] = nil
    }

    /// Appends an event to the feed: every loop with subscribers gets it through its queue, in this order.
    func append(_ event: FeedEvent) {
        let frame = encoded(event.content)
        if let published = event.published { retain(published, frame) }
        openings.clear()
        if let frame { tellSubscribers(event, frame) }
        if event.isLast { release() }
    }

    private func tellSubscribers(_ event: FeedEvent, _ frame: EventFrame) {
        let entry = FeedEntry(sequence: nextSequence, version: event.version, frame: frame, isLast: event.isLast)
        nextSequence += 1
        for places in hubs.values {
            let hub = places.hub
            hub.loop.execute { hub.assumeIsolated { $0.append(entry) } }
        }
    }

    /// The bytes of an event; nil for a changeset that nobody subscribes to and that is too long to be retained, such as
    /// the first one of a long list.
    private func encoded(_ content: FeedEvent.Content) -> EventFrame? {
        switch content {
        case .frame(let frame): frame
        case .change(let change) where hubs.isEmpty && !history.canRetain(change): nil
        case .change(let change): frame(change)
        }
    }

    /// Keeps a version that is stored now.
    private func retain(_ published: FeedEvent.Published, _ frame: EventFrame?) {
        let (count, bytes) = (history.count, history.bytes)
        history.append(published.state, adapters: published.adapters, changeset: frame)
        counters.versions.add()
        counters.changesetBytes.add(frame?.chunk.count ?? 0)
        counters.retainedVersions.add(history.count - count)
        counters.retainedBytes.add(history.bytes - bytes)
    }

    /// Lets go of a deleted director's content, versions and hubs.
    ///
    /// A stream that follows other directors besides holds on to the host for as long as it lasts.
    private func release() {
        forget()
        counters.retainedVersions.add(-history.count)
        counters.retainedBytes.add(-history.bytes)
        director = Director(name: name, epoch: epoch, properties: director.properties)
        stored = director
        history = VersionHistory(first: director.published, adapters: director.adapters, feed: feed)
        openings.clear()
        answerCache.clear()
        idempotency = IdempotencyStore()
        hubs.removeAll()
    }
}
