import Synchronization

/// Keeps deliveries in memory: they are gone with the process.
///
/// For a server whose lists may be lost at a restart, and for tests. It shares the bodies with whoever has the
/// deliveries, so that keeping them twice costs little. Storing completes before the call returns.
package final class MemoryDeliveryStore: DeliveryStore {
    private struct State {
        var deliveries: [Int: Delivery] = [:]
        var isClosed = false
    }

    private let state = Mutex(State())

    /// Makes an empty store.
    package init() {}

    package func deliveries() throws(DeliveryStoreError) -> [Delivery] {
        state.withLock { $0.deliveries.values.sorted { $0.sequence < $1.sequence } }
    }

    package func write(
        _ changes: [DeliveryChange], completion: @escaping @Sendable (Result<Void, DeliveryStoreError>) -> Void
    ) {
        let isStored = state.withLock { state in
            guard !state.isClosed else { return false }
            for change in changes {
                switch change {
                case .put(let delivery): state.deliveries[delivery.sequence] = delivery
                case .remove(let sequence): state.deliveries[sequence] = nil
                }
            }
            return true
        }
        completion(isStored ? .success(()) : .failure(.unavailable("the store of deliveries is closed")))
    }

    /// Refuses everything from now on.
    package func close() {
        state.withLock { $0.isClosed = true }
    }
}
