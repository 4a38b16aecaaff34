import DirectorLife
import Directors
import Notation

/// An answer with its number in its life.
package struct StoredAnswerRow: Sendable {
    /// Its number.
    package let id: Int
    /// The answer.
    package let answer: StoredAnswer

    /// Makes a row.
    package init(id: Int, answer: StoredAnswer) { (self.id, self.answer) = (id, answer) }
}

/// The content of one transaction: units in; rows, and the index after the commit, out.
package struct BatchPlan: Sendable {
    /// A life's records in this transaction.
    package struct Touched: Sendable {
        /// The life as it stands when the transaction is committed.
        package var life: LifeIndex.Life
        /// The number of its newest record before.
        package let before: Int
        /// Whether it begins in this transaction.
        package let isNew: Bool
        /// Whether it ends in this transaction.
        package var isEnded = false
        /// Answers that are forgotten for those of this transaction.
        package var forgotten: [Int] = []
    }

    /// A row of the log.
    package struct Row: Sendable {
        /// The life's number.
        package let life: Int
        /// The record's number.
        package let number: Int
        /// The record's effect on the life.
        package let step: RecordStep
        /// The entries' bytes.
        package let payload: [UInt8]
    }

    /// The expectation for each planned unit: its life's number, or the reason of its refusal.
    package private(set) var results: [Result<Int?, JournalError>] = []
    /// The lives that have records or answers, by director.
    package private(set) var touched: [Name: Touched] = [:]
    /// The records, in order.
    package private(set) var rows: [Row] = []
    /// The answers, each with its life's number.
    package private(set) var answers: [(life: Int, row: StoredAnswerRow)] = []
    /// The changes of deliveries, by the delivery's number.
    package private(set) var deliveries: [Int: DeliveryChange] = [:]
    /// The changes of tokens.
    package private(set) var tokens: TokenChanges
    /// Numbers for lives that begin.
    package private(set) var numbers: LifeNumbers
    private let clock: Int
    private let bound: CommitBound
    private let planted: PlantedFaults

    /// Makes a plan without units.
    package init(
        tokens: TokenChanges, numbers: LifeNumbers, clock: Int, bound: CommitBound,
        planted: PlantedFaults = PlantedFaults()
    ) {
        self.planted = planted
        self.tokens = tokens
        self.numbers = numbers
        self.clock = clock
        self.bound = bound
    }

    /// Whether the terms of lives alone do not tell that it is stored, and do not fence it.
    package var isCounted: Bool {
        !answers.isEmpty || !deliveries.isEmpty || !tokens.isEmpty || touched.values.contains(where: \.isNew)
    }

    /// Whether there is nothing to store.
    package var isEmpty: Bool { touched.isEmpty && deliveries.isEmpty && tokens.isEmpty }

    /// Adds a unit.
    ///
    /// - Returns: False for one that has to wait for another transaction, or for numbers of lives.
    package mutating func add(_ unit: CommitUnit, _ index: LifeIndex) -> Bool {
        switch unit {
        case .record(let record): return add(record, index)
        case .deliveries(let changes):
            for change in changes { deliveries[change.sequence] = change }
            results.append(.success(nil))
        case .tokens(let changes):
            do throws(JournalError) {
                try tokens.add(changes)
                results.append(.success(nil))
            } catch {
                results.append(.failure(error))
            }
        }
        return true
    }

    /// Adds a unit that was refused before.
    package mutating func add(refused error: JournalError) {
        results.append(.failure(error))
    }

    private mutating func add(_ record: EncodedRecord, _ index: LifeIndex) -> Bool {
        let (place, name) = (record.place, record.place.director)
        let planned = touched[name]
        // A life that begins where another ends needs the row of the other one to have ended.
        if place.step == .begins, planned?.isEnded == true { return false }
        let found = planned.map { $0.isEnded ? nil : $0.life } ?? index.lives[name]
        let isOfOwner =
            record.ownership == nil || record.ownership == found?.ownership ?? 0 || planted.has(.keepsQueued)
        guard isOfOwner, place.isNext(after: found?.head), found?.isTaken != true else {
            results.append(.failure(isOfOwner ? index.conflict(place, found) : LifeIndex.taken(name)))
            return true
        }
        var next: Touched
        if let planned {
            next = planned
        } else if let found {
            next = Touched(life: found, before: found.number, isNew: false)
        } else {
            guard let id = numbers.take() else { return false }
            let life = LifeIndex.Life(id: id, director: name, epoch: place.epoch)
            next = Touched(life: life, before: 0, isNew: true)
        }
        if let step = place.step {
            next.life.number += 1
            next.life.logBytes += record.payload.count + LifeIndex.rowOverhead
            next.isEnded = step == .ends
            rows.append(
                Row(life: next.life.id, number: next.life.number, step: step, payload: record.payload))
        }
        if let answer = record.answer, place.step != .ends {
            next.life.answer += 1
            answers.append((next.life.id, StoredAnswerRow(id: next.life.answer, answer: answer)))
            let row = KeptAnswers.Row(id: next.life.answer, size: answer.size, expires: answer.expires)
            next.forgotten += next.life.answers.add(row, bound: bound, now: clock)
        }
        results.append(.success(next.life.id))
        touched[name] = next
        return true
    }

    /// The results of the planned units.
    ///
    /// - Parameters:
    ///   - stored: The lives whose records are stored.
    ///   - inDoubt: The lives of which that will never be known.
    ///   - failure: Why the records of other lives are not stored; nil where other servers have taken those.
    ///   - others: Why what belongs to no life is not stored; nil where it is.
    package func outcomes(
        of batch: ArraySlice<CommitQueue.Waiting>, stored: Set<Int>, inDoubt: Set<Int> = [],
        failure: JournalError? = nil, others: JournalError?
    ) -> [CommitQueue.Outcome] {
        zip(batch, results).map { waiting, result in
            switch result {
            case .failure(let error): return waiting.failed(error)
            case .success(nil):
                if let others { return waiting.failed(others) }
            case .success(let life?):
                if inDoubt.contains(life) { return waiting.failed(LifeIndex.inDoubt(waiting.director)) }
                if !stored.contains(life) { return waiting.failed(failure ?? LifeIndex.taken(waiting.director)) }
            }
            return CommitQueue.Outcome(waiting: waiting, result: .success(()))
        }
    }
}

/// Numbers for lives that begin, of a block that the database has given.
package struct LifeNumbers: Sendable {
    /// How many numbers a block has.
    package static let block = 64

    private var left: Range<Int> = 0..<0

    /// No numbers yet.
    package init() {}

    /// Whether the next life needs a new block.
    package var isEmpty: Bool { left.isEmpty }

    /// Takes a block over.
    package mutating func refill(from first: Int) {
        left = first..<(first + Self.block)
    }

    /// The next number; nil where a new block is needed.
    package mutating func take() -> Int? {
        left.popFirst()
    }
}
