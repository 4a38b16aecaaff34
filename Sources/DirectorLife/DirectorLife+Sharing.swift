import Directors

// A life that several nodes have: one of them owns it and writes its records, the others follow.
extension DirectorLife {
    /// A node's role in a life.
    package enum Role: Sendable, Hashable {
        /// It takes commands and writes records.
        case owner
        /// It performs what the owner has stored.
        case follower
    }

    /// What an owner begins with.
    struct Inheritance: Sendable {
        let answers: [StoredAnswer]
        let limits: DirectorLimits
        let ownership: Int
    }

    /// Goes on with a life that another node owns.
    package init(following state: LifeState) {
        self.init(recovered: state, answers: [])
        resign()
    }

    /// Why the life takes no command, or no read, at this moment; nil where it does.
    package func refusal(isRead: Bool) -> LifeRefusal? {
        Self.refusal(isRead: isRead, ending, role, phase)
    }

    /// Why a life takes no command, or no read; nil where it does.
    ///
    /// A host asks so on the path of each request: of a property of its own that is asked as a whole, Swift makes a copy.
    @inlinable
    package static func refusal(isRead: Bool, _ ending: Ending?, _ role: Role, _ phase: Phase) -> LifeRefusal? {
        if let ending { return ending == .over ? .over : .elsewhere }
        if !isRead, role == .follower, phase != .over { return .elsewhere }
        return phase.refusal(isRead: isRead)
    }

    /// Takes no command any more: another node owns the life, or is about to.
    ///
    /// Records in flight are settled as ever; records of the other node wait for that.
    package mutating func resign() {
        role = .follower
        inheritance = nil
        // What another node has accepted is performed, whatever the limits are here.
        stored.limit(to: .none)
        if !hasInFlight { working = stored.director }
    }

    /// Lets go of what is in flight, since another node has taken the life: what of it is stored comes back among that
    /// node's records, and the journal's results of it, which may take long, say nothing new.
    ///
    /// - Parameters:
    ///   - error: What the commands are answered.
    ///   - actions: Where the actions are appended.
    package mutating func dropInFlight(_ error: StorageError, into actions: inout [LifeAction]) {
        guard role == .follower, hasInFlight else { return }
        dropped += inFlight.count(where: \.isHandedOver)
        let commands = inFlight
        inFlight.removeAll()
        goBackWhole(into: &actions)
        for command in commands { lose(command, command.loss ?? error, into: &actions) }
    }

    /// Owns the life from now on; where something of an earlier time is in flight, once that is settled.
    ///
    /// - Parameters:
    ///   - answers: The answers that are stored for repetitions.
    ///   - limits: What the director may hold.
    ///   - ownership: What tells this ownership of the life from earlier ones; its records bear it.
    ///   - actions: Where the actions are appended.
    /// - Throws: As ``follow(_:into:)-([LifeRecord],_)`` does.
    package mutating func inherit(
        answers: [StoredAnswer], limits: DirectorLimits, ownership: Int, into actions: inout [LifeAction]
    ) throws {
        guard phase != .over, role == .follower else { return }
        inheritance = Inheritance(answers: answers, limits: limits, ownership: ownership)
        try catchUp(into: &actions)
    }

    /// Performs records that another node has stored, in their order; those that were performed before are skipped.
    ///
    /// While records of this node's own are in flight, they wait: those may be among them.
    ///
    /// - Throws: The record is not the life's next one, or leads to another state than it did there.
    package mutating func follow(_ records: [LifeRecord], into actions: inout [LifeAction]) throws {
        guard role == .follower, phase != .over else { return }
        backlog += records
        try catchUp(into: &actions)
    }

    /// Performs what has waited; to be called when something in flight was settled.
    package mutating func catchUp(into actions: inout [LifeAction]) throws {
        guard role == .follower, !hasInFlight else { return }
        if ending != nil, phase != .over { endUnseen(into: &actions) }
        while let record = backlog.popFirst(), phase != .over {
            if record.number > stored.number { try follow(record, into: &actions) }
        }
        guard let inheritance, phase != .over else { return }
        self.inheritance = nil
        role = .owner
        ownership = inheritance.ownership
        answers = AnswerStore(inheritance.answers)
        stored.limit(to: inheritance.limits)
        working = stored.director
        lastNumber = stored.number
    }

    /// Why a life ends that has not been ended by a command here.
    package enum Ending: Sendable, Hashable {
        /// It is over by the journal.
        case over
        /// Another life has its name here. If the life is still stored, it is read anew: its waiting deliveries stay.
        case displaced
    }

    /// Ends a life here: at once, or when what is in flight is settled, which may be its end.
    ///
    /// An owner is no owner any more: another node has taken the life before it ended, unless it has ended it itself.
    package mutating func end(_ ending: Ending, into actions: inout [LifeAction]) {
        guard phase != .over else { return }
        resign()
        if self.ending != .over { self.ending = ending }
        if !hasInFlight { endUnseen(into: &actions) }
    }
}
