import DirectorLife
import JournalTesting
import Synchronization
import TestSupport
import Testing

@testable import Journal
@testable import JournalSQLite

/// One writer commits what has gathered.
struct GroupCommitTests {
    @Test("what is appended during a slow commit ends in one transaction", .timeLimit(.minutes(1)))
    func gathers() async throws {
        let disk = try FaultyDisk()
        let folder = try TemporaryFolder()
        let journal = try disk.open(folder)
        defer { journal.close() }
        try await journal.append("0", .begins)
        let before = journal.counts.commits
        disk.holdSyncs(true)
        let stored = Mutex(0)
        for index in 1...300 {
            journal.append(.sample(index + 1, payload: [UInt8](repeating: 1, count: index))) { result in
                if case .success = result { stored.withLock { $0 += 1 } }
            }
        }
        try await eventually("the first commit is on its way") { journal.counts.waiting < 300 }
        #expect(stored.withLock { $0 } == 0)
        disk.holdSyncs(false)
        try await eventually("all are stored") { stored.withLock { $0 } == 300 }
        // The first took what was there when the writer woke up; the second took all the rest.
        #expect(journal.counts.commits - before <= 2)
        #expect(journal.counts.batchSize.sum == 301)
    }

    @Test("a queue at its bound refuses, in line, and loses nothing of what it took", .timeLimit(.minutes(1)))
    func bound() async throws {
        let disk = try FaultyDisk()
        let folder = try TemporaryFolder()
        var settings = SQLiteSettings()
        settings.queue = .init(count: 10, bytes: 1 << 20)
        let journal = try disk.open(folder, settings)
        defer { journal.close() }
        try await journal.append("0", .begins)
        disk.holdSyncs(true)
        let results = Mutex<[(index: Int, isStored: Bool)]>([])
        for index in 1...40 {
            journal.append(.sample(index + 1, payload: [1])) { result in
                results.withLock { $0.append((index, (try? result.get()) != nil)) }
            }
        }
        disk.holdSyncs(false)
        try await eventually("every append has its answer") { results.withLock { $0.count } == 40 }
        #expect(results.withLock { $0.map(\.index) } == Array(1...40))
        let stored = results.withLock { $0.filter(\.isStored).count }
        #expect((10...20).contains(stored))
        #expect(results.withLock { $0.prefix(stored).allSatisfy(\.isStored) })
        #expect(try journal.texts().count == stored + 1)
        #expect(journal.counts.failures == 40 - stored)
        #expect(journal.status == .ok)
        try await journal.append("next", number: stored + 2)
    }

    @Test("bytes that wait are bounded too, and one large record always fits", .timeLimit(.minutes(1)))
    func byteBound() async throws {
        let disk = try FaultyDisk()
        let folder = try TemporaryFolder()
        var settings = SQLiteSettings()
        settings.queue = .init(count: 1000, bytes: 10_000)
        let journal = try disk.open(folder, settings)
        defer { journal.close() }
        try await journal.append("0", .begins)
        try await journal.append(String(repeating: "x", count: 50_000))
        disk.holdSyncs(true)
        let refused = Mutex(0)
        for index in 0..<30 {
            journal.append(.sample(index + 3, payload: [UInt8](repeating: 1, count: 4000))) { result in
                if case .failure(.unavailable) = result { refused.withLock { $0 += 1 } }
            }
        }
        disk.holdSyncs(false)
        try await eventually("the others are refused") { refused.withLock { $0 } >= 20 }
    }

    @Test("a full commit is synced once, and one that may lose the last is not")
    func syncs() async throws {
        for (durability, expected) in [(Durability.full, 10), (.normal, 0)] {
            let disk = try FaultyDisk()
            let folder = try TemporaryFolder()
            let journal = try disk.open(folder, SQLiteSettings(durability: durability))
            defer { journal.close() }
            try await journal.append("0", .begins)
            let before = disk.syncs
            for index in 1...10 { try await journal.append("\(index)") }
            #expect(disk.syncs - before == expected)
        }
    }
}
