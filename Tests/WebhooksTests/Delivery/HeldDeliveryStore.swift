import Directors
import Synchronization

/// A store that stores when a test says so, or fails.
final class HeldDeliveryStore: DeliveryStore {
    private typealias Write = (
        changes: [DeliveryChange], completion: @Sendable (Result<Void, DeliveryStoreError>) -> Void
    )

    private struct State {
        var waiting: [Write] = []
        var isHolding = true
        var failure: DeliveryStoreError?
    }

    private let state = Mutex(State())
    private let stored = MemoryDeliveryStore()

    /// The changes that wait.
    var waiting: [[DeliveryChange]] { state.withLock { $0.waiting.map(\.changes) } }

    func deliveries() throws(DeliveryStoreError) -> [Delivery] { try stored.deliveries() }

    func write(
        _ changes: [DeliveryChange], completion: @escaping @Sendable (Result<Void, DeliveryStoreError>) -> Void
    ) {
        let isHeld = state.withLock { state in
            if state.isHolding { state.waiting.append((changes, completion)) }
            return state.isHolding
        }
        if !isHeld { settle(changes, completion) }
    }

    /// Settles what waits; from here on everything is stored, or fails for this reason, at once.
    func release(failing failure: DeliveryStoreError? = nil) {
        let waiting = state.withLock { state in
            (state.isHolding, state.failure) = (false, failure)
            defer { state.waiting = [] }
            return state.waiting
        }
        for (changes, completion) in waiting { settle(changes, completion) }
    }

    /// From here on everything waits.
    func hold() {
        state.withLock { $0.isHolding = true }
    }

    private func settle(
        _ changes: [DeliveryChange], _ completion: @escaping @Sendable (Result<Void, DeliveryStoreError>) -> Void
    ) {
        if let failure = state.withLock({ $0.failure }) { return completion(.failure(failure)) }
        stored.write(changes, completion: completion)
    }
}
