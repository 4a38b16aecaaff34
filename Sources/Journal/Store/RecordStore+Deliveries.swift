import Directors

extension RecordStore {
    package func write(
        _ changes: [DeliveryChange], completion: @escaping @Sendable (Result<Void, DeliveryStoreError>) -> Void
    ) {
        append(StoredUnit(deliveries: changes)) { result in
            completion(result.map { _ in }.mapError(DeliveryStoreError.init))
        }
    }
}

extension DeliveryStoreError {
    /// What a store's error means to the one whose deliveries they are.
    init(_ error: StoreError) {
        switch error {
        case .full(let what): self = .full(what)
        case .damaged(let damage): self = .damaged(damage.description)
        case .unavailable, .conflict, .pruned, .refused: self = .unavailable(error.description)
        }
    }
}
