import DirectorLife
import Directors
import Foundation
import Journal

/// A journal that stores on a thread of its own and takes its time, as one that writes to a disk does.
final class SlowJournal: Journal {
    private let queue = DispatchQueue(label: "journal")
    private let delay: TimeInterval

    let deliveries: any DeliveryStore = MemoryDeliveryStore()

    let tokens: any TokenStore = MemoryTokenStore()

    /// Makes a journal that takes `milliseconds` for each record.
    init(milliseconds: Double) {
        delay = milliseconds / 1000
    }

    func append(
        _ record: LifeRecord, completion: @escaping @Sendable (Result<Void, StorageError>) -> Void
    ) {
        queue.async { [delay] in
            Thread.sleep(forTimeInterval: delay)
            completion(.success(()))
        }
    }

    func append(
        _ first: LifeRecord, with _: LifeRecord, completion: @escaping @Sendable (Result<Void, StorageError>) -> Void
    ) {
        append(first, completion: completion)
    }
}
