import Directors

/// Where the records of directors' lives are kept, as bytes: the lower of the journal's two levels.
///
/// A store knows nothing of what the bytes mean. It orders records, answers requests by key, keeps one snapshot for each
/// life apart from the log, and drops what a newer snapshot makes superfluous. ``MemoryStore`` and ``SQLiteStore`` pass
/// the same conformance suite; a log that is replicated between machines can stand behind it too, which is why an
/// append can be refused for coming too late and why what others have appended can be followed.
///
/// Deliveries are kept beside the records, in the same commits: changes of them are units like any other.
package protocol RecordStore: DeliveryStore {
    /// Stores a unit, whole or not at all, and then calls `completion` once with the newest sequence.
    ///
    /// Callable from any thread. The completions of one director run in the order of the calls, those of refusals
    /// too: on a thread of the store's or, where nothing has to be waited for, on the caller's before this call returns.
    /// A unit that is refused leaves no trace; one that is reported failed can never be found after a restart.
    ///
    /// Fails with ``StoreError/conflict(_:)`` for a record that is not its life's next one: a writer that has more
    /// than one record under way loses all of them with the first, since each stands on the one before.
    func append(
        _ unit: StoredUnit,
        completion: @escaping @Sendable (Result<JournalSequence, StoreError>) -> Void
    )

    /// Stores units, each as ``append(_:completion:)-(StoredUnit,_)`` does, and answers for many at a time.
    ///
    /// They are not one whole: some may be stored and others refused. For a caller that has several at once this is
    /// one lock, and one waking of the writer, for all of them.
    ///
    /// - Parameter completion: Called with the index of a unit and the results from there on, once for each unit in
    ///   all; those of one director come in order.
    func append(
        _ units: [StoredUnit],
        completion: @escaping @Sendable (_ first: Int, [Result<JournalSequence, StoreError>]) -> Void
    )

    /// Stores a snapshot in place of the one that its life has, and drops the records up to it in the background.
    ///
    /// Callable from any thread. The source is asked on a thread of the store's, and held back where it is faster than
    /// storing. Until the last chunk is stored, the earlier snapshot stays the valid one.
    func write(
        _ head: SnapshotHead, from source: some SnapshotSource,
        completion: @escaping @Sendable (Result<Void, StoreError>) -> Void
    )

    /// Whether a director's log has grown so far that the next record should come with a snapshot. One lock.
    func isSnapshotDue(for director: String) -> Bool

    /// Whether reading a director's log takes so long, beside reading its snapshot, that a new snapshot is worth its
    /// while when nothing else is to be done: from an eighth of the log on at which one is due. One lock.
    func isSnapshotWorthwhile(for director: String) -> Bool

    /// The newest record that is stored.
    var latest: JournalSequence { get }

    /// The lives that go on, ordered by name.
    func lives() throws(StoreError) -> [StoredLife]

    /// Reads records in their order, starting after one of them, and stops after about so many bytes.
    ///
    /// Records of lives that are over and records that a snapshot stands for may or may not be among them. None of
    /// those that are kept after `sequence` is left out: where some have been dropped, it fails with
    /// ``StoreError/pruned(_:)``, unless `sequence` is 0.
    func records(after sequence: JournalSequence, upTo bytes: Int) throws(StoreError) -> [StoredRecord]

    /// Reads the snapshot of a life that goes on, chunk by chunk.
    ///
    /// - Returns: What `body` returns; nil where the life has no snapshot.
    func readSnapshot<Result>(
        of director: String, _ body: (SnapshotHead, @escaping ChunkReader) throws -> Result
    ) throws -> Result?

    /// The answers of a life that goes on and that have not expired, oldest first.
    func answers(of director: String) throws(StoreError) -> [StoredAnswer]

    /// Waits until there is a record after one; returns at once where there is.
    ///
    /// - Returns: False where there will be none: the store is closed, or the task is cancelled.
    func waitForRecord(after sequence: JournalSequence) async -> Bool

    /// How the store is doing.
    var status: JournalStatus { get }

    /// What the store has done since it was opened.
    var metrics: JournalMetrics { get }

    /// Stores what was appended before, and refuses everything after. Blocks until that is done.
    func close()
}

extension RecordStore {
    /// One after the other.
    package func append(
        _ units: [StoredUnit],
        completion: @escaping @Sendable (_ first: Int, [Result<JournalSequence, StoreError>]) -> Void
    ) {
        for (index, unit) in units.enumerated() {
            append(unit) { completion(index, [$0]) }
        }
    }

    /// What is appended after a record, by whomever: an endless sequence that ends with the store or the task.
    ///
    /// A position, not a queue: one that is read slowly costs nothing. It fails with ``StoreError/pruned(_:)`` where it
    /// has fallen behind what is kept.
    package func tail(after sequence: JournalSequence) -> RecordTail {
        RecordTail(store: self, position: sequence)
    }
}

/// Makes the bytes of a snapshot.
package protocol SnapshotSource: Sendable {
    /// Hands over the bytes in pieces of at most ``SnapshotLimits/chunk`` bytes, in order.
    ///
    /// - Throws: What `take` throws, at once: the snapshot has been given up then.
    func forEachChunk(_ take: ([UInt8]) throws -> Void) throws
}

/// Hands over the chunks of a snapshot, checked, one for each call; nil after the last.
package typealias ChunkReader = () throws -> [UInt8]?

/// Bounds of snapshots.
package enum SnapshotLimits {
    /// The most bytes of one chunk: what a commit may have to wait for.
    package static let chunk = 256 * 1024
}

/// The records after a position, as they are appended.
package struct RecordTail: AsyncSequence, Sendable {
    let store: any RecordStore
    let position: JournalSequence

    /// Begins at the position.
    package func makeAsyncIterator() -> Iterator {
        Iterator(store: store, position: position)
    }

    /// Reads a batch of records at a time.
    package struct Iterator: AsyncIteratorProtocol {
        fileprivate let store: any RecordStore
        fileprivate var position: JournalSequence
        private var batch: [StoredRecord] = []
        private var next = 0

        fileprivate init(store: any RecordStore, position: JournalSequence) {
            self.store = store
            self.position = position
        }

        /// The next record; nil when the store is closed or the task cancelled.
        package mutating func next() async throws(StoreError) -> StoredRecord? {
            while next >= batch.count {
                guard await store.waitForRecord(after: position) else { return nil }
                batch = try store.records(after: position, upTo: 1 << 20)
                next = 0
            }
            defer { next += 1 }
            position = batch[next].sequence
            return batch[next]
        }
    }
}
