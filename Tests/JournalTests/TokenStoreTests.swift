import Access
import DirectorLife
import Foundation
import Journal
import JournalTesting
import Synchronization
import TestSupport
import Testing

@testable import JournalSQLite

/// What the store of tokens on disk does in addition to what every store does.
struct TokenStoreTests {
    @Test("tokens are there after the journal was opened again, and what comes next does not disturb them")
    func reopening() async throws {
        let folder = try TemporaryFolder()
        var expected: [TokenEntry] = []
        for round in 0..<4 {
            let journal = try SQLiteJournal(path: folder.file)
            #expect(try journal.tokens.tokens() == expected)
            let next = TokenEntry.sample(10 + round)
            var changes = [TokenChange.put(next)]
            if let first = expected.first {
                changes += [.remove(id: first.id), .used(id: next.id, at: round)]
                expected.removeFirst()
            }
            try await journal.tokens.write(changes)
            var used = next
            if changes.count > 1 { used.lastUsedAt = round }
            expected.append(used)
            journal.close()
        }
    }

    @Test("changes that are refused do not disturb what is in the same commit")
    func refusedInBatch() async throws {
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
        let results = Mutex<[Bool]>([])
        let note = { @Sendable (result: Result<Void, StorageError>) in
            results.withLock { $0.append((try? result.get()) != nil) }
        }
        journal.tokens.write([.put(.sample(1))], completion: note)
        journal.append(.sample(3)) { note($0.mapError(StorageError.init)) }
        journal.tokens.write([.put(.sample(2)), .put(.sample(3, digest: 1))], completion: note)
        journal.tokens.write([.used(id: "tok_1", at: 5)], completion: note)
        disk.holdSyncs(false)
        try await eventually("the first is stored") { isFirstStored.withLock { $0 } }
        try await eventually("all have a result") { results.withLock { $0.count } == 4 }
        #expect(results.withLock { $0 } == [true, true, false, true])
        #expect(disk.syncs - syncs <= 2, "\(disk.syncs - syncs) syncs")
        var used = TokenEntry.sample(1)
        used.lastUsedAt = 5
        #expect(try journal.tokens.tokens() == [used])
        #expect(try Self.tokens(in: try folder.copy(of: journal)) == [used])
        #expect(journal.latest == 3)
    }

    @Test("whatever the disk does, what was acknowledged is there and what was refused is not", .timeLimit(.minutes(2)))
    func randomFailures() async throws {
        let seed = SeededGenerator.seedOfRun("failures with tokens")
        for round in 0..<6 as Range<UInt64> {
            var random = SeededGenerator(seed: seed &+ round)
            let disk = try FaultyDisk()
            let folder = try TemporaryFolder()
            let journal = try disk.open(folder, SQLiteSettings(checkpointThreshold: 60_000))
            defer { journal.close() }
            var expected: [String: TokenEntry] = [:]
            for step in 1...60 {
                if random.chance(3) {
                    let fault = FaultyDisk.Fault.allCases[random.below(4)]
                    disk.fail(fault, after: random.below(6), times: 1 + random.below(3))
                }
                var next = expected
                let change = TokenChange.random(&random)
                change.make(in: &next)
                // Refused: it must never be found, also not by who opens the files now.
                if (try? await journal.tokens.write([change])) != nil { expected = next }
                guard random.chance(4) else { continue }
                let found = try Self.tokens(in: try folder.copy(of: journal))
                #expect(found == TokenBook(Array(expected.values)).sorted, "seed \(seed &+ round), step \(step)")
            }
            disk.mend()
            try await eventually("it works again") { journal.status == .ok }
            let found = try journal.tokens.tokens()
            #expect(found == TokenBook(Array(expected.values)).sorted, "seed \(seed &+ round)")
        }
    }

    @Test("a commit that was cut off anywhere by a kill leaves all of its changes or none")
    func cutCommit() async throws {
        let folder = try TemporaryFolder()
        let journal = try SQLiteJournal(path: folder.file)
        defer { journal.close() }
        let name = String(repeating: "n", count: 200)
        try await journal.tokens.write((1...60).map { .put(.sample($0, name: name)) })
        let before = try journal.tokens.tokens()
        let start = try Self.logSize(folder)
        try await journal.tokens.write(
            (1...30).map { .remove(id: TokenEntry.sample($0).id) } + (50...90).map { .put(.sample($0)) })
        let after = try journal.tokens.tokens()
        let end = try Self.logSize(folder)
        var found: Set<[TokenEntry]> = []
        for size in Array(stride(from: start, to: end, by: 3001)) + [end] {
            let killed = try folder.copy(of: journal)
            let log = try #require(FileHandle(forWritingAtPath: killed.file + "-wal"))
            try log.truncate(atOffset: size)
            try log.close()
            found.insert(try Self.tokens(in: killed))
        }
        #expect(end - start > 20_000)
        #expect(found == [before, after])
    }

    private static func logSize(_ folder: TemporaryFolder) throws -> UInt64 {
        let attributes = try FileManager.default.attributesOfItem(atPath: folder.file + "-wal")
        return try #require(attributes[.size] as? NSNumber).uint64Value
    }

    @Test(
        "a change that is in the log after a failed sync is reported done",
        .timeLimit(.minutes(1)), arguments: [TokenChange.remove(id: "tok_1"), .used(id: "tok_1", at: 7)])
    func foundAfterDoubt(_ change: TokenChange) async throws {
        let disk = try FaultyDisk()
        let folder = try TemporaryFolder()
        let journal = try disk.open(folder)
        defer { journal.close() }
        try await journal.tokens.write([.put(.sample(1)), .put(.sample(2))])
        var expected = ["tok_1": TokenEntry.sample(1), "tok_2": .sample(2)]
        change.make(in: &expected)
        // The second failure keeps closing from taking the log over: opening again finds the commit in it.
        disk.fail(.sync, times: 2)
        try await journal.tokens.write([change])
        #expect(try Self.tokens(in: try folder.copy(of: journal)) == TokenBook(Array(expected.values)).sorted)
        #expect(try journal.tokens.tokens() == TokenBook(Array(expected.values)).sorted)
    }

    /// What a journal finds that opens a folder on the system's own disk.
    static func tokens(in folder: TemporaryFolder) throws -> [TokenEntry] {
        let journal = try SQLiteJournal(path: folder.file)
        defer { journal.close() }
        return try journal.tokens.tokens()
    }
}
