import CallboardClient
import Foundation
import Synchronization

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A transport whose network a test takes away and gives back.
final class CutTransport: ClientTransport {
    private struct State {
        var isCut = false
        var bodies: [any ByteStream] = []
        var lastEventID: String?
    }

    private let base = URLSessionTransport()
    private let state = Mutex(State())

    /// The `Last-Event-ID` of the last stream that was asked for.
    var lastEventID: String? { state.withLock { $0.lastEventID } }

    /// Ends every connection, and lets none through.
    func cut() {
        let bodies = state.withLock { state in
            state.isCut = true
            defer { state.bodies = [] }
            return state.bodies
        }
        for body in bodies { body.close() }
    }

    /// Lets connections through again.
    func mend() { state.withLock { $0.isCut = false } }

    func open(_ request: URLRequest, bufferLimit: Int) async throws -> TransportResponse {
        guard !state.withLock({ $0.isCut }) else { throw TransportError.connection(reason: "the network is cut") }
        let response = try await base.open(request, bufferLimit: bufferLimit)
        let isCut = state.withLock { state in
            if request.httpMethod == "GET" {
                state.lastEventID = request.value(forHTTPHeaderField: "Last-Event-ID")
                state.bodies.append(response.body)
            }
            return state.isCut
        }
        if isCut {
            response.body.close()
            throw TransportError.connection(reason: "the network is cut")
        }
        return response
    }
}
