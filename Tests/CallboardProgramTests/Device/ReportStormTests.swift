import CallboardClient
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import CallboardProgram

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Many clients whose connections break at random: their reports arrive at least once, each once in effect, and in order.
@Suite("Reports of many clients", .timeLimit(.minutes(20)))
struct ReportStormTests {
    /// A transport that loses some requests, and the answers of others.
    private final class LossyTransport: ClientTransport {
        private let base = URLSessionTransport()
        private let random: Mutex<SeededGenerator>

        init(seed: UInt64) { random = Mutex(SeededGenerator(seed: seed)) }

        func open(_ request: URLRequest, bufferLimit: Int) async throws -> TransportResponse {
            let fate = random.withLock { $0.below(10) }
            if fate == 0 { throw TransportError.connection(reason: "lost") }
            let response = try await base.open(request, bufferLimit: bufferLimit)
            guard fate > 1 else {
                response.body.close()
                throw TransportError.connection(reason: "unanswered")
            }
            return response
        }
    }

    @Test("each arrives, once in effect, in the order of its client")
    func storm() async throws {
        let (clients, reports) = (10 * runLength, 100)
        let seed = SeededGenerator.seedOfRun("reports")
        try await ListenerFixture.run { listener in
            try await DataFolderFixture().withServer { board in
                let director = board.director("d")
                try await director.define(kind: .table)
                try await director.register(
                    CellAdapterDraft(
                        model: "M", cell: "C",
                        attributes: ["events": ["didSelect": ["url": .string(listener.listener.address)]]]))
                try await director.setSections(
                    [SectionDraft(id: "s", elements: [ElementDraft(["id": "a"], model: "M")])], .reload)
                try await withThrowingTaskGroup(of: Void.self) { tasks in
                    for client in 0..<clients {
                        let server = board.server.absoluteString
                        tasks.addTask { try await Self.send(client, reports, to: server, seed: seed &+ UInt64(client)) }
                    }
                    try await tasks.waitForAll()
                }
                for _ in 0..<6_000 {
                    if Set(listener.receptions.compactMap(\.id)).count >= clients * reports { break }
                    try await Task.sleep(for: .milliseconds(10))
                }
            }
            var seen: Set<String> = []
            // The first time that each delivery came counts.
            let first = listener.receptions.filter { seen.insert($0.id ?? "").inserted }
            let told = first.compactMap { $0.event.data["parameters"] }
            #expect(told.count == clients * reports && Set(told).count == told.count)
            for client in 0..<clients {
                let numbers = told.filter { $0["client"]?.intValue == client }.compactMap { $0["number"]?.intValue }
                #expect(numbers == Array(0..<reports), "client \(client)")
            }
        }
    }

    private static func send(_ client: Int, _ reports: Int, to server: String, seed: UInt64) async throws {
        let board = try Callboard(server: server, transport: LossyTransport(seed: seed))
        let reconnect = ReconnectPolicy(initialDelay: .milliseconds(1), maximumDelay: .milliseconds(20))
        let queue = try ReportQueue(board, reconnect: reconnect)
        for number in 0..<reports {
            let event = ListEvent(
                "didSelect", at: .named(section: "s", row: nil, element: "a"),
                parameters: ["client": .number(JSONNumber(client)), "number": .number(JSONNumber(number))])
            try await queue.add(event, to: "d")
            if number % 7 == 0 { await Task.yield() }
        }
        await queue.waitUntilEmpty()
    }
}
