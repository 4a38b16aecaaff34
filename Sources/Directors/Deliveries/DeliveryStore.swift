/// The store of deliveries: an acknowledged delivery survives the process.
///
/// One owner writes to it, keeps all deliveries in memory, and reads them once, when it starts. A store on disk
/// gathers the changes of many into one commit.
package protocol DeliveryStore: Sendable {
    /// All deliveries, ordered by their sequence. Blocks while it reads.
    ///
    /// - Throws: ``DeliveryStoreError/damaged(_:)`` where what is stored is not what was written; none is handed out then.
    func deliveries() throws(DeliveryStoreError) -> [Delivery]

    /// Stores changes in their order, all or none, and then calls `completion` once.
    ///
    /// Callable from any thread. The completions come in the order of the calls, those of failures too: on a thread of
    /// the store's or, where nothing has to be waited for, on the caller's before this call returns. Changes that are
    /// reported failed can never be found after a restart.
    func write(
        _ changes: [DeliveryChange], completion: @escaping @Sendable (Result<Void, DeliveryStoreError>) -> Void)
}

/// A change of what is stored of deliveries; making it twice is the same as making it once.
package enum DeliveryChange: Sendable, Hashable {
    /// This is how a delivery is from now on: a new one, or in place of the one with its sequence.
    case put(Delivery)
    /// The delivery with this sequence is no longer needed; nothing happens where there is none.
    case remove(Int)

    /// The sequence of the delivery that it is about.
    package var sequence: Int {
        switch self {
        case .put(let delivery): delivery.sequence
        case .remove(let sequence): sequence
        }
    }

    /// About how many bytes storing it takes, for bounds.
    package var size: Int {
        switch self {
        case .put(let delivery): delivery.size
        case .remove: 32
        }
    }
}

/// Why deliveries were not stored or cannot be read.
package enum DeliveryStoreError: Error, Sendable, Hashable {
    /// There is no room left; when there is, it works again.
    case full(String)
    /// The store cannot be written to or read now, or is closed.
    case unavailable(String)
    /// The stored bytes are not the written ones.
    case damaged(String)
}

extension DeliveryStoreError: CustomStringConvertible {
    /// A sentence without its full stop.
    package var description: String {
        switch self {
        case .full(let what), .unavailable(let what), .damaged(let what): what
        }
    }
}
