import DirectorLife
import Directors
import Journal
import Synchronization

/// A journal that stores nothing until a test says what becomes of what it was given, in the order of the records.
final class HeldJournal: Journal {
    fileprivate struct State {
        /// Records, of which those in one entry are stored together.
        var waiting: [(records: [LifeRecord], completion: @Sendable (Result<Void, StorageError>) -> Void)] = []
        var numbers: [String: Int] = [:]
        var isHolding = false
        var failure: StorageError?
    }

    private let state = Mutex(State())

    let deliveries: any DeliveryStore = MemoryDeliveryStore()

    let tokens: any TokenStore = MemoryTokenStore()

    /// Records that wait.
    var waiting: Int { state.withLock { $0.waiting.count } }

    /// From here on records wait.
    func hold() {
        state.withLock { $0.isHolding = true }
    }

    /// Settles what waits, and stores everything after it; answers by themselves fail for this reason.
    func settle(failingAnswers failure: StorageError) {
        let waiting = state.withLock { state in
            state.isHolding = false
            defer { state.waiting = [] }
            return state.waiting
        }
        for (records, completion) in waiting {
            let isAnswer = records.contains(where: \.entries.isEmpty)
            completion(isAnswer ? .failure(failure) : state.withLock { $0.store(records) })
        }
    }

    /// Settles what waits and everything after it: stored, or failed for this reason until told otherwise.
    func settle(failing failure: StorageError? = nil) {
        let waiting = state.withLock { state in
            state.failure = failure
            state.isHolding = false
            defer { state.waiting = [] }
            return state.waiting
        }
        for (records, completion) in waiting { completion(state.withLock { $0.store(records) }) }
    }

    func append(
        _ record: LifeRecord, completion: @escaping @Sendable (Result<Void, StorageError>) -> Void
    ) {
        append([record], completion)
    }

    func append(
        _ first: LifeRecord, with second: LifeRecord,
        completion: @escaping @Sendable (Result<Void, StorageError>) -> Void
    ) {
        append([first, second], completion)
    }

    private func append(
        _ records: [LifeRecord], _ completion: @escaping @Sendable (Result<Void, StorageError>) -> Void
    ) {
        let result: Result<Void, StorageError>? = state.withLock { state in
            guard state.isHolding else { return state.store(records) }
            state.waiting.append((records, completion))
            return nil
        }
        if let result { completion(result) }
    }

    var status: JournalStatus {
        state.withLock { state in
            state.failure.map { .failing(reason: "\($0)", since: .distantPast) } ?? .ok
        }
    }
}

extension HeldJournal.State {
    /// Takes records, each only as its director's next one, as a journal on disk does; all or none.
    fileprivate mutating func store(_ records: [LifeRecord]) -> Result<Void, StorageError> {
        if let failure { return .failure(failure) }
        for record in records {
            let next = numbers[record.epoch, default: 0] + (record.entries.isEmpty ? 0 : 1)
            guard record.number == next else {
                return .failure(.superseded("record \(record.number) does not come next"))
            }
        }
        for record in records { numbers[record.epoch] = record.number }
        return .success(())
    }
}
