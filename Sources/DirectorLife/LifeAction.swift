import Directors
import HTTPWire

/// A life's request to its host. Actions are to be done in their order.
package enum LifeAction: Sendable {
    /// Store a record, and tell the life by ``DirectorLife/stored(isSnapshotDue:into:)`` or
    /// ``DirectorLife/lost(_:into:)`` what became of it; results in the order of the records.
    case store(LifeRecord)
    /// Send an event to every subscriber.
    case publish(StreamChange)
    /// Forget what the targets of hooks have answered: there is another version or another definition.
    case outdateAnswers
    /// Tell the dispatcher of notifications which hooks are others, or are gone.
    case hooksChanged(HookChanges)
    /// Tell the requester of a command that it is stored; or, with an error, that it did not happen.
    case answer(CommandID, StorageError?)
    /// Have a snapshot made of this state.
    case snapshot(LifeState)
    /// Let go of states that nobody may hold any more, elsewhere than on the director's loop: freeing them takes long.
    case release([PublishedState])
    /// Let go of all that a long director held.
    case releaseAll(LifeState)
    /// The director is gone, or never came to be: nobody is to find it any more.
    case forget
}

/// Distinguishes the commands of one life: they are answered in the order of their ids.
package struct CommandID: Hashable, Comparable, Sendable {
    /// Counts commands, from 1.
    package let value: Int

    /// Orders by time of acceptance.
    package static func < (one: CommandID, other: CommandID) -> Bool { one.value < other.value }
}

/// What subscribers are told.
package enum StreamChange: Sendable {
    /// A version.
    case published(PublishedVersion)
    /// A `definition` event, and the version that was published then.
    case defined(EventFrame, version: Int)
    /// An announcement, and the version that it is about.
    case announced(Announcement, version: Int)
    /// The director was deleted at this version: nothing follows.
    case ended(version: Int)
}

/// An event that is stored nowhere: whoever is there is told.
package struct Announcement: Sendable {
    /// Its name, `refresh` or `scroll`.
    package let name: StreamEvent.Name
    /// The event.
    package let frame: EventFrame
}

/// A published version on its way to subscribers.
package struct PublishedVersion: Sendable {
    /// The change that led to it.
    package let change: PublishedChange
    /// The change as bytes; nil where nobody has needed them yet and they are too long to be retained.
    package internal(set) var frame: EventFrame?
    /// The memory of the version before that this one does not share; nil where that was not counted beforehand.
    var exclusiveBytes: Int?
    /// The versions that were dropped for it and take long to be freed.
    package let dropped: [PublishedState]
    /// The facts for views; nil where there are no views.
    package let facts: PublishedFacts?

    /// Makes the version that a change has led to.
    init(
        _ change: PublishedChange, frame: EventFrame? = nil, dropped: [PublishedState] = [],
        facts: PublishedFacts? = nil
    ) {
        (self.change, self.frame, self.dropped, self.facts) = (change, frame, dropped, facts)
    }

    /// The bytes, encoded now where they were not before.
    package var encoded: EventFrame {
        frame ?? .changeset(change)
    }
}

/// A director's facts at the moment of a version: by the time that views are told, it may have gone on to later ones.
///
/// An object, since most versions are on their way without: one reference is copied with them.
package final class PublishedFacts: Sendable {
    /// What is shown.
    package let state: PublishedState
    /// The adapters.
    package let adapters: AdapterRegistry
    /// The variables.
    package let variables: PublishedVariables

    init(_ state: PublishedState, _ adapters: AdapterRegistry, _ variables: PublishedVariables) {
        (self.state, self.adapters, self.variables) = (state, adapters, variables)
    }
}

/// Which event hooks a command has changed, or that all are gone with their director.
package struct HookChanges: Sendable {
    /// A hook that is there now.
    package struct Put: Sendable {
        /// Where.
        package let address: HookAddress
        /// Whether it leads to another target than the one before.
        package let isElsewhere: Bool
    }

    /// Hooks that are new or other than before.
    package let put: [Put]
    /// Hooks that are gone.
    package let removed: [HookAddress]
    /// Whether the whole life is over, and every hook with it.
    package var isOver = false
    /// Whether hooks that views have of their own are among them.
    package var areOfViews: Bool {
        put.contains { $0.address.level.view != nil } || removed.contains { $0.level.view != nil }
    }

    /// The difference between a director's hooks and its earlier ones; nil if there is none.
    init?(from earlier: HookRegistry, to after: Director) {
        let later = after.hooks
        guard earlier != later else { return nil }
        func address(_ level: HookLevel, _ event: String) -> HookAddress {
            HookAddress(director: after.name, epoch: after.epoch, level: level, event: event)
        }
        put = later.entries.filter { earlier[$0.level, $0.event] != $0.hook }.map { entry in
            Put(
                address: address(entry.level, entry.event),
                isElsewhere: earlier[entry.level, entry.event]?.url != entry.hook.url)
        }
        removed = earlier.entries.filter { later[$0.level, $0.event] == nil }.map { address($0.level, $0.event) }
    }

    private init(isOver: Bool) {
        put = []
        removed = []
        self.isOver = isOver
    }

    /// All hooks of a life that is over.
    static let over = HookChanges(isOver: true)
}
