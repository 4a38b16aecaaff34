import Directors
import Synchronization

/// A journal that only numbers its records: what it was given is gone with the process.
///
/// For tests and for a server whose lists may be lost at a restart. Appending completes before the call returns and
/// costs one lock; nothing is retained but deliveries that wait, so memory does not grow with time.
package final class MemoryJournal: Journal {
    private let last = Mutex<UInt64>(0)

    package let deliveries: any DeliveryStore = MemoryDeliveryStore()

    /// Makes an empty journal.
    package init() {}

    /// The newest record's number.
    package var latest: JournalSequence {
        JournalSequence(last.withLock { $0 })
    }

    package var isImmediate: Bool { true }

    package func append(
        _ record: JournalRecord,
        completion: @escaping @Sendable (Result<JournalSequence, JournalError>) -> Void
    ) {
        let sequence = last.withLock { value in
            value += 1
            return value
        }
        completion(.success(JournalSequence(sequence)))
    }
}
