import HTTPServer
import Synchronization

/// Requests that an application keeps for a while before it answers them.
final class KeptExchanges: Sendable {
    private let storage = Mutex<[Exchange]>([])

    var count: Int { storage.withLock { $0.count } }

    func add(_ exchange: Exchange) { storage.withLock { $0.append(exchange) } }

    func answerAll() {
        let exchanges = storage.withLock { storage in
            defer { storage = [] }
            return storage
        }
        for exchange in exchanges { echo(exchange) }
    }
}
