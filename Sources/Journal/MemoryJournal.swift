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
        completion(append([RecordPlace(of: record)]))
    }

    package func append(
        _ first: LifeRecord, with second: LifeRecord,
        completion: @escaping @Sendable (Result<Void, StorageError>) -> Void
    ) {
        completion(append([RecordPlace(of: first), RecordPlace(of: second)]))
    }

    /// Takes records of different directors, all or none.
    private func append(_ places: [RecordPlace]) -> Result<Void, StorageError> {
        heads.withLock { heads in
            for place in places {
                let head = heads[place.director]
                guard place.isNext(after: head) else { return .failure(.superseded(place.conflict(with: head))) }
            }
            for place in places { heads[place.director] = place.head }
            return .success(())
        }
    }
}
