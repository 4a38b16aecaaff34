import DequeModule
import Directors

/// One director's life as a value: its working and stored state, the records in flight, the retained versions and
/// answers, its beginning and its end.
///
/// Commands and results of the journal go in, ``LifeAction``s come out; whoever holds the life does them. It knows no
/// clock, no thread and no socket, and keeps no closure, so that all orders of events can be tried by a simulation.
///
/// There are two states. Commands change the working state, each on what the one before has left, while records are
/// still in flight to the journal; so one commit takes many of them. Everyone else sees ``stored``, the state after the
/// newest record that is on disk. If storing fails, the working state goes back to the stored one: no client has seen
/// the lost changes.
package struct DirectorLife: Sendable {
    /// A director's phase of life.
    package enum Phase: Sendable, Hashable {
        /// Its first record is not stored yet: nobody sees it.
        case creating
        /// It is there.
        case living
        /// Its last record is not stored yet: it can be read, but not changed.
        case deleting
        /// It is gone: whoever still holds it finds nothing.
        case over

        /// Why the director takes no command, or no read, at this moment; nil where it does.
        @inlinable
        package func refusal(isRead: Bool) -> LifeRefusal? {
            switch self {
            case .living: nil
            case .deleting: isRead ? nil : .deleting
            case .creating: isRead ? .unborn : .creating
            case .over: .over
            }
        }
    }

    /// The director's phase of life.
    package internal(set) var phase: Phase
    /// The stored state: readers and subscribers see this.
    package internal(set) var stored: LifeState
    /// The state that the next command starts from; ahead of ``stored`` while records are in flight.
    package internal(set) var working: Director { didSet { workingCount &+= 1 } }
    /// How often ``working`` has been set: a command that was carried out elsewhere is of use only on the same state.
    package private(set) var workingCount = 0
    /// The answers to requests that may be repeated.
    package internal(set) var answers: AnswerStore

    /// This node's role in the life.
    package internal(set) var role = Role.owner
    /// The number of the ownership that this node writes under: 0 for a life that it has begun or recovered alone,
    /// otherwise the given one.
    var ownership = 0
    /// Records of another node that wait until what is in flight is settled.
    var backlog = Deque<LifeRecord>()
    /// The data with which this node owns the life once it has caught up; nil if it is not about to own it.
    var inheritance: Inheritance?
    /// Why the life ends here once nothing is in flight; nil where it goes on.
    package internal(set) var ending: Ending?
    /// How many results of the journal are to come for records that were dropped.
    var dropped = 0
    /// Whether views are told of versions.
    package var hasViews = false
    /// Commands that are not answered yet, in order.
    var inFlight = Deque<InFlight>() {
        didSet { hasInFlight = !inFlight.isEmpty }
    }
    /// Whether commands wait for the journal. Stored, so that a host reads it without a copy of the life.
    package private(set) var hasInFlight = false
    /// The number of the newest record that was handed to the journal.
    package internal(set) var lastNumber: Int
    private var lastID = 0

    /// Begins the life of a director that nobody has stored yet. Its first command is ``LifeDraft/create()``.
    package init(creating director: Director, retention: VersionRetention) {
        phase = .creating
        stored = LifeState(new: director, retention: retention)
        working = director
        answers = AnswerStore()
        lastNumber = 0
    }

    /// Goes on with a life that was read from a journal.
    package init(recovered state: LifeState, answers: [StoredAnswer]) {
        phase = .living
        stored = state
        working = state.director
        self.answers = AnswerStore(answers)
        lastNumber = state.number
    }

    /// The director's name.
    package var name: String { working.name }
    /// Which life of that name.
    package var epoch: String { working.epoch }

    /// The entity tag of the stored state.
    package mutating func tag() -> String { stored.tag() }

    // MARK: Commands

    /// Begins a command; one that ``Phase/refusal(isRead:)`` refuses must not be committed.
    ///
    /// - Parameter cause: The name that the changeset which shows the command lists; nil where it has none.
    package func draft(cause: String? = nil) -> LifeDraft {
        LifeDraft(working, published: stored.versions.newest, cause: cause)
    }

    /// Accepts a command: what it did is handed to the journal, and what needs no storing is answered after what is in
    /// flight.
    ///
    /// - Parameters:
    ///   - draft: What the command did, made by ``draft(cause:)`` with nothing committed in between.
    ///   - answer: The answer to keep for repetitions of the command; nil where it has no key.
    ///   - actions: Where the actions are appended.
    /// - Returns: The id by which the command is answered, now or later.
    package mutating func commit(
        _ draft: LifeDraft, answer: StoredAnswer? = nil, into actions: inout [LifeAction]
    ) -> CommandID {
        lastID += 1
        let id = CommandID(value: lastID)
        if let announcement = draft.announcement {
            actions.append(.publish(.announced(announcement, version: draft.published.version)))
        }
        let isChange = draft.isChange
        guard isChange || answer != nil || hasInFlight else {
            actions.append(.answer(id, nil))
            return id
        }
        if isChange {
            working = draft.director
            lastNumber += 1
            if draft.isEnd { phase = .deleting }
        }
        if let answer { answers.begin(CommandKey(answer.key, fingerprint: answer.fingerprint)) }
        inFlight.append(
            InFlight(
                id: id, director: isChange ? draft.director : nil, tag: draft.finalTag,
                number: isChange ? lastNumber : nil, effects: draft.effects, answer: answer))
        if isChange || answer != nil {
            // An answer by itself bears the number of the change before it: it is worth nothing if that one is lost.
            actions.append(
                .store(
                    LifeRecord(
                        director: name, epoch: epoch, number: lastNumber, entries: draft.entries,
                        payload: draft.payload,
                        answer: answer, ownership: ownership)))
        }
        return id
    }

    /// Looks up what a command's key means; `now` is in seconds since 1970.
    package mutating func lookUp(_ key: CommandKey, now: Int) -> AnswerStore.Lookup {
        answers.look(up: key, now: now)
    }

    /// Notes that a command with this key waits for others before it can be committed.
    package mutating func begin(_ key: CommandKey) {
        answers.begin(key)
    }

    /// Gives up a command that was begun: its key is as good as new.
    package mutating func abandon(_ key: CommandKey) {
        answers.abandon(key.name)
    }
}

extension LifeDraft {
    /// Whether the director ends with this command.
    var isEnd: Bool {
        if case .deleted? = entries.last { true } else { false }
    }
}

/// Why a director cannot be read or changed.
package enum LifeRefusal: Error, Sendable, Hashable {
    /// It is being created, and cannot be changed yet.
    case creating
    /// It is being created, and cannot be read yet.
    case unborn
    /// It is being deleted, and cannot be changed any more.
    case deleting
    /// It was deleted.
    case over
    /// Another node owns it.
    case elsewhere
}

/// A command that waits for the journal.
struct InFlight: Sendable {
    /// Its id.
    let id: CommandID
    /// The director after it; nil where it changed nothing.
    let director: Director?
    /// The entity tag of the state after it, where it has been written.
    let tag: String?
    /// The number of its record; nil where it changed nothing.
    let number: Int?
    /// The effects that follow once it is stored.
    let effects: LifeEffects
    /// The answer that is kept for its repetitions.
    let answer: StoredAnswer?
    /// Why it did not happen after all: something before it was not stored.
    var loss: StorageError?

    /// Whether the journal has something of it, and tells what became of that.
    var isHandedOver: Bool { number != nil || answer != nil }
}
