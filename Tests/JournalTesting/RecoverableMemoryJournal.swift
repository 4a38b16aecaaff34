import DirectorLife
import Directors
import Journal
import Synchronization

/// A journal in memory that can be recovered from: a test double.
///
/// It keeps what a journal on disk keeps, in the same bytes, and drops at once what a snapshot or the end of a life makes
/// superfluous. Appending and snapshots complete before the call returns.
package final class RecoverableMemoryJournal: RecoverableJournal {
    fileprivate struct Life {
        let epoch: String
        var number = 0
        var records: [StoredRecord] = []
        var logBytes = 0
        var snapshot: (number: Int, chunks: [[UInt8]])?
        var answers: [StoredAnswer] = []

        var head: LifeHead { LifeHead(epoch: epoch, number: number) }
    }

    fileprivate struct State {
        var lives: [String: Life] = [:]
        var metrics = JournalMetrics()
        var isClosed = false
    }

    private let state = Mutex(State())
    private let deliveryStore = MemoryDeliveryStore()
    private let tokenStore = MemoryTokenStore()
    private let settings: ConformanceSettings
    private let clock: @Sendable () -> Int

    /// Makes an empty journal.
    ///
    /// - Parameter clock: The time in seconds since 1970, for answers that expire.
    package init(
        settings: ConformanceSettings = ConformanceSettings(), clock: @escaping @Sendable () -> Int = StoreClock.now
    ) {
        self.settings = settings
        self.clock = clock
    }

    // MARK: Appending

    package func append(
        _ record: LifeRecord, completion: @escaping @Sendable (Result<Void, StorageError>) -> Void
    ) {
        append(EncodedRecord(record), completion: completion)
    }

    /// Appends a record whose bytes a test has made.
    package func append(
        _ record: EncodedRecord, completion: @escaping @Sendable (Result<Void, StorageError>) -> Void
    ) {
        completion(append([record]))
    }

    package func append(
        _ first: LifeRecord, with second: LifeRecord,
        completion: @escaping @Sendable (Result<Void, StorageError>) -> Void
    ) {
        completion(append([EncodedRecord(first), EncodedRecord(second)]))
    }

    /// Takes records of different directors, all or none.
    private func append(_ records: [EncodedRecord]) -> Result<Void, StorageError> {
        let now = clock()
        return state.withLock { state in
            if state.isClosed { return .failure(StorageError(.closed)) }
            for record in records {
                let head = state.lives[record.place.director]?.head
                guard record.place.isNext(after: head) else {
                    state.metrics.failures += 1
                    return .failure(.superseded(record.place.conflict(with: head)))
                }
            }
            for record in records { state.add(record, now, settings) }
            return .success(())
        }
    }

    package var isImmediate: Bool { true }

    package var deliveries: any DeliveryStore { deliveryStore }

    package var tokens: any TokenStore { tokenStore }

    // MARK: Snapshots

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

    package func snapshot(_ state: LifeState, completion: @escaping @Sendable () -> Void) {
        defer { completion() }
        var chunks: [[UInt8]] = []
        guard (try? state.forEachSnapshotChunk { chunks.append($0) }) != nil else { return }
        let head = SnapshotHead(of: state)
        self.state.withLock { state in
            guard var life = state.lives[head.director], life.epoch == head.epoch, head.number <= life.number,
                life.snapshot.map({ $0.number <= head.number }) ?? true
            else { return }
            let count = life.records.count
            life.snapshot = (head.number, chunks)
            life.logBytes = 0
            life.records.removeAll { $0.number <= head.number }
            state.metrics.snapshots += 1
            state.metrics.prunedRecords += count - life.records.count
            state.lives[head.director] = life
        }
    }

    // MARK: Reading

    package func lives() throws(JournalError) -> [StoredLife] {
        state.withLock { state in
            state.lives.sorted { $0.key < $1.key }.map { name, life in
                StoredLife(director: name, epoch: life.epoch, number: life.number, snapshot: life.snapshot?.number)
            }
        }
    }

    package func readRecords(_ body: ([StoredRecord]) throws -> Void) throws(JournalError) {
        for life in state.withLock({ $0.lives.values }) {
            do {
                try body(life.records)
            } catch {
                throw JournalError(wrapping: error)
            }
        }
    }

    package func readSnapshot<Result>(
        of director: String, _ body: (SnapshotHead, @escaping ChunkReader) throws -> Result
    ) throws(JournalError) -> Result? {
        guard let life = state.withLock({ $0.lives[director] }), let snapshot = life.snapshot else { return nil }
        var chunks = snapshot.chunks.makeIterator()
        do {
            let head = SnapshotHead(director: director, epoch: life.epoch, number: snapshot.number)
            return try body(head) { chunks.next() }
        } catch {
            throw JournalError(wrapping: error)
        }
    }

    package func answers(of director: String) throws(JournalError) -> [StoredAnswer] {
        let now = clock()
        return state.withLock { $0.lives[director]?.answers ?? [] }.filter { $0.expires > now }
    }

    package var metrics: JournalMetrics? { state.withLock { $0.metrics } }

    package func close() {
        state.withLock { $0.isClosed = true }
        deliveryStore.close()
        tokenStore.close()
    }
}

extension RecoverableMemoryJournal.State {
    /// Adds the next record of a life.
    fileprivate mutating func add(_ record: EncodedRecord, _ now: Int, _ settings: ConformanceSettings) {
        let place = record.place
        var life = lives[place.director] ?? RecoverableMemoryJournal.Life(epoch: place.epoch)
        if let answer = record.answer {
            life.answers.removeAll { $0.expires <= now }
            life.answers.append(answer)
            life.answers.removeFirst(max(0, life.answers.count - settings.answers))
        }
        metrics.commits += 1
        guard let step = place.step else {
            lives[place.director] = life
            return
        }
        life.number += 1
        life.logBytes += record.payload.count
        life.records.append(
            StoredRecord(
                director: place.director, epoch: place.epoch, number: place.number, step: step,
                payload: record.payload, position: "record \(place.number)"))
        metrics.records += 1
        metrics.recordBytes += record.payload.count
        if step == .ends { metrics.prunedRecords += life.records.count }
        lives[place.director] = step == .ends ? nil : life
    }
}
