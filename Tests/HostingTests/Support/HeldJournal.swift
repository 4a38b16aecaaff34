import DirectorLife
import Directors
import Journal
import Synchronization

/// A journal whose results a test gives, record by record; or at once, if it holds nothing.
final class HeldJournal: Journal {
    private struct State {
        var calls: [Int] = []
        var records: [LifeRecord] = []
        var waiting: [@Sendable (Result<Void, StorageError>) -> Void] = []
        var snapshots: [(number: Int, completion: @Sendable () -> Void)] = []
        var isSnapshotDue = false
    }

    private let state = Mutex(State())
    private let holds: Bool
    let deliveries: any DeliveryStore = MemoryDeliveryStore()
    let tokens: any TokenStore = MemoryTokenStore()

    init(holds: Bool = true) {
        self.holds = holds
    }

    var isImmediate: Bool { !holds }

    /// How many records came with each call.
    var calls: [Int] { state.withLock { $0.calls } }

    /// All records, in order.
    var records: [LifeRecord] { state.withLock { $0.records } }

    /// How many calls wait for their results.
    var waitingCount: Int { state.withLock { $0.waiting.count } }

    /// Has each record that is stored ask for a snapshot.
    func makeSnapshotsDue() { state.withLock { $0.isSnapshotDue = true } }

    /// The numbers of the states whose snapshots are being made.
    var snapshots: [Int] { state.withLock { $0.snapshots.map(\.number) } }

    func append(_ record: LifeRecord, completion: @escaping @Sendable (Result<Void, StorageError>) -> Void) {
        append([record]) { completion($1[0]) }
    }

    func append(
        _ records: [LifeRecord], completion: @escaping @Sendable (_ first: Int, [Result<Void, StorageError>]) -> Void
    ) {
        state.withLock { state in
            state.calls.append(records.count)
            state.records += records
            guard holds else { return }
            for index in records.indices { state.waiting.append { completion(index, [$0]) } }
        }
        if !holds { completion(0, records.map { _ in .success(()) }) }
    }

    func append(
        _ first: LifeRecord, with second: LifeRecord,
        completion: @escaping @Sendable (Result<Void, StorageError>) -> Void
    ) {
        state.withLock { state in
            state.calls.append(2)
            state.records += [first, second]
            if holds { state.waiting.append(completion) }
        }
        if !holds { completion(.success(())) }
    }

    /// Gives the results of the oldest records that wait.
    func settle(_ results: Result<Void, StorageError>...) {
        let waiting = state.withLock { state in
            defer { state.waiting.removeFirst(results.count) }
            return state.waiting.prefix(results.count)
        }
        for (completion, result) in zip(waiting, results) { completion(result) }
    }

    func isSnapshotDue(for director: String) -> Bool { state.withLock { $0.isSnapshotDue } }

    func snapshot(_ state: LifeState, completion: @escaping @Sendable () -> Void) {
        self.state.withLock { $0.snapshots.append((state.number, completion)) }
    }

    /// Ends the oldest snapshot that is being made.
    func endSnapshot() {
        state.withLock { $0.snapshots.removeFirst() }.completion()
    }
}
