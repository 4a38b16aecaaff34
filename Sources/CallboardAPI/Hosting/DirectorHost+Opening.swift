import Directors
import HTTPWire
import JSONValues
import Reactor

extension DirectorHost {
    /// Works out what a stream has to be sent first, and where in the feed it goes on.
    ///
    /// Both are read in one turn of the director's loop, so what is published next has the sequence that the opening
    /// names: no gap, no overlap.
    ///
    /// - Parameters:
    ///   - terms: What the client holds and how it wants to begin.
    ///   - loop: The loop of the stream's connection.
    ///   - isLate: True for a stream that was running and fell out of the feed.
    func open(_ terms: SubscriptionTerms, on loop: EventLoop, isLate: Bool) -> (Opening, FeedHub) {
        readingStored { openStored(terms, on: loop, isLate: isLate) }
    }

    private func openStored(_ terms: SubscriptionTerms, on loop: EventLoop, isLate: Bool) -> (Opening, FeedHub) {
        let events: [Opening.Event]
        if isDeleted {
            events = [Opening.Event(frame: farewell, version: nil)]
        } else if let from = terms.token?.version(in: epoch), let missed = missed(since: from, terms, isLate: isLate) {
            events = missed
        } else {
            events = begin(terms, isLate: isLate)
        }
        let opening = Opening(events: events, position: nextSequence, isOver: isDeleted)
        // A stream that was running has its place in the hub already.
        return (opening, hub(on: loop, addingPlace: !isLate))
    }

    /// What a client at a version has missed; `nil` where it needs a snapshot.
    private func missed(since from: Int, _ terms: SubscriptionTerms, isLate: Bool) -> [Opening.Event]? {
        let newest = history.newest.version
        guard let state = history.state(at: from) else { return nil }
        var events: [Opening.Event] = []
        if isLate {
            counters.catchUps.add()
        } else {
            counters.resumes.add()
            let frame = StreamEvents.resumed(director: name, from: from, version: newest, epoch: epoch)
            events.append(Opening.Event(frame: frame, version: from))
        }
        // Before what was missed, since that may bring elements of a model that is new.
        if let changed = definitionVersion, from <= changed || isLate {
            events.append(Opening.Event(frame: definitionFrame(from), version: from))
        }
        if from < newest {
            if terms.catchUp == .each, let frames = history.changesets(after: from) {
                for (offset, frame) in frames.enumerated() {
                    events.append(Opening.Event(frame: frame, version: from + offset + 1))
                }
            } else {
                let frame = openings.catchUp(from: from) { changesetFrame(from: state) }
                events.append(Opening.Event(frame: frame, version: newest))
            }
        }
        return events
    }

    /// What a client that holds nothing, or nothing that is still known, begins with.
    private func begin(_ terms: SubscriptionTerms, isLate: Bool) -> [Opening.Event] {
        let newest = history.newest.version
        let reason: String? =
            if isLate {
                "the stream fell behind and its version is no longer retained"
            } else {
                resetReason(terms)
            }
        // A reset cannot be left out: the client has to learn that its copy is to be thrown away.
        if terms.snapshot == .none, reason == nil {
            let id = ResumeToken.part(epoch: epoch, version: newest)
            let frame = StreamEvents.heartbeat(director: name, version: newest, id: id)
            return [Opening.Event(frame: frame, version: newest)]
        }
        counters.snapshots.add()
        return [
            Opening.Event(frame: snapshotFrame(withElements: terms.snapshot == .full, reset: reason), version: newest)
        ]
    }

    /// Why the client's copy is to be thrown away; `nil` where it holds none of this director.
    private func resetReason(_ terms: SubscriptionTerms) -> String? {
        guard let token = terms.token else { return nil }
        guard let version = token.version(in: epoch) else {
            if token.places.isEmpty { return "the id is not one of this server's" }
            // The id is of other directors of the stream alone: this one is followed for the first time.
            return terms.hasUnknownPlaces ? "the director was created anew" : nil
        }
        // The version itself is left out: snapshots are shared by all that are given the same reason.
        return version > history.newest.version
            ? "the id's version is not known" : "the id's version is no longer retained"
    }

    // MARK: Frames

    private var farewell: EventFrame {
        StreamEvents.end(director: name, reason: "the director was deleted", id: nil)
    }

    private func changesetFrame(from state: PublishedState) -> EventFrame {
        frame("changeset", Coding.encode(director.change(from: state, to: history.newest)))
    }

    private func snapshotFrame(withElements: Bool, reset: String?) -> EventFrame {
        let make = { [self] in
            frame("snapshot", Coding.snapshot(director, history.newest, withElements: withElements))
        }
        guard let reset else { return openings.snapshot(withElements: withElements, make: make) }
        return openings.snapshot(withElements: withElements, reset: reset, make: make) { snapshot in
            var member = JSONWriter()
            member.string(reset)
            let id = ResumeToken.part(epoch: epoch, version: history.newest.version)
            return snapshot.addingMember(Array("\"reset\":".utf8) + member.bytes, id: id)
        }
    }

    /// The `definition` event at this moment; its id is that of a version, since it leads to no other.
    func definitionFrame(_ version: Int) -> EventFrame {
        frame("definition", Coding.definition(director), version: version)
    }

    /// The `changeset` event of a change.
    func frame(_ change: PublishedChange) -> EventFrame {
        EventFrame(
            event: "changeset", id: ResumeToken.part(epoch: epoch, version: change.version),
            reservingCapacity: change.textEstimate
        ) { bytes in
            var writer = JSONWriter(appendingTo: bytes)
            bytes = []
            change.encode(to: &writer)
            bytes = writer.bytes
        }
    }

    /// An event of this director's at the newest version.
    func frame(_ event: String, _ data: [UInt8], version: Int? = nil) -> EventFrame {
        let id = ResumeToken.part(epoch: epoch, version: version ?? history.newest.version)
        return EventFrame(ServerSentEvent(event: event, data: data, id: id))
    }
}
