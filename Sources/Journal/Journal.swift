import DirectorLife
import Directors

/// Stores the records of directors' lives before anyone is told of them.
///
/// The caller acknowledges a command, and shows a version to subscribers, only in `completion`: stored, then seen. An
/// implementation may gather the records of many callers into one commit. `JournalTesting` has the suite that each
/// implementation passes.
package protocol Journal: Sendable {
    /// Stores a record, whole or not at all, and then calls `completion` once.
    ///
    /// Callable from any thread; the calls of one director must be in the order of its records. The completions of one
    /// director come in the order of the calls, also those of failures: on the caller's thread before this call returns
    /// where nothing has to be waited for, otherwise on a thread of the journal's.
    ///
    /// A record that fails leaves no trace and can never be found after a restart. Fails with
    /// `StorageError.superseded(_:)` for a record that is not its life's next one; so of several records in flight all
    /// fail with the first that does.
    ///
    /// - Complexity: Encoding runs on the caller's thread and is O(*n*) in the text of the record's entries.
    func append(_ record: LifeRecord, completion: @escaping @Sendable (Result<Void, StorageError>) -> Void)

    /// Stores records, each as ``append(_:completion:)-(LifeRecord,_)`` does, and reports the results of many at a time.
    ///
    /// The records are not one whole: some may be stored and others not. It costs less than one call for each of them.
    ///
    /// - Parameter completion: Called with the index of a record and the results from there on, once for each record
    ///   in all; those of one director come in order.
    func append(
        _ records: [LifeRecord], completion: @escaping @Sendable (_ first: Int, [Result<Void, StorageError>]) -> Void)

    /// Stores records of two directors, both or neither, and then calls `completion` once.
    ///
    /// Both lives go on with their records, and each record is the next one of its life; otherwise both are refused. The call
    /// is in the order of the records of both directors, and its completion in the order of the results of both.
    ///
    /// - Parameters:
    ///   - first: A record.
    ///   - second: A record of another director.
    ///   - completion: As in ``append(_:completion:)-(LifeRecord,_)``.
    func append(
        _ first: LifeRecord, with second: LifeRecord,
        completion: @escaping @Sendable (Result<Void, StorageError>) -> Void)

    /// Whether appending never waits, so that gathering records for one call gains nothing.
    var isImmediate: Bool { get }

    /// Whether a director's log has grown so far that a snapshot should be made; false while one is being made.
    ///
    /// Asked after each record that was stored; costs one lock.
    func isSnapshotDue(for director: String) -> Bool

    /// Whether the next start would be much quicker with a snapshot of a director, though none is due yet.
    ///
    /// Asked before the journal is closed; costs one lock.
    func isSnapshotWorthwhile(for director: String) -> Bool

    /// Makes a snapshot of a stored state in the background, so that the records up to its number can be dropped.
    ///
    /// Callable from any thread; returns at once. A snapshot that fails becomes due again when the log has grown
    /// further; until then the log stands for it.
    func snapshot(_ state: LifeState)

    /// Makes a snapshot as ``snapshot(_:)`` does and reports the end of it.
    ///
    /// - Parameter completion: Called once, whether the snapshot was stored or not; at the latest when the journal is
    ///   closed.
    func snapshot(_ state: LifeState, completion: @escaping @Sendable () -> Void)

    /// The store of deliveries: as safe as the records, and written with them.
    var deliveries: any DeliveryStore { get }

    /// The store of static tokens: as safe as the records, and written with them.
    var tokens: any TokenStore { get }

    /// How the journal is doing.
    var status: JournalStatus { get }

    /// Warnings about the medium for an operator, which do not keep the journal from storing; sentences without their
    /// full stops.
    var warnings: [String] { get }

    /// The journal's counts since it was opened; nil for a journal that stores nothing.
    var metrics: JournalMetrics? { get }

    /// Stores what was appended before, and refuses everything after. Blocks until that is done; not to be called in a
    /// completion.
    func close()
}

extension Journal {
    /// Appends one record after the other.
    package func append(
        _ records: [LifeRecord], completion: @escaping @Sendable (_ first: Int, [Result<Void, StorageError>]) -> Void
    ) {
        for (index, record) in records.enumerated() {
            append(record) { completion(index, [$0]) }
        }
    }

    /// False, as where there is a disk.
    package var isImmediate: Bool { false }

    /// False, for a journal that keeps no log.
    package func isSnapshotDue(for director: String) -> Bool { false }

    /// False, for a journal that keeps no log.
    package func isSnapshotWorthwhile(for director: String) -> Bool { false }

    /// Makes a snapshot without reporting its end.
    package func snapshot(_ state: LifeState) {
        snapshot(state) {}
    }

    /// Completes at once, for a journal that keeps no log.
    package func snapshot(_ state: LifeState, completion: @escaping @Sendable () -> Void) {
        completion()
    }

    /// Always well, for a journal that cannot fail.
    package var status: JournalStatus { .ok }

    /// None, for a medium that has no settings of its own.
    package var warnings: [String] { [] }

    /// Nil, for a journal that stores nothing.
    package var metrics: JournalMetrics? { nil }

    /// Does nothing, for a journal that holds nothing.
    package func close() {}
}

/// The stored lives of directors, as ``Recovery`` reads them.
///
/// Reading blocks. The stored rows must not change meanwhile; the place of a record among those of other lives stays
/// within the implementation.
package protocol LifeSource {
    /// The lives that go on, ordered by their directors' names.
    func lives() throws(JournalError) -> [StoredLife]

    /// Reads the records of all lives that go on, a few MiB at a time; the records of each life come in their order.
    ///
    /// Records that a snapshot stands for, and those of lives that have ended, may or may not be among them.
    ///
    /// - Throws: The rows cannot be read, or `body` throws.
    func readRecords(_ body: ([StoredRecord]) throws -> Void) throws(JournalError)

    /// Reads the snapshot of a life that goes on, chunk by chunk.
    ///
    /// - Parameter body: Reads the chunks; the reader is only valid until it returns.
    /// - Returns: What `body` returns; nil where the life has no snapshot.
    /// - Throws: What cannot be read, or what `body` throws.
    func readSnapshot<Result>(
        of director: String, _ body: (SnapshotHead, @escaping ChunkReader) throws -> Result
    ) throws(JournalError) -> Result?

    /// The answers of a life that goes on and that have not expired, oldest first.
    func answers(of director: String) throws(JournalError) -> [StoredAnswer]

    /// The bytes that everything takes, for reports.
    var bytesOnDisk: Int { get }
}

/// A journal that keeps what it is given, and can be read when it is opened.
package protocol RecoverableJournal: Journal, LifeSource {}

extension RecoverableJournal {
    /// As the journal's metrics have it.
    package var bytesOnDisk: Int { metrics?.bytesOnDisk ?? 0 }
}
