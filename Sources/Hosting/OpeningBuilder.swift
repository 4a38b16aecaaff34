import DirectorLife
import Directors
import Feed
import HTTPWire
import JSONValues

/// Makes the first events of a director's stream: only a mark for an up-to-date client, the missed changesets, or a
/// snapshot.
struct OpeningBuilder {
    /// What is stored.
    let state: LifeState
    /// The client's version and its wishes for the beginning.
    let terms: SubscriptionTerms
    /// True for a stream that was running and fell out of the feed.
    let isLate: Bool
    /// The counters of resumes, snapshots and catch-ups.
    let counters: DirectorCounters

    private var name: String { state.director.name }
    private var epoch: String { state.director.epoch }
    private var newest: PublishedState { state.versions.newest }

    /// The only event of a director whose feed has ended.
    func farewell(_ end: FeedEnd) -> [Opening.Event] {
        switch end {
        case .over: [Opening.Event(frame: StreamEvent.deleted(name), version: nil)]
        case .moved: [Opening.Event(frame: StreamEvent.moved(name), version: nil)]
        }
    }

    /// The events, which lead to the newest version.
    ///
    /// - Parameter openings: Encoded events that every stream in the same place gets.
    func events(_ openings: inout OpeningCache) -> [Opening.Event] {
        if let from = terms.token?.version(in: epoch), let missed = missed(since: from, &openings) { return missed }
        return begin(&openings)
    }

    /// A changeset as it is sent: encoded, unless it is long.
    static func content(of change: PublishedChange) -> Opening.Event.Content {
        let size = change.textEstimate
        guard size > LongEvent.threshold else { return .frame(.changeset(change)) }
        return .long(
            LongEvent(
                version: change.version, memory: size, isRetained: false, encoder: EventEncoder(changeset: change)))
    }

    private static func content(of changeset: RetainedChangeset) -> Opening.Event.Content {
        switch changeset {
        case .encoded(let frame): .frame(frame)
        case .waiting(let change, _): content(of: change)
        }
    }

    /// The version that the client holds, where the changeset from there to now may be long: it is found elsewhere than on
    /// the director's loop then, and ``events(since:endingWith:)`` has the answer.
    var longChangeStart: PublishedState? {
        guard let from = terms.token?.version(in: epoch), let held = state.versions.state(at: from),
            terms.catchUp == .one || state.versions.changesets(after: from) == nil,
            state.versions.changesetBytes(after: from) > LongEvent.threshold
        else { return nil }
        return held
    }

    /// The events for a client that holds ``longChangeStart``, with the changeset that was found.
    func events(since held: PublishedState, endingWith change: Opening.Event.Content) -> [Opening.Event] {
        marks(since: held.version) + [Opening.Event(change, version: newest.version)]
    }

    /// The changesets that a client at a version has missed; nil if it needs a snapshot.
    private func missed(since from: Int, _ openings: inout OpeningCache) -> [Opening.Event]? {
        guard let held = state.versions.state(at: from) else { return nil }
        // In a view, the version that the client's id stands for.
        return marks(since: held.version) + changes(since: held, &openings)
    }

    /// What comes before the changes.
    private func marks(since from: Int) -> [Opening.Event] {
        var events: [Opening.Event] = []
        if isLate {
            counters.catchUps.add()
        } else {
            counters.resumes.add()
            // The id stays at the version that the client holds until the changeset has arrived.
            let event = StreamEvent.resumed(director: name, from: from, version: newest.version)
            events.append(Opening.Event(frame: event.frame(epoch: epoch, version: from), version: from))
        }
        // Before what was missed, since that may bring elements of a model that is new.
        if let changed = state.definitionVersion, from <= changed || isLate {
            let frame = StreamEvent.definition(state.director).frame(epoch: epoch, version: from)
            events.append(Opening.Event(frame: frame, version: from))
        }
        return events
    }

    private func changes(since held: PublishedState, _ openings: inout OpeningCache) -> [Opening.Event] {
        guard held.version < newest.version else { return [] }
        if terms.catchUp == .each, let changesets = state.versions.changesets(after: held.version) {
            return zip(changesets, state.versions.versions(after: held.version)).map { changeset, version in
                Opening.Event(Self.content(of: changeset), version: version)
            }
        }
        let frame = openings.catchUp(from: held.version) {
            let causes = state.versions.causes(after: held.version, through: newest.version)
            return .changeset(state.director.change(from: held, to: newest, causes: causes))
        }
        return [Opening.Event(frame: frame, version: newest.version)]
    }

    /// The beginning for a client without a version, or with an unknown one.
    private func begin(_ openings: inout OpeningCache) -> [Opening.Event] {
        let reason = isLate ? "the stream fell behind and its version is no longer retained" : resetReason
        // A reset cannot be left out: the client has to learn that its copy is to be thrown away.
        if terms.snapshot == .none, reason == nil {
            let event = StreamEvent.heartbeat(director: name, version: newest.version)
            return [Opening.Event(frame: event.frame(epoch: epoch, version: newest.version), version: newest.version)]
        }
        counters.snapshots.add()
        let withElements = terms.snapshot == .full
        let isLong = newest.snapshotEstimate(includingElements: withElements) > LongEvent.threshold
        return [
            Opening.Event(
                isLong
                    ? .long(longSnapshot(withElements: withElements, reset: reason, &openings))
                    : .frame(snapshot(withElements: withElements, reset: reason, &openings)),
                version: newest.version)
        ]
    }

    /// Why the client's copy is to be thrown away; nil where it holds none of this director.
    private var resetReason: String? {
        guard let token = terms.token else { return nil }
        guard let version = token.version(in: epoch) else {
            if token.places.isEmpty { return "the id is not one of this server's" }
            // The id is of other directors of the stream alone: this one is followed for the first time.
            guard terms.hasUnknownPlaces else { return nil }
            return state.director.derivation == nil
                ? "the director was created anew" : "the view has another definition, or its source was created anew"
        }
        // The version itself is left out: snapshots are shared by all that are given the same reason.
        return version > state.versions.through
            ? "the id's version is not known" : "the id's version is no longer retained"
    }

    private func longSnapshot(
        withElements: Bool, reset: String?, _ openings: inout OpeningCache
    ) -> LongEvent {
        openings.longSnapshot(withElements: withElements, reset: reset) {
            let encoder = SnapshotEncoder(state.director, newest, includingElements: withElements, reset: reset)
            return LongEvent(
                version: newest.version, memory: newest.list.memory, isRetained: true,
                encoder: EventEncoder(snapshot: encoder))
        }
    }

    private func snapshot(
        withElements: Bool, reset: String?, _ openings: inout OpeningCache
    ) -> EventFrame {
        let make = {
            StreamEvent.snapshot(state.director, newest, withElements: withElements)
                .frame(epoch: epoch, version: newest.version)
        }
        guard let reset else { return openings.snapshot(withElements: withElements, make: make) }
        return openings.snapshot(withElements: withElements, reset: reset, make: make) { snapshot in
            var member = JSONWriter()
            member.string(reset)
            let id = ResumeToken.part(epoch: epoch, version: newest.version)
            return snapshot.addingMember(Array("\"reset\":".utf8) + member.bytes, id: id)
        }
    }
}
