import DirectorLife
import Directors
import HTTPWire

/// A life under test; a fault can be planted around it, in a debug build.
struct Subject {
    /// The life.
    var life: DirectorLife
    /// What is wrong with it.
    let fault: Fault?

    /// Takes a life that a node creates.
    init(_ life: DirectorLife, _ fault: Fault?) {
        self.life = life
        self.fault = fault
    }

    /// Takes a life that a node has read.
    init(recovered state: LifeState, answers: [StoredAnswer], _ fault: Fault?) {
        var (state, answers) = (state, answers)
        fault?.plant(in: &state, &answers)
        life = DirectorLife(recovered: state, answers: answers)
        self.fault = fault
    }

    /// Performs a command on a draft; where it is refused, the draft is dropped.
    mutating func perform(_ command: Command, number: Int, on draft: inout LifeDraft) throws(DirectorError) {
        do {
            try draft.perform(command, number: number)
        } catch {
            fault?.plant(afterRefusalOf: draft, number: number, in: &life)
            throw error
        }
    }

    /// Accepts a command.
    mutating func commit(
        _ draft: LifeDraft, answer: StoredAnswer?, into actions: inout [LifeAction]
    ) -> CommandID {
        let id = life.commit(draft, answer: answer, into: &actions)
        fault?.plant(afterCommitOf: draft, id, answer, in: &life, &actions)
        return id
    }

    /// Says that the oldest record in flight is stored.
    mutating func stored(isSnapshotDue: Bool, into actions: inout [LifeAction]) {
        life.stored(isSnapshotDue: isSnapshotDue, into: &actions)
        fault?.plant(afterStoringIn: &life, &actions)
    }

    /// Says that the oldest record in flight is lost.
    mutating func lost(_ error: StorageError, into actions: inout [LifeAction]) {
        let before = life
        life.lost(error, into: &actions)
        fault?.plant(afterLoss: error, since: before, in: &life, &actions)
    }

    /// Performs a record of another node.
    mutating func follow(_ record: LifeRecord, into actions: inout [LifeAction]) throws {
        let before = life
        var record = record
        if fault?.plant(before: &record, in: &life) == true { return }
        try life.follow(record, into: &actions)
        try fault?.plant(after: record, since: before, in: &life)
    }

    /// The changesets that a client missed.
    func changesets(after version: Int) -> [EventFrame]? {
        let frames = life.stored.versions.changesets(after: version)?.map(\.frame)
        return fault == .changesetLeftOut ? frames.map { Array($0.dropFirst()) } : frames
    }

    /// The names of the commands that a client missed.
    func causes(after version: Int) -> [String] {
        let versions = life.stored.versions
        let names = versions.causes(after: version, through: versions.newest.version).names
        return fault == .causeLeftOut ? names.dropLast() : names
    }
}
