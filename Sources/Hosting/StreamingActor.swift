import DirectorLife
import Directors
import Feed
import Reactor

/// A source of streams on a loop: a director, or a view.
///
/// It has a stored state with the versions that can be resumed from, and a feed; how streams begin follows from these.
protocol StreamingActor: LoopActor, FeedSource {
    /// What readers see.
    var stored: LifeState { get }
    /// The way to the subscribers.
    var publisher: FeedPublisher { get set }
    /// Encoded beginnings.
    var openings: OpeningCache { get set }
    /// The searches for long changesets.
    var searches: ChangeSearches { get set }
    /// The shared environment of a server's actors.
    nonisolated var environment: HostEnvironment { get }
    /// How the feed has ended; nil where it goes on.
    var feedEnd: FeedEnd? { get }
    /// Publishes the facts that any thread may read.
    func publishFacts()
}

extension StreamingActor {
    /// Answers a subscription; see `FeedSource.open`.
    func answer(
        _ terms: SubscriptionTerms, on loop: EventLoop, isLate: Bool,
        _ completion: @escaping @Sendable (Opening, FeedHub) -> Void
    ) {
        let end = feedEnd
        let position = publisher.nextSequence
        let builder = OpeningBuilder(
            state: stored, terms: terms, isLate: isLate, counters: environment.counters)
        let hub = publisher.hub(on: loop, addingPlace: !isLate) { [weak self] hub, ended in
            self?.send { $0.release(hub, ended: ended) }
        }
        publishFacts()
        if end == nil, let held = builder.longChangeStart {
            return findChange(since: held) { change in
                let events = builder.events(since: held, endingWith: change)
                completion(Opening(events: events, position: position), hub)
            }
        }
        let events = end.map { builder.farewell($0) } ?? builder.events(&openings)
        completion(Opening(events: events, position: position, end: end), hub)
    }

    private func release(_ hub: FeedHub, ended: Int) {
        publisher.release(hub, ended: ended)
        publishFacts()
    }

    // MARK: Long changesets

    /// Finds the changeset from a version to the newest on a thread beside the loops, once for all who ask meanwhile.
    /// If too many comparisons wait, it is found here.
    ///
    /// - Parameter completion: Called on the director's loop, now or later.
    private func findChange(
        since held: PublishedState, _ completion: @escaping @Sendable (Opening.Event.Content) -> Void
    ) {
        if let change = openings.longChange(from: held.version) { return completion(change) }
        let stored = stored
        let (director, newest) = (stored.director, stored.versions.newest)
        let causes = stored.versions.causes(after: held.version, through: newest.version)
        let span = held.version..<newest.version
        guard searches.add(completion, over: span) else { return }
        let find: @Sendable () -> Opening.Event.Content = {
            OpeningBuilder.content(of: director.change(from: held, to: newest, causes: causes))
        }
        let isTaken = environment.comparisons.run {
            let change = find()
            self.send { $0.changeWasFound(change, over: span) }
        }
        if !isTaken { changeWasFound(find(), over: span) }
    }

    private func changeWasFound(_ change: Opening.Event.Content, over span: Range<Int>) {
        if stored.versions.newest.version == span.upperBound {
            openings.keep(longChange: change, from: span.lowerBound)
        }
        for completion in searches.take(over: span) { completion(change) }
    }
}
