import Directors
import Foundation
import Journal
import Synchronization

/// A journal that stores on a thread of its own and takes its time, as one that writes to a disk does.
final class SlowJournal: Journal {
    private let queue = DispatchQueue(label: "journal")
    private let last = Mutex<UInt64>(0)
    private let delay: TimeInterval

    let deliveries: any DeliveryStore = MemoryDeliveryStore()

    /// Makes a journal that takes `milliseconds` for each record.
    init(milliseconds: Double) {
        delay = milliseconds / 1000
    }

    func append(
        _ record: JournalRecord, completion: @escaping @Sendable (Result<JournalSequence, JournalError>) -> Void
    ) {
        queue.async { [self] in
            Thread.sleep(forTimeInterval: delay)
            let sequence = last.withLock { last in
                last += 1
                return last
            }
            completion(.success(JournalSequence(sequence)))
        }
    }
}
