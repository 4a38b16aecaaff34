import Foundation
import Synchronization

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Hands what `URLSession` reports to the exchange that it belongs to.
final class SessionDelegate: NSObject, URLSessionDataDelegate {
    private let exchanges = Mutex<[Int: SessionExchange]>([:])

    func begin(_ exchange: SessionExchange, for task: URLSessionTask) {
        exchanges.withLock { $0[task.taskIdentifier] = exchange }
    }

    /// Forgets a task that nobody waits for any more.
    func end(_ task: URLSessionTask) {
        exchanges.withLock { _ = $0.removeValue(forKey: task.taskIdentifier) }
    }

    private func exchange(for task: URLSessionTask) -> SessionExchange? {
        exchanges.withLock { $0[task.taskIdentifier] }
    }

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        let isWanted = exchange(for: dataTask)?.receiveHead(response) ?? false
        completionHandler(isWanted ? .allow : .cancel)
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        completionHandler(Redirection.request(request, from: response.url, original: task.originalRequest))
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        exchange(for: dataTask)?.receiveBody(data)
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        let exchange = exchanges.withLock { $0.removeValue(forKey: task.taskIdentifier) }
        exchange?.complete(error)
    }
}

/// One request with its answer.
///
/// It holds the body weakly once the caller has it, so that the caller's letting go of it closes the connection.
final class SessionExchange: Sendable {
    private struct State {
        var head: CheckedContinuation<TransportResponse, any Error>?
        var pendingBody: BufferedByteStream?
        weak var body: BufferedByteStream?
        var isComplete = false
    }

    private let state: Mutex<State>

    init(bufferLimit: Int) {
        let body = BufferedByteStream(limit: bufferLimit)
        state = Mutex(State(pendingBody: body, body: body))
    }

    /// The body before it is handed over; afterwards a stream that nobody feeds.
    var body: BufferedByteStream { state.withLock { $0.body } ?? BufferedByteStream(limit: 0) }

    /// Waits for the head; at once where the exchange is over already, as after an early cancellation.
    func awaitHead(_ continuation: CheckedContinuation<TransportResponse, any Error>) {
        let isOver = state.withLock { state in
            if !state.isComplete { state.head = continuation }
            return state.isComplete
        }
        if isOver { continuation.resume(throwing: CancellationError()) }
    }

    /// Whether anyone still waits for the answer.
    func receiveHead(_ response: URLResponse) -> Bool {
        let (head, body) = state.withLock { state in
            defer { (state.head, state.pendingBody) = (nil, nil) }
            return (state.head, state.pendingBody)
        }
        guard let head, let body else { return false }
        guard let response = response as? HTTPURLResponse else {
            head.resume(throwing: TransportError.connection(reason: "the answer is not HTTP"))
            return false
        }
        var fields: [String: String] = [:]
        for (name, value) in response.allHeaderFields {
            if let name = name as? String, let value = value as? String { fields[name] = value }
        }
        head.resume(returning: TransportResponse(status: response.statusCode, fields: fields, body: body))
        return true
    }

    func receiveBody(_ data: Data) { state.withLock { $0.body }?.receive(Array(data)) }

    func complete(_ error: (any Error)?) {
        let (head, body) = state.withLock { state in
            defer { (state.head, state.pendingBody, state.isComplete) = (nil, nil, true) }
            return (state.head, state.body)
        }
        let failure = error.map(SessionExchange.describe)
        head?.resume(throwing: failure ?? TransportError.connection(reason: "the connection ended without an answer"))
        body?.finish(throwing: failure)
    }

    private static func describe(_ error: any Error) -> any Error {
        if error is CancellationError { return error }
        if let error = error as? URLError, error.code == .cancelled { return CancellationError() }
        return TransportError.connection(reason: error.localizedDescription)
    }
}
