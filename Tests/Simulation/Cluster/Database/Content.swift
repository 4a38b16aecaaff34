import DirectorLife
import Journal

/// A command that changes a life or has an answer to be kept, from its acceptance on.
final class Change {
    /// What its requester was told.
    enum Outcome {
        case none
        case acknowledged
        case failed
        /// It may have happened.
        case inDoubt
    }

    /// The record that its node has handed over.
    let record: LifeRecord
    /// What was asked for.
    let command: Command
    /// The number of the command.
    let number: Int
    /// The number of its key; nil without one.
    let key: Int?
    /// What its requester was told.
    var outcome = Outcome.none

    init(_ record: LifeRecord, _ command: Command, number: Int, key: Int?) {
        self.record = record
        self.command = command
        self.number = number
        self.key = key
    }

    /// The record as a unit has it. Its payload is the change itself here.
    var encoded: EncodedRecord {
        EncodedRecord(
            place: RecordPlace(of: record), payload: [], answer: record.answer, ownership: record.ownership)
    }

    /// The life that it belongs to.
    var life: LifeName { LifeName(director: record.director, epoch: record.epoch) }
    /// What it does to the life.
    var step: RecordStep? { RecordPlace(of: record).step }
}

/// What the tables hold, as far as some of those who read them see.
struct Content {
    /// A row of the log.
    struct Entry {
        let change: Change
        let term: Int
        /// The transaction that has stored it: of which node, and which one.
        let node: Int
        let unit: Int
        /// Where it stands among the records of all lives, by a number drawn when its transaction ran.
        let sequence: Int
        /// The director after it.
        let model: Model
    }

    /// An answer's row.
    struct Answer {
        let id: Int
        let change: Change
    }

    /// A life's row, and what belongs to it.
    struct Life {
        let id: Int
        let name: LifeName
        var owner: Int
        var term: Int
        var isEnded = false
        /// All records, those that have been deleted behind a snapshot among them.
        var log: [Entry] = []
        var answers: [Answer] = []
        /// The newest snapshot, and up to which number records have been deleted.
        var snapshot: LifeState?
        var pruned = 0

        var head: Int { log.count }
        /// Where it stands among all lives: by the order in which they were stored, which need not be that of the commands.
        var order: Int { log.first?.sequence ?? -1 }
        var row: LifeRow { LifeRow(id: id, name: name, owner: owner, term: term, head: head) }
    }

    /// How a node is fenced.
    struct Fence {
        var incarnation: Int
        var unit: Int
    }

    var lives: [Int: Life] = [:]
    /// The notes of changes: the number of the newest change of each life.
    var notes: [Int: Int] = [:]
    private(set) var newestNote = 0
    /// Whether what is stored is not noted, for a fault.
    var storesUnnoted = false
    var fences: [Int: Fence] = [:]

    /// Draws the number of a transaction. The standby does not know of it before it gets the transaction, and draws the same
    /// number again where it becomes the primary.
    mutating func draw() { newestNote += 1 }

    /// Notes that a life has changed.
    mutating func note(_ id: Int) {
        newestNote += 1
        notes[id] = newestNote
    }

    /// The life of a name that goes on.
    func life(named name: String) -> Life? {
        lives.values.first { $0.name.director == name && !$0.isEnded }
    }

    /// A life, ended or not.
    func life(_ name: LifeName) -> Life? {
        lives.values.first { $0.name == name }
    }

    /// The number of the newest record of all lives.
    var newestSequence: Int { lives.values.compactMap { $0.log.last?.sequence }.max() ?? 0 }

    /// Where a life stands among all of them; -1 for one that is not stored.
    func order(of name: LifeName) -> Int { life(name)?.order ?? -1 }
}

extension Content.Life {
    /// The state after the newest record, as a start reads it: from the snapshot and the records behind it.
    var loaded: LifeState {
        do {
            var state = try snapshot ?? ClusterFixture.state(following: log[0].change.record)
            for entry in log[state.number...] {
                for step in entry.change.record.entries { _ = try state.perform(step) }
                state.note(number: entry.change.record.number)
            }
            return state
        } catch {
            fatalError("what is stored cannot be performed: \(error)")
        }
    }

    /// The records behind a number that have not been deleted, without their answers: those have a table of their own.
    func records(after number: Int) -> [LifeRecord] {
        guard head > max(number, pruned) else { return [] }
        return log[max(number, pruned)...].map { $0.change.stored }
    }
}

extension Change {
    /// The record as it is read back.
    fileprivate var stored: LifeRecord {
        LifeRecord(director: record.director, epoch: record.epoch, number: record.number, entries: record.entries)
    }
}
