import Foundation
import Synchronization
import Testing

@testable import CallboardClient

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("The queue of reports", .timeLimit(.minutes(1)))
struct ReportQueueTests {
    private static let quick = ReconnectPolicy(initialDelay: .milliseconds(1), maximumDelay: .milliseconds(2))

    private static func tap(_ name: String) -> ListEvent {
        ListEvent("didSelect", at: .named(section: "s", row: nil, element: .identifier(name)))
    }

    /// A file that is gone after the test.
    private static func withFile(_ body: (URL) async throws -> Void) async throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("reports-\(UUID().uuidString)")
        try await body(file)
        for end in ["", ".damaged", ".new"] {
            try? FileManager.default.removeItem(atPath: file.path + end)
        }
    }

    private static func answer(_ count: Int) -> TestTransport.Answer {
        let outcomes = Array(repeating: #"{"delivery":"msg_1"}"#, count: count).joined(separator: ",")
        return .status(200, fields: ["Content-Type": "application/json"], body: #"{"outcomes":[\#(outcomes)]}"#)
    }

    private static func board(_ answers: [TestTransport.Answer]) throws -> (TestTransport, Callboard) {
        let transport = TestTransport(answers)
        return (
            transport,
            try Callboard(server: "http://localhost", transport: transport, configuration: .init(patience: .zero))
        )
    }

    /// The events of each request, by the identifiers of their elements, and the keys.
    private static func sent(
        _ transport: TestTransport
    ) throws -> [(request: String?, elements: [String], keys: [String])] {
        try transport.requests.map { request in
            let body = try JSON(parsing: Array(request.httpBody ?? Data()))
            let events = body["events"]?.arrayValue ?? []
            return (
                request.value(forHTTPHeaderField: "Idempotency-Key"),
                events.compactMap { $0["element"]?.stringValue }, events.compactMap { $0["key"]?.stringValue }
            )
        }
    }

    @Test("a request that fails is sent again as it was, and what was added meanwhile follows in another")
    func again() async throws {
        let (transport, board) = try Self.board([
            .failure("cut"), .status(503, fields: [:], body: ""), Self.answer(1), Self.answer(2),
        ])
        let queue = try ReportQueue(board, reconnect: Self.quick)
        try await queue.add(Self.tap("a"), to: "d")
        while transport.requests.isEmpty { try await Task.sleep(for: .milliseconds(1)) }
        try await queue.add(Self.tap("b"), to: "d")
        try await queue.add(Self.tap("c"), to: "d")
        await queue.waitUntilEmpty()
        let sent = try Self.sent(transport)
        try #require(sent.map(\.elements) == [["a"], ["a"], ["a"], ["b", "c"]])
        #expect(Set(sent.prefix(3).map(\.request)).count == 1 && Set(sent.prefix(3).map(\.keys)).count == 1)
        #expect(sent[3].request != sent[0].request)
    }

    @Test("what is refused is told with its reason, and does not hold up the others")
    func refused() async throws {
        let refusals = Mutex<[String]>([])
        let problem =
            #"{"problem":{"type":"urn:callboard:problem:invalid-content","status":422,"detail":"no such event"}}"#
        let (_, board) = try Self.board([
            .status(200, fields: [:], body: #"{"outcomes":[\#(problem)]}"#), Self.answer(1),
            .status(
                404, fields: ["Content-Type": "application/problem+json"],
                body: #"{"type":"urn:callboard:problem:not-found","detail":"gone"}"#),
        ])
        let queue = try ReportQueue(board, reconnect: Self.quick) { report, error in
            refusals.withLock { $0.append("\(report.director) \(report.event.name) \(error.problem?.detail ?? "")") }
        }
        // One request for each: they go to different directors.
        for director in ["a", "b", "c"] { try await queue.add(ListEvent("didSelect"), to: director) }
        await queue.waitUntilEmpty()
        #expect(refusals.withLock { $0 } == ["a didSelect no such event", "c didSelect gone"])
    }

    @Test("a report that was added is sent by the next queue of the file, with its key and in its order")
    func restart() async throws {
        try await Self.withFile { file in
            let (_, offline) = try Self.board([.never])
            var keys: [String] = []
            do {
                let queue = try ReportQueue(offline, file: file, reconnect: Self.quick)
                for name in ["a", "b", "c"] { keys.append(try await queue.add(Self.tap(name), to: "d")) }
                #expect(throws: ReportQueueError.inUse(path: file.path)) { try ReportQueue(offline, file: file) }
                await queue.close()
            }
            let (transport, board) = try Self.board([Self.answer(3)])
            let queue = try ReportQueue(board, file: file, reconnect: Self.quick)
            await queue.waitUntilEmpty()
            let sent = try Self.sent(transport)
            #expect(sent.map(\.elements) == [["a", "b", "c"]] && sent.map(\.keys) == [keys])
            await queue.close()
            let (silent, later) = try Self.board([])
            let empty = try ReportQueue(later, file: file, reconnect: Self.quick)
            #expect(await empty.count == 0 && silent.requests.isEmpty)
            await empty.close()
        }
    }

    @Test(
        "of a damaged file each report that can be read is kept, the rest is put aside and named, wherever the damage is",
        arguments: 0..<64)
    func damage(seed: Int) async throws {
        try await Self.withFile { file in
            let (_, offline) = try Self.board([.never])
            let queue = try ReportQueue(offline, file: file, reconnect: Self.quick)
            for name in ["a", "b", "c", "d"] { try await queue.add(Self.tap(name), to: "d") }
            await queue.close()
            var bytes = Array(try Data(contentsOf: file))
            let (cut, place) = (seed % 2 == 0, (seed * 7_919) % bytes.count)
            if cut { bytes = Array(bytes.prefix(place)) } else { bytes[place] = UInt8(seed * 37 % 256) }
            try Data(bytes).write(to: file)
            let whole = bytes.split(separator: 10, omittingEmptySubsequences: false).count { line in
                (try? QueuedReport(JSONReader(JSON(parsing: Array(line))))) != nil
            }
            let (_, other) = try Self.board([.never])
            let again = try ReportQueue(other, file: file, reconnect: Self.quick)
            #expect(await again.count == whole)
            let aside = (try? Data(contentsOf: file.appendingPathExtension("damaged"))).map { Array($0) } ?? []
            #expect(again.faults.isEmpty == aside.isEmpty)
            #expect(cut || whole == 4 || !again.faults.isEmpty)
            await again.close()
        }
    }

    @Test("a queue that is full says so, and one whose file cannot be made")
    func bounds() async throws {
        let (_, board) = try Self.board([.never])
        let queue = try ReportQueue(board, limits: .init(reports: 2))
        try await queue.add(Self.tap("a"), to: "d")
        try await queue.add(Self.tap("b"), to: "d")
        await #expect(throws: ReportQueueError.full(2)) { try await queue.add(Self.tap("c"), to: "d") }
        await queue.close()
        let nowhere = URL(fileURLWithPath: "/proc/nowhere/reports")
        let error = #expect(throws: ReportQueueError.self) { try ReportQueue(board, file: nowhere) }
        #expect(error?.description.contains("/proc/nowhere/reports") == true)
    }

    @Test(
        "an event is the same after it was written and read",
        arguments: [
            ListEvent("a"), ListEvent("b", at: .element(.init(section: 1, element: 2)), version: 3),
            ListEvent("c", at: .elements([.init(section: 1, element: 2)]), parameters: ["x": 1]),
            ListEvent("d", at: .header(1)), ListEvent("e", at: .footer(2)),
            ListEvent("f", at: .named(section: "@x", row: .first, element: .last)),
            ListEvent("g", at: .named(section: .position(3), row: nil, element: "@@")),
        ])
    func form(event: ListEvent) throws {
        #expect(try ListEvent(JSONReader(.object(event.json))) == event)
    }
}
