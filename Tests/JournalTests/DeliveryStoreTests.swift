import DirectorLife
import Directors
import Foundation
import GRDB
import JournalTesting
import Synchronization
import TestSupport
import Testing

@testable import Journal
@testable import JournalSQLite

/// What the journal of deliveries on disk does in addition to what every journal does.
struct DeliveryStoreTests {
    @Test("deliveries are there after the journal was opened again, and what comes next does not disturb them")
    func reopening() async throws {
        let folder = try TemporaryFolder()
        var expected: [Delivery] = []
        for round in 0..<4 {
            let journal = try SQLiteJournal(path: folder.file)
            #expect(try journal.deliveries.deliveries() == expected)
            let next = Delivery.sample(10 + round, body: Array(repeating: UInt8(round), count: 20_000 * round))
            try await journal.deliveries.write([.put(next)] + expected.prefix(1).map { .remove($0.sequence) })
            expected = expected.dropFirst() + [next]
            journal.close()
        }
    }

    @Test("changes of deliveries share the commits of records")
    func groupCommit() async throws {
        let disk = try FaultyDisk()
        let folder = try TemporaryFolder()
        let journal = try disk.open(folder)
        defer { journal.close() }
        try await journal.append("0", .begins)
        disk.holdSyncs(true)
        let isFirstStored = Mutex(false)
        journal.append(.sample(2)) { result in
            if case .success = result { isFirstStored.withLock { $0 = true } }
        }
        try await eventually("the commit is written") { disk.holdsSync }
        let syncs = disk.syncs
        let done = Mutex(0)
        for index in 1...100 {
            journal.deliveries.write([.put(.sample(index))]) { _ in done.withLock { $0 += 1 } }
            journal.append(.sample(index + 2)) { _ in done.withLock { $0 += 1 } }
        }
        disk.holdSyncs(false)
        try await eventually("the first is stored") { isFirstStored.withLock { $0 } }
        try await eventually("all are stored") { done.withLock { $0 } == 200 }
        #expect(disk.syncs - syncs <= 4, "\(disk.syncs - syncs) syncs")
        #expect(try journal.deliveries.deliveries().count == 100)
    }

    @Test("whatever the disk does, what was acknowledged is there and what was refused is not", .timeLimit(.minutes(2)))
    func randomFailures() async throws {
        let seed = SeededGenerator.seedOfRun("failures with deliveries")
        for round in 0..<6 as Range<UInt64> {
            var random = SeededGenerator(seed: seed &+ round)
            let disk = try FaultyDisk()
            let folder = try TemporaryFolder()
            let journal = try disk.open(folder, SQLiteSettings(checkpointThreshold: 60_000))
            defer { journal.close() }
            var expected: [Int: Delivery] = [:]
            for step in 1...60 {
                if random.chance(3) {
                    let fault = FaultyDisk.Fault.allCases[random.below(4)]
                    disk.fail(fault, after: random.below(6), times: 1 + random.below(3))
                }
                var next = expected
                let change: DeliveryChange
                if random.chance(3), let sequence = expected.keys.min() {
                    change = .remove(sequence)
                    next[sequence] = nil
                } else {
                    let delivery = Delivery.random(random.chance(2) ? step : 1 + random.below(step), &random)
                    change = .put(delivery)
                    next[delivery.sequence] = delivery
                }
                // Refused: it must never be found, also not by who opens the files now.
                if (try? await journal.deliveries.write([change])) != nil { expected = next }
                guard random.chance(4) else { continue }
                let found = try Self.deliveries(in: try folder.copy(of: journal))
                #expect(Self.differences(found, expected) == [], "seed \(seed &+ round), step \(step)")
            }
            disk.mend()
            try await eventually("it works again") { journal.status == .ok }
            #expect(Self.differences(try journal.deliveries.deliveries(), expected) == [], "seed \(seed &+ round)")
        }
    }

    @Test("a commit that was cut off anywhere by a kill leaves all of its changes or none")
    func cutCommit() async throws {
        let folder = try TemporaryFolder()
        let journal = try SQLiteJournal(path: folder.file)
        defer { journal.close() }
        try await journal.deliveries.write((1...40).map { .put(.sample($0, body: Array(repeating: 1, count: 900))) })
        let before = try journal.deliveries.deliveries()
        let start = try Self.logSize(folder)
        try await journal.deliveries.write(
            (1...20).map { .remove($0) } + (30...60).map { .put(.sample($0, body: Array(repeating: 2, count: 900))) })
        let after = try journal.deliveries.deliveries()
        let end = try Self.logSize(folder)
        var found: Set<[Delivery]> = []
        for size in Array(stride(from: start, to: end, by: 3001)) + [end] {
            let killed = try folder.copy(of: journal)
            let log = try #require(FileHandle(forWritingAtPath: killed.file + "-wal"))
            try log.truncate(atOffset: size)
            try log.close()
            found.insert(try Self.deliveries(in: killed))
        }
        #expect(end - start > 20_000)
        #expect(found == [before, after])
    }

    private static func logSize(_ folder: TemporaryFolder) throws -> UInt64 {
        let attributes = try FileManager.default.attributesOfItem(atPath: folder.file + "-wal")
        return try #require(attributes[.size] as? NSNumber).uint64Value
    }

    @Test("a removal that is in the log after a failed sync is reported done", .timeLimit(.minutes(1)))
    func foundAfterDoubt() async throws {
        let disk = try FaultyDisk()
        let folder = try TemporaryFolder()
        let journal = try disk.open(folder)
        defer { journal.close() }
        try await journal.deliveries.write([.put(.sample(1)), .put(.sample(2))])
        // The second failure keeps closing from taking the log over: opening again finds the commit in it.
        disk.fail(.sync, times: 2)
        try await journal.deliveries.write([.remove(1)])
        #expect(try Self.deliveries(in: try folder.copy(of: journal)).map(\.sequence) == [2])
        #expect(try journal.deliveries.deliveries().map(\.sequence) == [2])
    }

    /// The sequences of what is not as it has to be, without their long bodies.
    private static func differences(_ found: [Delivery], _ expected: [Int: Delivery]) -> [Int] {
        let known = Dictionary(found.map { ($0.sequence, $0) }, uniquingKeysWith: { first, _ in first })
        return Set(known.keys).union(expected.keys).filter { known[$0] != expected[$0] }.sorted()
    }

    /// What a journal finds that opens a folder on the system's own disk.
    static func deliveries(in folder: TemporaryFolder) throws -> [Delivery] {
        let journal = try SQLiteJournal(path: folder.file)
        defer { journal.close() }
        return try journal.deliveries.deliveries()
    }
}
