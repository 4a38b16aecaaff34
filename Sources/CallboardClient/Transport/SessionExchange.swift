import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// One request with its answer.
///
/// It holds the body weakly once the caller has it: the connection closes when the caller releases the body.
final class SessionExchange: Sendable {
    private struct State {
        var head: CheckedContinuation<TransportResponse, any Error>?
        var pendingBody: BufferedByteStream?
        weak var body: BufferedByteStream?
        var isComplete = false
    }

    private let state: Locked<State>

    init(bufferLimit: Int) {
        let body = BufferedByteStream(limit: bufferLimit)
        state = Locked(State(pendingBody: body, body: body))
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

    /// Hands the head over; whether anyone still waits for the answer.
    func receiveHead(_ response: URLResponse) -> Bool {
        guard let response = response as? HTTPURLResponse else {
            complete(TransportError.connection(reason: "the answer is not HTTP"))
            return false
        }
        var fields: [String: String] = [:]
        for (name, value) in response.allHeaderFields {
            if let name = name as? String, let value = value as? String { fields[name] = value }
        }
        return receiveHead(status: response.statusCode, fields: fields)
    }

    /// Hands the head over; whether anyone still waits for the answer.
    func receiveHead(status: Int, fields: [String: String]) -> Bool {
        let (head, body) = state.withLock { state in
            defer { (state.head, state.pendingBody) = (nil, nil) }
            return (state.head, state.pendingBody)
        }
        guard let head, let body else { return false }
        head.resume(returning: TransportResponse(status: status, fields: fields, body: body))
        return true
    }

    func receiveBody(_ bytes: [UInt8]) { state.withLock { $0.body }?.receive(bytes) }

    /// Ends the exchange; doing it again does nothing.
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
        if error is CancellationError || error is TransportError { return error }
        guard let error = error as? URLError else {
            return TransportError.connection(reason: error.localizedDescription)
        }
        if error.code == .cancelled { return CancellationError() }
        let reason = error.localizedDescription
        return isUntrusted(error) ? TransportError.untrusted(reason: reason) : .connection(reason: reason)
    }

    private static func isUntrusted(_ error: URLError) -> Bool {
        #if canImport(FoundationNetworking)
            // There is no code for it on Linux, but libcurl's own sentence.
            error.localizedDescription.hasPrefix("SSL certificate problem")
                || error.localizedDescription.contains("certificate subject name")
        #else
            [
                .serverCertificateUntrusted, .serverCertificateHasUnknownRoot, .serverCertificateHasBadDate,
                .serverCertificateNotYetValid,
            ].contains(error.code)
        #endif
    }
}
