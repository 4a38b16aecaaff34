import Directors
import HTTPWire
import Reactor

extension DirectorHost {
    /// The director's hub on a loop, made when the first stream of that loop asks.
    func hub(on loop: EventLoop) -> FeedHub {
        if let hub = hubs[ObjectIdentifier(loop)] { return hub }
        let hub = FeedHub(loop: loop, startingAt: nextSequence, feed: feed)
        hubs[ObjectIdentifier(loop)] = hub
        return hub
    }

    /// Appends an event to the feed: every loop with subscribers gets it through its queue, in this order.
    func append(_ event: FeedEvent) {
        if let published = event.published { retain(published, event.frame) }
        openings.clear()
        let entry = FeedEntry(
            sequence: nextSequence, version: event.version, frame: event.frame, isLast: event.isLast)
        nextSequence += 1
        for hub in hubs.values {
            hub.loop.execute { hub.assumeIsolated { $0.append(entry) } }
        }
        if event.isLast { release() }
    }

    /// Keeps a version that is stored now.
    private func retain(_ published: FeedEvent.Published, _ frame: EventFrame) {
        let (count, bytes) = (history.count, history.bytes)
        history.append(published.state, adapters: published.adapters, changeset: frame)
        counters.versions.add()
        counters.changesetBytes.add(frame.bytes.count)
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
