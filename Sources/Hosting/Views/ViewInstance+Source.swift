import Directors
import Feed
import Reactor

// What streams and other views see of an instance.

extension ViewInstance: StreamingActor {
    package nonisolated var newestVersion: Int { numbers.withLock { $0.changed } }

    /// The newest version of the source, where the list has not changed since the client's.
    package nonisolated func resumeVersion(holding version: Int) -> Int {
        let seen = seenVersion
        return version == newestVersion ? max(version, seen) : version
    }

    package nonisolated func open(
        _ terms: SubscriptionTerms, on loop: EventLoop, isLate: Bool,
        completion: @escaping @Sendable (Opening, FeedHub) -> Void
    ) {
        let version = terms.token?.version(in: epoch)
        whenCurrent(at: version) { $0.answer(terms, on: loop, isLate: isLate, completion) }
    }

    var feedEnd: FeedEnd? { ending }

    func publishFacts() {
        touch()
        division?.note(self, isSource: followers != nil)
    }
}

// The division of the source, as any thread sees it.
extension ViewInstance {
    /// The division that tells of the view's part; nil where the source tells of all.
    nonisolated var division: DividedSource? { numbers.withLock { $0.division } }

    /// The newest version of the source that the list is right for: one that has left the view's part alone is not told.
    nonisolated var seenVersion: Int {
        // Read before what is expected: up to that version everything has been told by then.
        let newest = division?.newestVersion ?? 0
        return numbers.withLock { $0.expected > $0.seen ? $0.seen : max($0.seen, newest) }
    }

    /// Has a division tell of the view's part.
    nonisolated func enter(division: DividedSource) { numbers.withLock { $0.division = division } }

    /// Leaves the division: the source tells of the whole list from then on.
    nonisolated func leaveDivision() { numbers.withLock { $0.division = nil } }

    /// Notes a version that the division is about to tell.
    nonisolated func expect(_ version: Int) { numbers.withLock { $0.expected = max($0.expected, version) } }
}

extension ViewInstance: ViewSource {
    nonisolated func whenSettled(_ body: @escaping @Sendable () -> Void) {
        afterSource { $0.settle { _ in body() } }
    }

    func whenListed(at version: Int?, _ body: @escaping @Sendable (isolated ViewInstance) -> Void) {
        whenReady(at: version, body)
    }

    func newestForViews() -> SourceVersion? {
        guard ending == nil else { return nil }
        return SourceVersion(
            state: PublishedState(version: seenVersion, list: versions.newest.list), variables: [:],
            definition: definition, retained: versions.retained.last?.changeset, oldest: versions.oldest)
    }

    func earlierForViews() -> [SourceVersion] {
        versions.retained(withinBytes: SourceVersion.bound(of: versions)).map { retained in
            SourceVersion(
                state: retained.state, variables: [:],
                definition: SourceDefinition(adapters: retained.adapters, hooks: definition.hooks),
                retained: retained.changeset, causes: retained.causes)
        }
    }

    func retainedForViews(at version: Int) -> SourceVersion? {
        guard ending == nil, let state = versions.state(at: version) else { return nil }
        return SourceVersion(
            state: PublishedState(version: version, list: state.list), variables: [:], definition: definition)
    }
}
