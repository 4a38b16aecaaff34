import Directors
import Synchronization

/// A store in memory: what it was given is gone with the process.
///
/// It keeps what a store on disk keeps, and drops what a snapshot or the end of a life makes superfluous at once. For
/// tests and for the conformance suite, where it says in the plainest way what a store does. A server whose lists may be
/// lost takes ``MemoryJournal``, which keeps nothing at all.
package final class MemoryStore: RecordStore {
    fileprivate struct Life {
        let epoch: String
        var number = 0
        var logBytes = 0
        var snapshot: (head: SnapshotHead, chunks: [[UInt8]])?
        var answers: [StoredAnswer] = []
    }

    fileprivate struct State {
        var records: [StoredRecord] = []
        var latest: UInt64 = 0
        var dropped: UInt64 = 0
        var lives: [String: Life] = [:]
        var deliveries: [Int: Delivery] = [:]
        var metrics = JournalMetrics()
        var isClosed = false
    }

    private let state = Mutex(State())
    private let signal = CommitSignal()
    private let settings: StoreSettings
    private let clock: @Sendable () -> Int

    /// Makes an empty store.
    ///
    /// - Parameters:
    ///   - settings: When a snapshot is due, and how many answers are kept.
    ///   - clock: The time in seconds since 1970, for answers that expire.
    package init(settings: StoreSettings = StoreSettings(), clock: @escaping @Sendable () -> Int = StoreClock.now) {
        self.settings = settings
        self.clock = clock
    }

    package func append(
        _ unit: StoredUnit, completion: @escaping @Sendable (Result<JournalSequence, StoreError>) -> Void
    ) {
        let result: Result<JournalSequence, StoreError> = state.withLock { state in
            do throws(StoreError) {
                try state.append(unit, settings: settings, now: clock())
                return .success(JournalSequence(state.latest))
            } catch {
                state.metrics.failures += 1
                return .failure(error)
            }
        }
        if case .success(let sequence) = result { signal.reached(sequence) }
        completion(result)
    }

    package func write(
        _ head: SnapshotHead, from source: some SnapshotSource,
        completion: @escaping @Sendable (Result<Void, StoreError>) -> Void
    ) {
        do {
            var chunks: [[UInt8]] = []
            try source.forEachChunk { chunks.append($0) }
            completion(state.withLock { $0.keep(head, chunks) })
        } catch {
            completion(.failure(.unavailable("the snapshot could not be made: \(error)")))
        }
    }

    package func isSnapshotDue(for director: String) -> Bool {
        hasLog(of: director, beyond: 1)
    }

    package func isSnapshotWorthwhile(for director: String) -> Bool {
        hasLog(of: director, beyond: 8)
    }

    /// Whether a director's log is larger than a part of what a snapshot is due at.
    private func hasLog(of director: String, beyond part: Int) -> Bool {
        state.withLock { state in
            guard let life = state.lives[director] else { return false }
            let last = life.snapshot?.chunks.reduce(0) { $0 + $1.count } ?? 0
            return life.logBytes > max(settings.snapshotThreshold, last) / part
        }
    }

    package var latest: JournalSequence { JournalSequence(state.withLock { $0.latest }) }

    package func lives() throws(StoreError) -> [StoredLife] {
        state.withLock { state in
            state.lives.sorted { $0.key < $1.key }.map { name, life in
                StoredLife(
                    director: name, epoch: life.epoch, number: life.number, snapshot: life.snapshot?.head.number)
            }
        }
    }

    package func records(after sequence: JournalSequence, upTo bytes: Int) throws(StoreError) -> [StoredRecord] {
        let (dropped, all) = state.withLock { ($0.dropped, $0.records) }
        guard sequence.value == 0 || sequence.value >= dropped else { throw .prunedRecords(upTo: dropped) }
        var records: [StoredRecord] = []
        var left = bytes
        for record in all where record.sequence > sequence && left > 0 {
            records.append(record)
            left -= record.payload.count + 1
        }
        return records
    }

    package func readSnapshot<Result>(
        of director: String, _ body: (SnapshotHead, @escaping ChunkReader) throws -> Result
    ) throws -> Result? {
        guard let snapshot = state.withLock({ $0.lives[director]?.snapshot }) else { return nil }
        var chunks = snapshot.chunks.makeIterator()
        return try body(snapshot.head) { chunks.next() }
    }

    package func answers(of director: String) throws(StoreError) -> [StoredAnswer] {
        let now = clock()
        return state.withLock { $0.lives[director]?.answers ?? [] }.filter { $0.expires > now }
    }

    package func deliveries() throws(DeliveryStoreError) -> [Delivery] {
        state.withLock { $0.deliveries.values.sorted { $0.sequence < $1.sequence } }
    }

    package func waitForRecord(after sequence: JournalSequence) async -> Bool {
        await signal.wait(after: sequence)
    }

    package var status: JournalStatus { .ok }

    package var metrics: JournalMetrics { state.withLock { $0.metrics } }

    package func close() {
        state.withLock { $0.isClosed = true }
        signal.close()
    }
}

