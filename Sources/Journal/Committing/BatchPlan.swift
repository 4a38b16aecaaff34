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

    /// The lives whose records a unit has, by their numbers.
    package enum Lives: Sendable {
        /// None: deliveries or tokens.
        case none
        /// One.
        case one(Int)
        /// Two, which are stored together or not at all.
        case two(Int, Int)
    }

    /// The expectation for each planned unit: its lives, or the reason of its refusal.
    package private(set) var results: [Result<Lives, JournalError>] = []
    /// Whether its records are those of a pair, which are stored together or not at all; a pair has a transaction of its own.
    package private(set) var isPair = false
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
        if isPair { return false }
        switch unit {
        case .record(let record): return add(record, index)
        case .pair(let first, let second): return add(first, second, index)
        case .deliveries(let changes):
            for change in changes { deliveries[change.sequence] = change }
            results.append(.success(.none))
        case .tokens(let changes):
            do throws(JournalError) {
                try tokens.add(changes)
                results.append(.success(.none))
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
        if let refusal = refusal(of: record, found, index) {
            results.append(.failure(refusal))
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
        add(record, to: &next)
        results.append(.success(.one(next.life.id)))
        return true
    }

    /// Plans both records of a pair, or neither.
    private mutating func add(_ first: EncodedRecord, _ second: EncodedRecord, _ index: LifeIndex) -> Bool {
        guard isEmpty else { return false }
        let places = [first, second].map { ($0, index.lives[$0.place.director]) }
        for (record, life) in places {
            guard let refusal = refusal(of: record, life, index) else { continue }
            results.append(.failure(refusal))
            return true
        }
        var ids: [Int] = []
        for case (let record, let life?) in places {
            var next = Touched(life: life, before: life.number, isNew: false)
            add(record, to: &next)
            ids.append(life.id)
        }
        guard ids.count == 2 else { preconditionFailure("a pair goes on with two lives") }
        isPair = true
        results.append(.success(.two(ids[0], ids[1])))
        return true
    }

    /// Why a record may not be stored; nil where it may.
    private func refusal(of record: EncodedRecord, _ life: LifeIndex.Life?, _ index: LifeIndex) -> JournalError? {
        let isOfOwner =
            record.ownership == nil || record.ownership == life?.ownership ?? 0 || planted.has(.keepsQueued)
        guard isOfOwner else { return LifeIndex.taken(record.place.director) }
        guard record.place.isNext(after: life?.head), life?.isTaken != true else {
            return index.conflict(record.place, life)
        }
        return nil
    }

    /// Plans a record that may be stored.
    private mutating func add(_ record: EncodedRecord, to next: inout Touched) {
        if let step = record.place.step {
            next.life.number += 1
            next.life.logBytes += record.payload.count + LifeIndex.rowOverhead
            next.isEnded = step == .ends
            rows.append(
                Row(life: next.life.id, number: next.life.number, step: step, payload: record.payload))
        }
        if let answer = record.answer, record.place.step != .ends {
            next.life.answer += 1
            answers.append((next.life.id, StoredAnswerRow(id: next.life.answer, answer: answer)))
            let row = KeptAnswers.Row(id: next.life.answer, size: answer.size, expires: answer.expires)
            next.forgotten += next.life.answers.add(row, bound: bound, now: clock)
        }
        touched[record.place.director] = next
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
        func lost(_ waiting: CommitQueue.Waiting, isInDoubt: Bool) -> CommitQueue.Outcome {
            let director = waiting.director
            return waiting.failed(isInDoubt ? LifeIndex.inDoubt(director) : failure ?? LifeIndex.taken(director))
        }
        return zip(batch, results).map { waiting, result in
            switch result {
            case .failure(let error): return waiting.failed(error)
            case .success(.none):
                if let others { return waiting.failed(others) }
            case .success(.one(let life)):
                if !stored.contains(life) { return lost(waiting, isInDoubt: inDoubt.contains(life)) }
            case .success(.two(let one, let other)):
                // One row that is there shows that the transaction is stored, and so the other row.
                let isStored = stored.contains(one) || stored.contains(other) && !planted.has(.doubtsHalfPair)
                if !isStored {
                    return lost(waiting, isInDoubt: inDoubt.contains(one) || inDoubt.contains(other))
                }
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
