import CallboardAPI
import HTTPServer
import HTTPTypes
import HTTPWire
import Reactor
import Synchronization

/// Stands in for the HTTP server's connections, without sockets: takes answers, and pulls streams as far as they go.
///
/// Streams live on the loop of their exchange; what they send is thrown away.
final class TestOwner: ExchangeOwner {
    private struct State {
        var lastTicket: UInt64 = 0
        var statuses: [UInt64: Int] = [:]
        var streams: [UInt64: any BodyProducer] = [:]
        var onEnd: [UInt64: @Sendable () -> Void] = [:]
    }

    private let state = Mutex(State())
    private let loop: EventLoop

    init(loop: EventLoop) {
        self.loop = loop
    }

    /// Streams that have not ended.
    var openStreams: [any BodyProducer] { state.withLock { Array($0.streams.values) } }

    /// Sends a request and waits for its answer's status.
    func send(
        _ application: Application, _ method: HTTPRequest.Method, _ target: String, _ body: String = "",
        accept: String? = nil
    ) async -> Int {
        let ticket = state.withLock { state in
            state.lastTicket += 1
            return state.lastTicket
        }
        var fields = HTTPFields()
        if let accept { fields[.accept] = accept }
        if !body.isEmpty { fields[.contentType] = "application/json" }
        let head = RequestHead(method: method, target: target, fields: fields)
        return await withCheckedContinuation { continuation in
            state.withLock { state in
                state.onEnd[ticket] = { [self] in
                    continuation.resume(returning: self.state.withLock { $0.statuses.removeValue(forKey: ticket) } ?? 0)
                }
            }
            loop.execute { [self] in
                application.handle(
                    Exchange(
                        head: head, body: Array(body.utf8), loop: loop, peer: .unix(path: ""), id: ticket, owner: self,
                        ticket: ticket))
            }
        }
    }

    /// Lets go of a stream as a client does that leaves.
    func closeStreams() async {
        await withCheckedContinuation { continuation in
            loop.execute { [self] in
                let producers = state.withLock { state in
                    defer { state.streams = [:] }
                    return Array(state.streams.values)
                }
                for producer in producers { producer.connectionClosed() }
                continuation.resume()
            }
        }
    }

    func answer(_ answer: ExchangeAnswer, to ticket: UInt64) {
        loop.execute { [self] in
            switch answer {
            case .response(let response):
                finish(ticket, response.status.code)
            case .stream(let head, let producer, _):
                state.withLock { $0.streams[ticket] = producer }
                producer.streamStarted(StreamHandle(owner: self, ticket: ticket))
                finish(ticket, head.status.code)
                wakeStream(ticket)
            }
        }
    }

    private func finish(_ ticket: UInt64, _ status: Int) {
        let onEnd = state.withLock { state in
            state.statuses[ticket] = status
            return state.onEnd.removeValue(forKey: ticket)
        }
        onEnd?()
    }

    func wakeStream(_ ticket: UInt64) {
        guard let producer = state.withLock({ $0.streams[ticket] }) else { return }
        while true {
            switch producer.next() {
            case .frame, .latest, .bytes: continue
            case .pending, .later: return
            case .end:
                state.withLock { $0.streams[ticket] = nil }
                return producer.connectionClosed()
            }
        }
    }

    func closeStream(_ ticket: UInt64) {
        state.withLock { $0.streams.removeValue(forKey: ticket) }?.connectionClosed()
    }
}
