import Notation

/// How often each delivery has come: a server sends one again, with the same identifier, until it has been taken.
struct DeliverySightings: Sendable {
    /// How many identifiers are remembered; the oldest is forgotten first.
    let capacity: Int

    private var counts: [Name: Int] = [:]
    private var order: [String] = []
    private var oldest = 0

    init(capacity: Int = 10_000) {
        self.capacity = max(1, capacity)
    }

    /// Notes that a delivery has come, and says for the how manyth time.
    mutating func note(_ id: String) -> Int {
        // An identifier of a server's is far shorter; this bounds what a hostile one can take.
        let id = String(id.prefix(256))
        if let count = counts[id] {
            counts[id] = count + 1
            return count + 1
        }
        if order.count < capacity {
            order.append(id)
        } else {
            counts[order[oldest]] = nil
            order[oldest] = id
            oldest = (oldest + 1) % capacity
        }
        counts[id] = 1
        return 1
    }
}
