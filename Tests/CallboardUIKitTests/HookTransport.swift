import CallboardClient
import Foundation
import Synchronization

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Stands in for a server that takes events: streams stay silent, reports are noted, questions answered by a script.
final class HookTransport: ClientTransport {
    /// What becomes of a request.
    enum Fate: Sendable, CaseIterable {
        /// It is answered.
        case answered
        /// The connection breaks before the server has it.
        case lost
        /// The server has it, and the connection breaks before the answer.
        case unanswered
        /// The server is busy.
        case busy
    }

    private struct State {
        var fates: [Fate] = []
        var events: [JSON] = []
        var keys: Set<String> = []
        var asked: [JSON] = []
    }

    private let state = Mutex(State())
    private let answer: @Sendable (JSON) -> JSON

    /// Makes a transport.
    ///
    /// - Parameter answer: The outcome of a question, as the wire has it.
    init(answer: @escaping @Sendable (JSON) -> JSON = { _ in ["value": true, "source": "default"] }) {
        self.answer = answer
    }

    /// The reports that the server has taken, each once by its key, in their order.
    var reports: [JSON] { state.withLock { $0.events } }
    /// The questions that were asked.
    var questions: [JSON] { state.withLock { $0.asked } }

    /// Sets what becomes of the next requests; the ones after them are answered.
    func plan(_ fates: [Fate]) { state.withLock { $0.fates = fates } }

    func open(_ request: URLRequest, bufferLimit: Int) async throws -> TransportResponse {
        guard request.httpMethod == "POST" else {
            let stream = BufferedByteStream(limit: 1 << 20)
            return TransportResponse(status: 200, fields: ["Content-Type": "text/event-stream"], body: stream)
        }
        let fate = state.withLock { $0.fates.isEmpty ? Fate.answered : $0.fates.removeFirst() }
        if fate == .lost { throw TransportError.connection(reason: "lost") }
        if fate == .busy { return respond(503, ["title": "busy"]) }
        let body = try JSON(parsing: Array(request.httpBody ?? Data()))
        let outcomes = (body["events"]?.arrayValue ?? []).map { take($0) }
        if fate == .unanswered { throw TransportError.connection(reason: "unanswered") }
        return respond(200, ["outcomes": .array(outcomes)])
    }

    private func take(_ event: JSON) -> JSON {
        guard let key = event["key"]?.stringValue else {
            state.withLock { $0.asked.append(event) }
            return answer(event)
        }
        state.withLock { state in
            if state.keys.insert(key).inserted { state.events.append(event) }
        }
        return ["delivery": .string("msg_\(key)")]
    }

    private func respond(_ status: Int, _ body: JSON) -> TransportResponse {
        let stream = BufferedByteStream(limit: 1 << 20)
        stream.receive(body.utf8)
        stream.finish()
        return TransportResponse(status: status, fields: ["Content-Type": "application/json"], body: stream)
    }
}
