import DirectorLife
import Directors
import Journal
import JournalTesting
import Synchronization
import TestSupport
import Testing

@testable import JournalPostgres

/// What units may hold, and how many there may be.
@Suite(.serialized)
struct ContentTests {
    @Test("records of a MiB come back, more of them than one commit takes", .timeLimit(.minutes(1)))
    func large() async throws {
        let database = try PostgresServer.shared.get().makeDatabase()
        let journal = try database.open()
        let text = String(repeating: "x", count: 1 << 20)
        let records = [LifeRecord.begin()] + (2...24).map { .text(text + "\($0)", number: $0) }
        let stored = Mutex(0)
        for record in records {
            journal.append(record) { if case .success = $0 { stored.withLock { $0 += 1 } } }
        }
        try await eventually("all are stored") { stored.withLock { $0 } == records.count }
        journal.close()
        let again = try database.open()
        defer { again.close() }
        #expect(try again.contents() == records.map(\.content))
    }

    @Test("a hundred thousand records of a hundred directors", .timeLimit(.minutes(2)))
    func many() async throws {
        let database = try PostgresServer.shared.get().makeDatabase()
        let journal = try database.open()
        let stored = Mutex(0)
        for number in 1...1000 {
            while journal.metrics?.waiting ?? 0 > 30_000 { try await Task.sleep(for: .milliseconds(5)) }
            let records = (0..<100).map { index -> LifeRecord in
                number == 1 ? .begin("d\(index)") : .text("\(number)", of: "d\(index)", number: number)
            }
            journal.append(records) { _, results in
                let count = results.count { (try? $0.get()) != nil }
                stored.withLock { $0 += count }
            }
        }
        let end = ContinuousClock.now + .seconds(60)
        while stored.withLock({ $0 }) < 100_000, ContinuousClock.now < end {
            try await Task.sleep(for: .milliseconds(10))
        }
        #expect(stored.withLock { $0 } == 100_000)
        journal.close()
        let again = try database.open()
        defer { again.close() }
        #expect(try again.lives().map(\.number) == Array(repeating: 1000, count: 100))
        var found = 0
        try again.readRecords { found += $0.count }
        #expect(found == 100_000)
    }

    @Test("a unit that the database cannot hold fails alone", .timeLimit(.minutes(1)))
    func unstorable() async throws {
        let database = try PostgresServer.shared.get().makeDatabase()
        let journal = try database.open()
        defer { journal.close() }
        try database.execute("ALTER TABLE callboard.deliveries ADD CHECK (last_error <> 'never')")
        try await journal.append(.begin())
        // Held up, so that all of them are in one commit.
        var bad = Delivery.sample(2)
        bad.lastError = "never"
        let results = Mutex<[Int: Bool]>([:])
        let units: [CommitUnit] = [
            .deliveries([.put(.sample(1))]), .deliveries([.put(bad)]),
            .record(EncodedRecord(.text("b", number: 2))), .deliveries([.put(.sample(3))]),
        ]
        journal.append(units) { first, some in
            results.withLock { results in
                for (index, result) in zip(first..., some) { results[index] = (try? result.get()) != nil }
            }
        }
        try await eventually("each has its result") { results.withLock { $0.count } == units.count }
        #expect(results.withLock { $0 } == [0: true, 1: false, 2: true, 3: true])
        #expect(try journal.deliveries.deliveries().map(\.sequence) == [1, 3])
        #expect(try journal.lives().first?.number == 2)
    }

    @Test("a queue at its bound refuses, in line, and loses nothing of what it took", .timeLimit(.minutes(1)))
    func bound() async throws {
        let database = try PostgresServer.shared.get().makeDatabase()
        var settings = PostgresSettings.quick
        settings.queue = CommitBound(count: 10, bytes: 1 << 20)
        let journal = try database.open(settings)
        defer { journal.close() }
        try await journal.append(.begin())
        let order = Mutex<[Int]>([])
        let stored = Mutex(0)
        journal.thread.committer.withLock { _ in
            for number in 2...60 {
                journal.append(.text("x", number: number)) { result in
                    order.withLock { $0.append(number) }
                    if case .success = result { stored.withLock { $0 += 1 } }
                }
            }
        }
        try await eventually("each has its result") { order.withLock { $0.count } == 59 }
        #expect(order.withLock { $0 } == Array(2...60))
        let count = stored.withLock { $0 }
        #expect((10...21).contains(count))
        #expect(try journal.lives().first?.number == count + 1)
    }
}
