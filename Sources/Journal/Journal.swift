import Directors

/// Where accepted mutations are stored before anyone is told of them.
///
/// The order of the calls of one director is the order of its records. A caller acknowledges a mutation, and shows a
/// version to subscribers, only in `completion`; that is the fourth of the architecture's five ideas, "stored, then
/// seen". An implementation may gather the records of many callers into one commit.
package protocol Journal: Sendable {
    /// Stores a record, whole or not at all, and then calls `completion` once.
    ///
    /// Callable from any thread. `completion` may run before this call returns, on the caller's thread, where nothing
    /// has to be waited for; otherwise on a thread of the journal's. The completions of one director come in the order
    /// of its records, whether they were stored or not.
    func append(
        _ record: JournalRecord,
        completion: @escaping @Sendable (Result<JournalSequence, JournalError>) -> Void
    )

    /// Stores records, each as ``append(_:completion:)-(JournalRecord,_)`` does, and answers for many at a time.
    ///
    /// They are not one whole: some may be stored and others not. It costs less than one call for each of them.
    ///
    /// - Parameter completion: Called with the index of a record and the results from there on, once for each record
    ///   in all; those of one director come in order.
    func append(
        _ records: [JournalRecord],
        completion: @escaping @Sendable (_ first: Int, [Result<JournalSequence, JournalError>]) -> Void
    )

    /// Whether nothing has to be waited for, so that there is no point in handing over many records together.
    var isImmediate: Bool { get }

    /// Whether a director's log has grown so far that a snapshot should be made; false while one is being made.
    ///
    /// Asked after each record that was stored; costs one lock.
    func isSnapshotDue(for director: String) -> Bool

    /// Makes a snapshot of a director in the background, so that the records up to it can be dropped.
    ///
    /// Callable from any thread; returns at once. One that fails is asked for again when the log has grown further;
    /// until then the log stands for it.
    ///
    /// - Parameters:
    ///   - capture: The director and what is retained of it.
    ///   - number: The number of the stored record that it was captured after.
    func snapshot(_ capture: DirectorCapture, after number: Int)

    /// Where deliveries of notifications are kept: as safely as the records, and written with them.
    var deliveries: any DeliveryStore { get }

    /// Whether the next start would be much quicker with a snapshot of a director, though none is due yet.
    ///
    /// Asked before the journal is closed; costs one lock.
    func isSnapshotWorthwhile(for director: String) -> Bool

    /// Makes a snapshot of a director in the background as ``snapshot(_:after:)`` does, and says when that is over.
    ///
    /// - Parameter completion: Called once, whether there is a snapshot now or not; at the latest when the journal is
    ///   closed.
    func snapshot(
        _ capture: DirectorCapture, after number: Int, completion: @escaping @Sendable () -> Void)

    /// How the journal is doing.
    var status: JournalStatus { get }

    /// What the journal has done since it was opened; nil for one that stores nothing.
    var metrics: JournalMetrics? { get }

    /// Stores what was appended before, and refuses everything after. Blocks until that is done; not to be called in a
    /// completion.
    func close()
}

extension Journal {
    /// One after the other.
    package func append(
        _ records: [JournalRecord],
        completion: @escaping @Sendable (_ first: Int, [Result<JournalSequence, JournalError>]) -> Void
    ) {
        for (index, record) in records.enumerated() {
            append(record) { completion(index, [$0]) }
        }
    }

    /// No, as it is where there is a disk.
    package var isImmediate: Bool { false }

    /// Never, for a journal that keeps no log.
    package func isSnapshotDue(for director: String) -> Bool { false }

    /// Nothing, for a journal that keeps no log.
    package func snapshot(_ capture: DirectorCapture, after number: Int) {}

    /// Never, for a journal that keeps no log.
    package func isSnapshotWorthwhile(for director: String) -> Bool { false }

    /// Over at once, for a journal that keeps no log.
    package func snapshot(
        _ capture: DirectorCapture, after number: Int, completion: @escaping @Sendable () -> Void
    ) {
        completion()
    }

    /// Always well, for a journal that cannot fail.
    package var status: JournalStatus { .ok }

    /// Nothing, for a journal that stores nothing.
    package var metrics: JournalMetrics? { nil }

    /// Nothing to do, for a journal that holds nothing.
    package func close() {}
}

/// Why a record was not stored. The mutation it stands for did not happen.
package enum JournalError: Error, Sendable, Hashable {
    /// There is no room left.
    case full(String)
    /// The journal cannot be written to now.
    case unavailable(String)
}

extension JournalError {
    /// What a store's error means to the one whose record it was.
    package init(_ error: StoreError) {
        switch error {
        case .full(let what): self = .full(what)
        default: self = .unavailable(error.description)
        }
    }
}
