import DirectorLife
import Directors
import Notation
import Synchronization

/// A journal that keeps no records: they are gone with the process.
///
/// For tests and for a server whose lists may be lost at a restart. Appending completes before the call returns and
/// costs one lock. It retains the newest record's number of each living director, waiting deliveries, and tokens.
package final class MemoryJournal: Journal {
    private let heads = Mutex<[Name: LifeHead]>([:])

    package let deliveries: any DeliveryStore = MemoryDeliveryStore()

    package let tokens: any TokenStore = MemoryTokenStore()

    /// Makes an empty journal.
    package init() {}

    package var isImmediate: Bool { true }

    package func append(
        _ record: LifeRecord, completion: @escaping @Sendable (Result<Void, StorageError>) -> Void
    ) {
        let place = RecordPlace(of: record)
        let result: Result<Void, StorageError> = heads.withLock { heads in
            let head = heads[place.director]
            guard place.isNext(after: head) else { return .failure(.superseded(place.conflict(with: head))) }
            heads[place.director] = place.head
            return .success(())
        }
        completion(result)
    }
}
