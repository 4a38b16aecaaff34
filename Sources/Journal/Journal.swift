/// Where accepted mutations are stored before anyone is told of them.
///
/// The order of the calls of one director is the order of its records. A caller acknowledges a mutation, and shows a
/// version to subscribers, only in `completion`; that is the fourth of the architecture's five ideas, "stored, then
/// seen". An implementation may gather the records of many callers into one commit.
package protocol Journal: Sendable {
    /// Stores a record, whole or not at all, and then calls `completion` once.
    ///
    /// Callable from any thread. `completion` may run before this call returns, on the caller's thread, where nothing
    /// has to be waited for; otherwise on a thread of the journal's, in the order of the records.
    func append(
        _ record: JournalRecord,
        completion: @escaping @Sendable (Result<JournalSequence, JournalError>) -> Void
    )
}

/// Why a record was not stored. The mutation it stands for did not happen.
package enum JournalError: Error, Sendable, Hashable {
    /// There is no room left.
    case full(String)
    /// The journal cannot be written to now.
    case unavailable(String)
}
