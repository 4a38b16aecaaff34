import Foundation
import Synchronization
import Testing

@testable import CallboardClient

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

// MARK: - Streams over several connections

extension SharedVectorTests {
    /// The answer that a vector has for a connection of a stream.
    private static func answer(_ connection: JSON) -> TestTransport.Answer {
        if connection["lost"] != nil { return .failure("no network") }
        if connection["status"] != nil { return refusal(connection) }
        var pieces = connection.at("events").asArray.map { event in
            let id = event[1]?.stringValue.map { "id: \($0)\n" } ?? ""
            return "event: \((event[0] ?? .null).asString)\ndata: \((event[2] ?? .null).text)\n\(id)\n"
        }
        pieces.append(connection.at("tail").asString)
        switch connection.at("ends").asString {
        case "breaks": return .broken(pieces)
        case let ends: return .stream(pieces, stays: ends == "stays")
        }
    }

    /// An answer with a status, as a vector has it.
    static func refusal(_ step: JSON) -> TestTransport.Answer {
        let (status, problem) = (step.at("status"), step["problem"])
        let body: JSON = problem.map { ["type": $0, "status": status] } ?? [:]
        return .status(status.asInt, fields: ["Content-Type": step.at("type").asString], body: body.text)
    }

    /// What an update tells, in a vector's words; nothing for what a vector leaves out.
    private static func told(_ update: LiveList.Update) -> [JSON] {
        switch update {
        case .replaced(_, let reset): [["snapshot", reset.map { .string($0) } ?? .null]]
        case .changed(let list, by: _): [["changeset", .int(list.version)]]
        case .resumed(let resumption): [["resumed", .int(resumption.from)]]
        case .resynchronizing: [["mismatch"]]
        case .refresh: [["refresh"]]
        case .scroll: [["scroll"]]
        case .redefined: [["definition"]]
        case .ended(let end): [["end", .string(end.reason)]]
        case .connection, .heartbeat: []
        }
    }

    static func resume(_ vector: SharedVector) async throws -> JSON {
        let connections = vector["connections"].asArray
        let (count, isLive) = (vector["expect"].at("told").asArray.count, vector["expect"].at("status") == "live")
        let transport = TestTransport(connections.map(answer))
        let stream = EventStream.test(transport, clock: JumpingClock(patience: .seconds(14)))
        var told: [JSON] = []
        var list: RemoteList?
        var version = 0
        var status = "over"
        do {
            for try await update in LiveList(stream: stream, reconnect: ReconnectPolicy()) {
                switch update {
                case .replaced(let new, _), .changed(let new, by: _): (list, version) = (new, new.version)
                // Of a view, several numbers stand for one list.
                case .resumed(let resumption): version = resumption.from
                default: break
                }
                told += Self.told(update)
                if isLive, told.count >= count, transport.requests.count >= connections.count {
                    status = "live"
                    break
                }
            }
        } catch is ClientError {
            status = "failed"
        }
        // Whether the director is gone for good, the client asks once more.
        let requests = transport.requests.prefix(connections.count).map { request -> JSON in
            ["lastEventId": request.value(forHTTPHeaderField: "Last-Event-ID").map { .string($0) } ?? .null]
        }
        let shown = list.map { list -> JSON in
            let ids = list.sections.map { JSON.strings($0.elements.map(\.id)) }
            return ["epoch": .string(list.epoch), "version": .int(version), "ids": .array(ids)]
        }
        return [
            "requests": .array(requests), "told": .array(told), "status": .string(status), "list": shown ?? .null,
        ]
    }
}

// MARK: - Reports

/// A transport whose requests wait for the test to answer them.
private final class WaitingTransport: ClientTransport {
    private struct State {
        var requests: [URLRequest] = []
        var answers: [Int: TestTransport.Answer] = [:]
    }

    private let state = Mutex(State())

    var requests: [URLRequest] { state.withLock { $0.requests } }

    /// Answers the request of that number, counted from 0.
    func answer(_ number: Int, with answer: TestTransport.Answer) { state.withLock { $0.answers[number] = answer } }

    func open(_ request: URLRequest, bufferLimit: Int) async throws -> TransportResponse {
        let number = state.withLock { state -> Int in
            state.requests.append(request)
            return state.requests.count - 1
        }
        while true {
            if let answer = state.withLock({ $0.answers[number] }) {
                let transport = TestTransport([answer])
                defer { withExtendedLifetime(transport) {} }
                return try await transport.open(request, bufferLimit: bufferLimit)
            }
            try await Task.sleep(for: .milliseconds(1))
        }
    }
}