extension MemoryStore.State {
    fileprivate mutating func append(_ unit: StoredUnit, settings: StoreSettings, now: Int) throws(StoreError) {
        guard !isClosed else { throw .closed }
        guard unit.deliveries.isEmpty else {
            metrics.commits += 1
            return change(unit.deliveries)
        }
        let found = lives[unit.director]
        if let record = unit.record, record.step == .begins {
            guard found == nil, record.number ?? 1 == 1 else { throw conflict(unit.director) }
            lives[unit.director] = MemoryStore.Life(epoch: unit.epoch)
        } else {
            guard let found, found.epoch == unit.epoch, unit.follows(found.number) else {
                throw conflict(unit.director)
            }
        }
        guard var life = lives[unit.director] else { return }
        if let answer = unit.answer {
            life.answers.removeAll { $0.expires <= now }
            life.answers.append(answer)
            while life.answers.count > settings.answers.count
                || life.answers.reduce(0, { $0 + $1.size }) > settings.answers.bytes
            {
                life.answers.removeFirst()
            }
        }
        if let record = unit.record {
            latest += 1
            life.number += 1
            life.logBytes += record.payload.count
            records.append(
                StoredRecord(
                    sequence: JournalSequence(latest), director: unit.director, epoch: unit.epoch, number: life.number,
                    step: record.step, payload: record.payload))
            metrics.records += 1
            metrics.recordBytes += record.payload.count
        }
        metrics.commits += 1
        lives[unit.director] = unit.record?.step == .ends ? nil : life
        if unit.record?.step == .ends { drop { $0.epoch == unit.epoch && $0.director == unit.director } }
    }

    private mutating func change(_ changes: [DeliveryChange]) {
        for change in changes {
            switch change {
            case .put(let delivery): deliveries[delivery.sequence] = delivery
            case .remove(let sequence): deliveries[sequence] = nil
            }
        }
    }

    fileprivate mutating func keep(_ head: SnapshotHead, _ chunks: [[UInt8]]) -> Result<Void, StoreError> {
        guard lives[head.director]?.epoch == head.epoch else {
            return .failure(.conflict(conflictState(head.director)))
        }
        lives[head.director]?.snapshot = (head, chunks)
        lives[head.director]?.logBytes = 0
        metrics.snapshots += 1
        drop { $0.director == head.director && $0.epoch == head.epoch && $0.number <= head.number }
        return .success(())
    }

    private mutating func drop(where isSuperfluous: (StoredRecord) -> Bool) {
        guard let last = records.last(where: isSuperfluous) else { return }
        dropped = max(dropped, last.sequence.value)
        let before = records.count
        records.removeAll(where: isSuperfluous)
        metrics.prunedRecords += before - records.count
    }

    private func conflict(_ director: String) -> StoreError {
        .conflict(conflictState(director))
    }

    private func conflictState(_ director: String) -> StoreConflict {
        StoreConflict(
            director: director, epoch: lives[director]?.epoch, number: lives[director]?.number ?? 0)
    }
}

extension StoreError {
    /// The store has been closed.
    static let closed = StoreError.unavailable("the journal is closed")

    /// A reader has fallen behind what is kept.
    static func prunedRecords(upTo sequence: UInt64) -> StoreError {
        .pruned("records up to number \(sequence) have been pruned; begin with the snapshots")
    }
}
