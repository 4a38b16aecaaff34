import Foundation
import Testing

@testable import CallboardClient

@Suite("Event stream connection", .timeLimit(.minutes(1)))
struct EventStreamTests {
    private static let changeset =
        #"event: changeset\#nid: e-2\#ndata: {"epoch":"e","from":1,"version":2,"stages":[]}\#n\#n"#

    private func events(
        _ transport: TestTransport, clock: JumpingClock = JumpingClock(patience: .seconds(14)),
        options: StreamOptions = StreamOptions(), count: Int
    ) async throws -> [StreamEvent] {
        var events: [StreamEvent] = []
        for try await event in EventStream.test(transport, clock: clock, options: options) {
            events.append(event)
            if events.count == count { break }
        }
        return events
    }

    @Test("a connection that breaks is made again and resumes after the last event")
    func resume() async throws {
        let clock = JumpingClock(patience: .seconds(14))
        let transport = TestTransport([
            .stream(["retry: 2000\n\n" + Self.changeset], stays: false),
            .stream([#"event: resumed\#ndata: {"from":2,"version":2}\#n\#n"#], stays: true),
        ])
        let events = try await events(transport, clock: clock, count: 7)
        #expect(events[0] == .connection(.connecting(attempt: 1)))
        #expect(events[1] == .connection(.open))
        guard case .changeset(let changeset) = events[2] else { return #expect(Bool(false), "\(events[2])") }
        #expect(changeset.version == 2)
        // retry: 2000 with half of the spread taken: 0.75 of it.
        #expect(events[3] == .connection(.lost(.closedByServer, retryIn: .milliseconds(1500))))
        #expect(events[4] == .connection(.connecting(attempt: 2)))
        #expect(events[6] == .resumed(Resumption(director: nil, from: 2, version: 2)))
        #expect(clock.log.all == [.milliseconds(1500)])
        #expect(transport.requests.map { $0.value(forHTTPHeaderField: "Last-Event-ID") } == [nil, "e-2"])
        #expect(transport.requests[0].value(forHTTPHeaderField: "Accept") == nil)
    }

    @Test("attempts that fail are made less and less often, up to the maximum")
    func backoff() async throws {
        let clock = JumpingClock(patience: .seconds(30))
        let transport = TestTransport(Array(repeating: .failure("no"), count: 8))
        var options = StreamOptions()
        options.reconnect = ReconnectPolicy(
            initialDelay: .seconds(1), maximumDelay: .seconds(8), connectTimeout: .seconds(100), maximumAttempts: 7)
        await #expect(throws: ClientError.self) {
            _ = try await events(transport, clock: clock, options: options, count: 100)
        }
        #expect(clock.log.all == [0.75, 1.5, 3, 6, 6, 6].map { Duration.seconds($0) })
    }

    @Test("a stream that brings nothing, heartbeats included, is given up")
    func silence() async throws {
        let clock = JumpingClock(patience: .seconds(50))
        let transport = TestTransport([.stream([": hello\n"], stays: true), .stream([Self.changeset], stays: true)])
        var options = StreamOptions()
        options.reconnect = ReconnectPolicy(
            initialDelay: .seconds(1), silenceLimit: .seconds(45), connectTimeout: .seconds(100))
        // The piece that is there races with a clock that jumps, so only the outcome is certain.
        let events = try await events(transport, clock: clock, options: options, count: 3)
        #expect(events[2] == .connection(.lost(.silent(.seconds(45)), retryIn: .milliseconds(750))))
        #expect(transport.closed >= 1)
    }

    @Test("a server that does not answer in time is tried again")
    func connectTimeout() async throws {
        let clock = JumpingClock(patience: .seconds(20))
        let transport = TestTransport([.never])
        var options = StreamOptions()
        options.reconnect.connectTimeout = .seconds(15)
        let events = try await events(transport, clock: clock, options: options, count: 2)
        #expect(events[1] == .connection(.lost(.silent(.seconds(15)), retryIn: .milliseconds(750))))
    }

    @Test("503 is waited out, for as long as Retry-After asks")
    func unavailable() async throws {
        let transport = TestTransport([
            .status(503, fields: ["Retry-After": "7"], body: ""), .stream([Self.changeset], stays: true),
        ])
        let events = try await events(transport, count: 5)
        #expect(events[1] == .connection(.lost(.refused(status: 503), retryIn: .seconds(7))))
        #expect(events[3] == .connection(.open))
    }

    @Test("what trying again cannot mend is thrown", arguments: [404, 401, 400, 413, 414, 417, 421, 431, 501, 505])
    func fatal(status: Int) async throws {
        let body =
            #"{"type":"urn:callboard:problem:x","title":"Not here","status":\#(status),"detail":"There is no director d"}"#
        let transport = TestTransport([
            .status(status, fields: ["Content-Type": "application/problem+json"], body: body)
        ])
        await #expect {
            _ = try await events(transport, count: 10)
        } throws: { error in
            (error as? ClientError)?.problem?.detail == "There is no director d"
        }
    }

    @Test("what the server itself may mend is waited out", arguments: [408, 425, 429, 500, 502, 503, 504, 507])
    func passing(status: Int) async throws {
        let transport = TestTransport([
            .status(
                status, fields: ["Content-Type": "application/problem+json"],
                body: #"{"type":"urn:callboard:problem:x","status":\#(status)}"#),
            .stream([Self.changeset], stays: true),
        ])
        let events = try await events(transport, count: 5)
        #expect(events[1] == .connection(.lost(.refused(status: status), retryIn: .milliseconds(750))))
        #expect(events[3] == .connection(.open))
    }

    @Test("an answer that is no event stream passes", arguments: ["text/html", "text/event-streams", "", "text/plain"])
    func wrongType(type: String) async throws {
        let transport = TestTransport([
            .status(200, fields: ["Content-Type": type], body: "<p>"), .stream([Self.changeset], stays: true),
        ])
        let events = try await events(transport, count: 5)
        #expect(events[1] == .connection(.lost(.notAStream(type: type), retryIn: .milliseconds(750))))
        #expect(events[3] == .connection(.open))
    }

    @Test(
        "a stream's type is read without its case and its parameters",
        arguments: ["TEXT/Event-Stream", "text/event-stream;charset=UTF-8", " text/event-stream ; a=\"b,c\""])
    func mediaType(type: String) async throws {
        let transport = TestTransport([.status(200, fields: ["Content-Type": type], body: Self.changeset)])
        let events = try await events(transport, count: 2)
        #expect(events[1] == .connection(.open))
    }

    @Test("whatever answers in the server's place passes: each status, with each type, before and after an end")
    func intermediaries() async throws {
        let end = #"event: end\#ndata: {"reason":"closing"}\#n\#n"#
        for status in [201, 203, 204, 206] + Array(300...599) {
            for type in ["text/html", "application/json", "application/problem+json", "text/event-stream", ""] {
                let body = type.contains("json") ? #"{"type":"about:blank","status":404,"title":"no"}"# : "<p>"
                let strange = TestTransport.Answer.status(status, fields: ["Content-Type": type], body: body)
                let transport = TestTransport([
                    strange, .stream([Self.changeset + end], stays: false), strange,
                    .stream([Self.changeset], stays: true),
                ])
                let events = try await events(transport, count: 12)
                let lost = events.filter {
                    $0 == .connection(.lost(.refused(status: status), retryIn: .milliseconds(750)))
                }
                #expect(lost.count == 2, "\(status) \(type): \(events)")
                guard case .changeset = events[11] else {
                    Issue.record("\(status) \(type): \(events)")
                    continue
                }
            }
        }
    }

    @Test("a server's own longer wait is kept")
    func longRetry() async throws {
        let clock = JumpingClock(patience: .seconds(700))
        let transport = TestTransport([
            .stream(["retry: 600000\n\n" + Self.changeset], stays: false), .stream([Self.changeset], stays: true),
        ])
        var options = StreamOptions()
        options.reconnect.silenceLimit = .seconds(1000)
        options.reconnect.connectTimeout = .seconds(1000)
        _ = try await events(transport, clock: clock, options: options, count: 6)
        #expect(clock.log.all == [.seconds(450)])
    }

    @Test("after the word that the director was deleted nothing is waited for")
    func deletedBehindProxy() async throws {
        let transport = TestTransport([
            .stream([#"event: end\#ndata: {"director":"d","reason":"deleted"}\#n\#n"#], stays: true),
            .status(502, fields: ["Content-Type": "text/html"], body: "<p>"),
        ])
        #expect(try await events(transport, count: 100).count == 5)
    }

    @Test("the stream of a deleted director ends")
    func deleted() async throws {
        let transport = TestTransport([
            .stream([#"event: end\#ndata: {"director":"d","reason":"the director was deleted"}\#n\#n"#], stays: true),
            .status(
                404, fields: ["Content-Type": "application/problem+json"],
                body: #"{"type":"urn:callboard:problem:not-found","status":404}"#),
        ])
        let events = try await events(transport, count: 100)
        let end = StreamEnd(director: "d", reason: "the director was deleted")
        #expect(events[2] == .end(end))
        #expect(events[3] == .connection(.lost(.ended(end), retryIn: .milliseconds(750))))
        #expect(events.count == 5)
        #expect(transport.closed == 1)
    }

    @Test("after a closing server's end the stream comes back")
    func closing() async throws {
        let transport = TestTransport([
            .stream([#"event: end\#ndata: {"reason":"the server is closing"}\#n\#n"# + Self.changeset], stays: false),
            .stream([Self.changeset], stays: true),
        ])
        let events = try await events(transport, count: 7)
        #expect(events[5] == .connection(.open))
        guard case .changeset = events[6] else { return #expect(Bool(false), "\(events[6])") }
    }

    @Test("unknown events pass, unreadable ones are said to be")
    func oddEvents() async throws {
        let transport = TestTransport([
            .stream(["event: weather\ndata: rain\n\n", "event: changeset\ndata: {\"from\":1}\n\n"], stays: true)
        ])
        let events = try await events(transport, count: 4)
        #expect(events[2] == .unknown(ServerSentEvent(name: "weather", data: "rain")))
        guard case .unreadable(let event, _) = events[3] else { return #expect(Bool(false), "\(events[3])") }
        #expect(event.name == "changeset")
    }

    @Test("letting go of the iterator closes the connection")
    func release() async throws {
        let transport = TestTransport([.stream([Self.changeset], stays: true)])
        _ = try await events(transport, count: 3)
        #expect(transport.closed == 1)
    }

    @Test("cancelling the task closes the connection")
    func cancellation() async throws {
        let transport = TestTransport([.stream([Self.changeset], stays: true)])
        let (started, continuation) = AsyncStream<Void>.makeStream()
        let task = Task {
            for try await event in EventStream.test(transport, clock: JumpingClock(patience: .seconds(14))) {
                if case .changeset = event { continuation.finish() }
            }
        }
        for await _ in started {}
        task.cancel()
        _ = await task.result
        #expect(transport.closed == 1)
    }

    @Test("an event larger than the limit ends the connection, not the process")
    func largeEvent() async throws {
        let transport = TestTransport([.stream(["data: " + String(repeating: "x", count: 2000)], stays: true)])
        var options = StreamOptions()
        options.maximumEventSize = 1000
        let events = try await events(transport, options: options, count: 3)
        #expect(
            events[2] == .connection(.lost(.outOfBounds(.lineTooLong(limit: 1000)), retryIn: .milliseconds(750))))
    }
}

@Suite("Buffered byte stream", .timeLimit(.minutes(1)))
struct BufferedByteStreamTests {
    @Test("more than the limit ends the stream after nothing else is kept")
    func overrun() async throws {
        let stream = BufferedByteStream(limit: 10)
        stream.receive([1, 2, 3, 4, 5, 6])
        stream.receive([1, 2, 3, 4, 5, 6])
        #expect(try await stream.next() == [1, 2, 3, 4, 5, 6])
        await #expect(throws: TransportError.overrun(limit: 10)) { try await stream.next() }
    }

    @Test("the sender is held back above half of the limit and let go at a quarter")
    func backPressure() async throws {
        let stream = BufferedByteStream(limit: 100)
        let (controls, continuation) = AsyncStream<BufferedByteStream.Control>.makeStream()
        stream.connect { continuation.yield($0) }
        for _ in 0..<6 { stream.receive(Array(repeating: 0, count: 10)) }
        for _ in 0..<4 { _ = try await stream.next() }
        stream.close()
        continuation.finish()
        var seen: [BufferedByteStream.Control] = []
        for await control in controls { seen.append(control) }
        #expect(seen == [.hold, .proceed, .cancel])
    }
}