/// Plays the steps of a vector to a queue of reports, and notes what it sends.
private struct ReportScript {
    private let transport = WaitingTransport()
    private let callboard: Callboard
    private let file: URL?
    private let limits: ReportQueue.Limits
    private let refusals = Refusals()
    private var queue: ReportQueue
    /// The names of the reports that the queue has taken, in their order, with their keys and events.
    private var accepted: [(name: String, key: String, event: JSON)] = []
    private var rejected: [String] = []
    /// How many requests have been answered, or belong to an app that has ended.
    private var answered = 0

    private final class Refusals: Sendable {
        let all = Mutex<[(key: String, status: Int)]>([])
    }

    init(_ vector: SharedVector) throws {
        callboard = try Callboard(
            server: "http://localhost", transport: transport, configuration: .init(patience: .zero))
        file =
            vector.needs.contains("file")
            ? FileManager.default.temporaryDirectory.appendingPathComponent("reports-\(UUID().uuidString)") : nil
        limits = vector["limit"].intValue.map { .init(reports: $0) } ?? .init()
        queue = try Self.queue(callboard, file, limits, refusals)
    }

    private static func queue(
        _ callboard: Callboard, _ file: URL?, _ limits: ReportQueue.Limits, _ refusals: Refusals
    ) throws -> ReportQueue {
        let quick = ReconnectPolicy(initialDelay: .milliseconds(1), maximumDelay: .milliseconds(2))
        return try ReportQueue(callboard, file: file, limits: limits, reconnect: quick) { report, error in
            refusals.all.withLock { $0.append((report.key, error.problem?.status ?? 0)) }
        }
    }

    mutating func play(_ step: JSON) async throws {
        if let name = step["add"]?.stringValue {
            let event = step.at("event")
            do {
                let key = try await queue.add(
                    ListEvent(JSONReader(event)), to: step.at("to").asString,
                    selecting: ListSelection(limit: step["limit"]?.intValue))
                accepted.append((name, key, event))
            } catch is ReportQueueError {
                rejected.append(name)
            }
        } else if step["restart"] != nil {
            await queue.close()
            answered = transport.requests.count
            queue = try Self.queue(callboard, file, limits, refusals)
        } else {
            transport.answer(answered, with: Self.answer(step))
            answered += 1
        }
        // What waits is under way before anything else happens.
        while transport.requests.count <= answered, await queue.count > 0 {
            try await Task.sleep(for: .milliseconds(1))
        }
    }

    private static func answer(_ step: JSON) -> TestTransport.Answer {
        if let outcomes = step["answer"] {
            let body: JSON = ["outcomes": outcomes]
            return .status(200, fields: ["Content-Type": "application/json"], body: body.text)
        }
        return step["lost"] == nil ? SharedVectorTests.refusal(step) : .failure("no network")
    }

    /// Ends the queue, and gives what it has sent and what has become of the reports.
    func end() async throws -> JSON {
        let waiting = accepted.suffix(await queue.count).map(\.name)
        await queue.close()
        if let file { try? FileManager.default.removeItem(at: file) }
        var keys: [String] = []
        let requests = try transport.requests.map { request -> JSON in
            let key = request.value(forHTTPHeaderField: "Idempotency-Key") ?? ""
            if !keys.contains(key) { keys.append(key) }
            let url = request.url?.absoluteString ?? ""
            let path = url.split(separator: "?")[0].split(separator: "/")
            let body = try JSON(parsing: Array(request.httpBody ?? Data()))
            var found: JSONObject = [
                "to": .string(String(path[4]).removingPercentEncoding ?? ""),
                "reports": .strings(try body.at("events").asArray.map(name)),
                "key": .string("k\((keys.firstIndex(of: key) ?? 0) + 1)"),
            ]
            let items = URLComponents(string: url)?.queryItems ?? []
            found["limit"] = items.first { $0.name == "limit" }?.value.flatMap { Int($0) }.map { JSON.int($0) }
            return .object(found)
        }
        let refused = refusals.all.withLock { $0 }.map { refusal -> JSON in
            [.string(accepted.first { $0.key == refusal.key }?.name ?? ""), .int(refusal.status)]
        }
        return [
            "requests": .array(requests), "refused": .array(refused), "rejected": .strings(rejected),
            "waiting": .strings(waiting),
        ]
    }

    /// The name of a report that was sent: its key is the one that was given, and its event is whole.
    private func name(_ sent: JSON) throws -> String {
        var event = try #require(sent.objectValue)
        event["key"] = nil
        let report = try #require(accepted.first { $0.key == sent.at("key").asString })
        #expect(JSON.object(event) == report.event)
        return report.name
    }
}

extension SharedVectorTests {
    static func report(_ vector: SharedVector) async throws -> JSON {
        var script = try ReportScript(vector)
        for step in vector["steps"].asArray { try await script.play(step) }
        return try await script.end()
    }
}
