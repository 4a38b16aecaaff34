import DirectorLife
import Directors
import Feed
import HTTPWire
import Journal
import Reactor

// What other nodes have done with a director, or are to do.

extension DirectorHost {
    /// Performs records that another node has stored.
    package func follow(_ records: [LifeRecord]) {
        catchUp { life, actions throws in try life.follow(records, into: &actions) }
    }

    /// Owns the director from now on; see `DirectorLife.inherit(answers:limits:ownership:into:)`.
    package func inherit(_ answers: [StoredAnswer], limits: DirectorLimits, ownership: Int) {
        catchUp { life, actions throws in
            try life.inherit(answers: answers, limits: limits, ownership: ownership, into: &actions)
        }
    }

    /// Does something that ends this node's ownership on the director's loop; from here on it is not owned, before the loop
    /// comes to it. From any thread.
    package nonisolated func lose(_ body: @escaping @Sendable (isolated DirectorHost) -> Void) {
        board.announceLoss()
        send { host in
            body(host)
            host.board.finishLoss()
        }
    }

    /// Calls back once everything is settled that is in flight to the journal when this is called; from any thread.
    ///
    /// Other nodes may have shown it already: an owner that answers with less would have its reader go back.
    ///
    /// - Parameter completion: Called once, on the director's loop; with an error where it stays in doubt.
    package nonisolated func whenSettled(_ completion: @escaping @Sendable (StorageError?) -> Void) {
        send { host in
            // A command that changes nothing is answered after those before it.
            host.commit(host.draft()) { error in
                if case .inDoubt? = error { completion(error) } else { completion(nil) }
            }
        }
    }

    /// Takes no command any more, since another node has taken the director: what is in flight is not waited for.
    package func loseOwnership() {
        catchUp { life, actions throws in
            life.resign()
            life.dropInFlight(.inDoubt("another node has taken the director meanwhile"), into: &actions)
            try life.catchUp(into: &actions)
        }
    }

    /// Ends the director, which was deleted on another node.
    package func endElsewhere() {
        catchUp { life, actions in life.end(.over, into: &actions) }
    }

    /// Ends the director here, since another life has its name. If the director goes on, it is read anew: its streams
    /// are not told of an end, and come back.
    package func displace() {
        if life.ending == nil { retire() }
        catchUp { life, actions in life.end(.displaced, into: &actions) }
    }

    /// Tells subscribers of this node of an announcement, as the owner has told its own.
    ///
    /// - Parameters:
    ///   - event: The event's name.
    ///   - payload: The event's JSON form.
    ///   - version: The version that it refers to. If a later one is shown, positions in the list have changed: then
    ///     everything is drawn anew, and a place to scroll to is found by its identifiers.
    package func show(_ event: StreamEvent.Name, _ payload: [UInt8], version: Int) {
        let newest = life.stored.versions.newest.version
        guard life.role == .follower, life.phase == .living, version <= newest else { return }
        let isOutdated = event == .refresh && version < newest
        let frame =
            isOutdated
            ? StreamEvent.refresh(director: name, version: newest, elements: nil).frame(epoch: epoch, version: newest)
            : EventFrame(event: event, epoch: epoch, version: newest, payload: payload)
        publisher.append(frame, version: newest)
        if event == .refresh { followers?.tell(.refresh) }
    }
}
