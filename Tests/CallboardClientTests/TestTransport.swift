import Foundation
import Synchronization

@testable import CallboardClient

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A transport that answers from a script and notes what it was asked.
final class TestTransport: ClientTransport {
    /// What comes for one request.
    enum Answer: Sendable {
        /// An event stream with these pieces; `stays` leaves it open afterwards.
        case stream([String], stays: Bool)
        /// An event stream with these pieces, which then breaks off.
        case broken([String])
        /// Any other answer.
        case status(Int, fields: [String: String], body: String)
        /// An event stream that is cut off as one that nobody reads fast enough.
        case overrun
        /// No answer.
        case failure(String)
        /// An answer that never comes.
        case never
    }

    private struct State {
        var answers: [Answer]
        var requests: [URLRequest] = []
        var bodies: [BufferedByteStream] = []
        var closed = 0
    }

    private let state: Mutex<State>

    init(_ answers: [Answer]) { state = Mutex(State(answers: answers)) }

    var requests: [URLRequest] { state.withLock { $0.requests } }
    /// The `Authorization` of each request.
    var authorizations: [String?] { requests.map { $0.value(forHTTPHeaderField: "Authorization") } }
    /// How many bodies were closed by the client.
    var closed: Int { state.withLock { $0.closed } }

    func open(_ request: URLRequest, bufferLimit: Int) async throws -> TransportResponse {
        let answer = state.withLock { state -> Answer in
            state.requests.append(request)
            return state.answers.isEmpty ? .failure("the script is over") : state.answers.removeFirst()
        }
        switch answer {
        case .overrun:
            let stream = BufferedByteStream(limit: 1)
            stream.finish(throwing: TransportError.overrun(limit: 1))
            return TransportResponse(status: 200, fields: ["Content-Type": "text/event-stream"], body: stream)
        case .broken(let pieces):
            let stream = BufferedByteStream(limit: 1 << 20)
            for piece in pieces { stream.receive(Array(piece.utf8)) }
            stream.finish(throwing: TransportError.connection(reason: "the connection broke"))
            return TransportResponse(status: 200, fields: ["Content-Type": "text/event-stream"], body: stream)
        case .failure(let reason): throw TransportError.connection(reason: reason)
        case .never:
            try await Task.sleep(for: .seconds(3600))
            throw TransportError.closed
        case .status(let status, let fields, let body):
            let stream = BufferedByteStream(limit: 1 << 20)
            stream.receive(Array(body.utf8))
            stream.finish()
            return TransportResponse(status: status, fields: fields, body: stream)
        case .stream(let pieces, let stays):
            let stream = BufferedByteStream(limit: 1 << 20)
            stream.connect { [weak self] control in
                if case .cancel = control { self?.state.withLock { $0.closed += 1 } }
            }
            for piece in pieces { stream.receive(Array(piece.utf8)) }
            if !stays { stream.finish() }
            return TransportResponse(status: 200, fields: ["Content-Type": "text/event-stream"], body: stream)
        }
    }
}

/// A clock that jumps: a sleep ends at once, unless it is longer than any that the test lets pass.
struct JumpingClock: Clock {
    struct Instant: InstantProtocol {
        var offset: Duration
        func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
        func duration(to other: Instant) -> Duration { other.offset - offset }
        static func < (left: Self, right: Self) -> Bool { left.offset < right.offset }
    }

    /// Notes what was slept.
    final class Log: Sendable {
        private let sleeps = Mutex<[Duration]>([])
        private let begun = Atomic(0)
        /// The sleeps that ended by themselves.
        var all: [Duration] { sleeps.withLock { $0 } }
        /// How many sleeps have begun.
        var beginnings: Int { begun.load(ordering: .relaxed) }
        func begin() { begun.add(1, ordering: .relaxed) }
        func note(_ duration: Duration) { sleeps.withLock { $0.append(duration) } }
    }

    let log = Log()
    /// Sleeps longer than this last until they are cancelled.
    var patience: Duration

    var now: Instant { Instant(offset: .zero) }
    var minimumResolution: Duration { .zero }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        try Task.checkCancellation()
        log.begin()
        if deadline.offset > patience {
            try await Task.sleep(for: .seconds(3600))
        } else {
            log.note(deadline.offset)
        }
    }
}

extension EventStream {
    /// A stream of a director `d` over a transport and a clock of the test's.
    static func test(
        _ transport: TestTransport, clock: JumpingClock, options: StreamOptions = StreamOptions(),
        credential: Credential = .none, url: String = "http://localhost/v1/directors/d/changesets",
        registry: StreamRegistry = StreamRegistry()
    ) -> EventStream {
        let tokens = TokenSource(credential)
        return EventStream {
            EventStreamConnection(
                request: URLRequest(url: URL(string: url) ?? URL(fileURLWithPath: "/")), options: options,
                environment: .init(
                    transport: transport, tokens: tokens, clock: clock, random: { 0.5 }, registry: registry))
        }
    }
}
