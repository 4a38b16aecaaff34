import DirectorLife

/// A record, with what the director has to be once it is stored.
final class Written {
    /// The record.
    let record: LifeRecord
    /// The director after it.
    let model: Model
    /// Whether the record changes the director; otherwise it only keeps an answer.
    let isChange: Bool
    /// The answer that it keeps, and under which key.
    let answer: (key: Key, note: Note)?
    /// When it was handed over, in seconds.
    let time: Int
    /// Whether the journal holds it.
    var isDurable = false

    init(
        _ record: LifeRecord, _ model: Model, isChange: Bool = true, answer: (key: Key, note: Note)? = nil,
        time: Int = 0
    ) {
        self.record = record
        self.model = model
        self.isChange = isChange
        self.answer = answer
        self.time = time
    }
}

/// What a repetition of a command is to be answered.
struct Note: Equatable {
    /// The hash of the request.
    let fingerprint: Int
    /// The bytes of the answer.
    let body: [UInt8]
    /// When it may be forgotten.
    let expires: Int
}

/// One director's part of a journal: it stores late, fails, and tells its nodes later what became of their records.
struct SimulatedJournal {
    /// A record that a node has handed over.
    struct Queued {
        let node: Node
        let written: Written
    }

    /// What became of a record.
    struct Result {
        let node: Node
        let written: Written
        let error: StorageError?
    }

    /// Everything that is stored, of all lives in their order.
    private(set) var log: [Written] = []
    /// The newest snapshot of the newest life, and how many records of the log it stands for.
    private(set) var snapshot: (state: LifeState, count: Int)?
    /// The records that are handed over, and not looked at yet.
    private(set) var queue: [Queued] = []
    /// What no node was told yet.
    private(set) var results: [Result] = []
    /// Where in the log the newest life begins.
    private(set) var lifeStart = 0

    /// Begins with what is stored.
    init(_ log: [Written]) {
        self.log = log
        for written in log { written.isDurable = true }
    }

    /// The director as it is stored; nil where there is none.
    var model: Model? { log.last.flatMap { $0.model.isDeleted ? nil : $0.model } }

    /// Takes a record.
    mutating func append(_ written: Written, from node: Node) {
        queue.append(Queued(node: node, written: written))
    }

    /// Looks at the oldest record that a node has queued, or any node where this one has none.
    ///
    /// - Parameters:
    ///   - owner: The node that may write.
    ///   - error: Why it cannot be stored.
    mutating func store(from node: Node, owner: Node, error: StorageError? = nil) throws(Violation) {
        guard let index = queue.firstIndex(where: { $0.node === node }) ?? queue.indices.first else { return }
        let next = queue.remove(at: index)
        let error = error ?? refusal(of: next, owner)
        if error == nil { try store(next.written) }
        results.append(Result(node: next.node, written: next.written, error: error))
    }

    private func refusal(of queued: Queued, _ owner: Node) -> StorageError? {
        let record = queued.written.record
        let newest = log.last.flatMap { $0.model.isDeleted ? nil : $0.record }
        let fits =
            if let newest {
                record.epoch == newest.epoch && record.number == newest.number + (queued.written.isChange ? 1 : 0)
            } else {
                record.number == 1 && queued.written.isChange
            }
        return queued.node === owner && fits ? nil : .superseded("it is not the next one")
    }

    private mutating func store(_ written: Written) throws(Violation) {
        if written.record.number == 1, written.isChange {
            lifeStart = log.count
            snapshot = nil
        }
        if let key = written.answer?.key {
            let earlier = log[lifeStart...].last { $0.answer?.key.name == key.name }
            try require(
                (earlier?.answer?.note.expires ?? 0) <= written.time, "the key \(key.name) was executed twice")
        }
        written.isDurable = true
        log.append(written)
    }

    /// Takes the oldest result for a node, or for any where there is none for this one.
    mutating func nextResult(for node: Node) -> Result? {
        guard let index = results.firstIndex(where: { $0.node === node }) ?? results.indices.first else { return nil }
        return results.remove(at: index)
    }

    /// Keeps a snapshot of so many records.
    mutating func keep(_ state: LifeState, count: Int) {
        if count > lifeStart, count > snapshot?.count ?? 0 { snapshot = (state, count) }
    }

    /// Forgets what a node has queued and what it is to be told, but for a few records that became durable.
    mutating func lose(_ node: Node, durable: Int, owner: Node) throws(Violation) {
        for queued in queue.filter({ $0.node === node }).prefix(durable) {
            guard refusal(of: queued, owner) == nil else { break }
            try store(queued.written)
        }
        queue.removeAll { $0.node === node }
        results.removeAll { $0.node === node }
    }
}
