import CallboardAPI
import CallboardServer
import DirectorLife
import Directors
import Foundation
import Journal
import Synchronization
import TestSupport
import Testing

/// A journal whose numbers take as long as a test wants, as those of a disk that hangs do.
private final class HangingMetricsJournal: Journal {
    let deliveries: any DeliveryStore = MemoryDeliveryStore()
    let tokens: any TokenStore = MemoryTokenStore()
    private let readers = Mutex(0)
    private let gate = DispatchSemaphore(value: 0)

    /// How many ask for the numbers, or have asked.
    var count: Int { readers.withLock { $0 } }

    func release() { gate.signal() }

    func append(
        _ record: LifeRecord, completion: @escaping @Sendable (Result<Void, StorageError>) -> Void
    ) {
        completion(.success(()))
    }

    func append(
        _ first: LifeRecord, with _: LifeRecord, completion: @escaping @Sendable (Result<Void, StorageError>) -> Void
    ) {
        append(first, completion: completion)
    }

    var isImmediate: Bool { true }

    var metrics: JournalMetrics? {
        readers.withLock { $0 += 1 }
        gate.wait()
        defer { gate.signal() }
        return JournalMetrics()
    }
}

@Suite("The metrics page")
struct MetricsPageTests {
    @Test("while /metrics waits for a disk that hangs, the same loop answers others; the 18th who asks is 503")
    func hangingDisk() async throws {
        let journal = HangingMetricsJournal()
        let adjust: (inout CallboardConfiguration) -> Void = { $0.loops = 1 }
        try await TestServer.run(journal: journal, adjust) { server in
            let readers = try (0..<17).map { _ in try TestConnection(port: server.port) }
            for reader in readers {
                try reader.write("GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n")
                try server.send("GET", "/livez").expect(200)
            }
            // Beside the one who reads, a reading is taken for the history.
            try await eventually("one reads") { journal.count == 2 }
            let refused = try server.send("GET", "/metrics").expect(503)
            #expect(refused.fields["retry-after"] == "1")
            journal.release()
            for reader in readers {
                let page = try reader.read().expect(200).text
                #expect(page.contains("\ncallboard_buffered_bytes "))
                #expect(page.contains("\ncallboard_buffer_refusals_total{kind=\"stream\"} 0\n"))
            }
        }
    }
}
