import DirectorLife
import Foundation
import GRDB
import JournalTesting
import Synchronization
import TestSupport
import Testing

@testable import Journal
@testable import JournalSQLite

/// What happens when the disk does not do what it should.
struct FailureTests {
    @Test("a full disk refuses as full, loses nothing, and works again when there is room", .timeLimit(.minutes(1)))
    func fullDisk() async throws {
        let folder = try TemporaryFolder()
        let journal = try SQLiteJournal(path: folder.file, settings: SQLiteSettings(maximumPages: 40))
        defer { journal.close() }
        try await journal.append("first", .begins)
        var stored = 1
        var refusal: JournalError?
        while refusal == nil {
            do {
                try await journal.append(String(repeating: "x", count: 9000), number: stored + 1)
                stored += 1
            } catch {
                refusal = error as? JournalError
            }
        }
        guard case .full? = refusal else {
            Issue.record("refused as \(String(describing: refusal))")
            return
        }
        guard case .failing = journal.status else {
            Issue.record("the status is \(journal.status)")
            return
        }
        #expect(try journal.texts().count == stored)
        journal.thread.committer.withLock { committer in
            try? committer.database?.writeWithoutTransaction { db in try db.execute(sql: "PRAGMA max_page_count = 9999")
            }
        }
        try await journal.append(String(repeating: "y", count: 9000), number: stored + 1)
        #expect(journal.status == .ok)
        #expect(try journal.texts().count == stored + 1)
    }

    @Test("what fails below SQLite fails the append, and the next one works", arguments: FaultyDisk.Fault.allCases)
    func oneFailure(_ fault: FaultyDisk.Fault) async throws {
        // Opening matters only to the one who opens again.
        guard fault != .open else { return }
        let disk = try FaultyDisk()
        let folder = try TemporaryFolder()
        let journal = try disk.open(folder)
        defer { journal.close() }
        try await journal.append("a", .begins)
        disk.fail(fault)
        await #expect(throws: JournalError.self) { try await journal.append("b", number: 2) }
        let killed = try folder.copy(of: journal)
        #expect(try Self.texts(killed) == ["a"])
        try await eventually("it works again") { journal.status == .ok }
        try await journal.append("c", number: 2)
        #expect(try Self.texts(try folder.copy(of: journal)) == ["a", "c"])
    }

    @Test(
        "a pair that stands on a batch in doubt has the later results of both directors wait", .timeLimit(.minutes(1)))
    func pairInDoubt() async throws {
        let disk = try FaultyDisk()
        let folder = try TemporaryFolder()
        let journal = try disk.open(folder)
        defer { journal.close() }
        for director in ["contacts", "other", "third"] { try await journal.append(.begin(director)) }
        disk.fail(.sync, times: 1_000_000)
        let order = Order()
        let note: @Sendable (String) -> Void = { text in order.texts.withLock { $0.append(text) } }
        journal.append(.text("b", number: 2)) { _ in note("in doubt") }
        try await eventually("the failure shows") { journal.status != .ok }
        journal.append(.text("c", number: 3), with: .text("p", of: "other", number: 2)) { _ in note("pair") }
        journal.append(.text("q", of: "other", number: 3), with: .text("r", of: "third", number: 2)) { _ in note("next")
        }
        journal.append(.text("s", of: "third", number: 3)) { _ in note("last") }
        await #expect(throws: StorageError.self) { try await journal.append(.begin("fourth")) }
        #expect(order.texts.withLock { $0 }.isEmpty)
        disk.mend()
        try await eventually("all are told") { order.texts.withLock { $0.count } == 4 }
        #expect(order.texts.withLock { $0 } == ["in doubt", "pair", "next", "last"])
    }

    @Test("a batch that turns out to be in the log after a failed sync is reported stored once it is copied")
    func foundAfterDoubt() async throws {
        let disk = try FaultyDisk()
        let folder = try TemporaryFolder()
        let journal = try disk.open(folder)
        defer { journal.close() }
        try await journal.append("a", .begins)
        // The second failure keeps closing from taking the log over: opening again finds the commit in it.
        disk.fail(.sync, times: 2)
        let answer = StoredAnswer(key: "k", fingerprint: 1, body: [1], expires: .max)
        try await journal.append("b", number: 2, answer: answer)
        #expect(journal.latest == 2)
        #expect(journal.status == .ok)
        #expect(try Self.texts(try folder.copy(of: journal)) == ["a", "b"])
        #expect(try journal.answers(of: "contacts") == [answer])
        // It does not stand on the log whose sync has failed.
        let database = try folder.copy(of: journal)
        try? FileManager.default.removeItem(atPath: database.file + "-wal")
        #expect(try Self.texts(database) == ["a", "b"])
        try await journal.append("c", number: 3)
        #expect(try Self.texts(try folder.copy(of: journal)) == ["a", "b", "c"])
    }

    @Test(
        "while a batch is in doubt others are refused, and what stands on it is answered after it",
        .timeLimit(.minutes(1)))
    func longFailure() async throws {
        let disk = try FaultyDisk()
        let folder = try TemporaryFolder()
        let journal = try disk.open(folder)
        defer { journal.close() }
        try await journal.append("a", .begins)
        try await journal.append("o", .begins, to: "other")
        disk.fail(.sync, times: 1_000_000)
        let order = Order()
        let doubtful = Task {
            let isStored = (try? await journal.append("b", number: 2)) != nil
            order.texts.withLock { $0.append("b") }
            return isStored
        }
        try await eventually("the failure shows") { journal.status != .ok }
        let status = journal.status
        let standing = Task {
            let isStored = (try? await journal.append("c", number: 3)) != nil
            order.texts.withLock { $0.append("c") }
            return isStored
        }
        for _ in 0..<3 {
            await #expect(throws: JournalError.self) { try await journal.append("p", to: "other", number: 2) }
        }
        #expect(journal.status == status)
        #expect(order.texts.withLock { $0 }.isEmpty)
        disk.mend()
        let (first, second) = (await doubtful.value, await standing.value)
        try await eventually("it works again") { journal.status == .ok }
        let expected = ["a"] + (first ? ["b"] : []) + (second ? ["c"] : [])
        #expect(try journal.texts().filter { $0 != "o" } == expected)
        #expect(!second || first)
        try await journal.append("p", to: "other", number: 2)
    }

    private final class Order: Sendable {
        let texts = Mutex<[String]>([])
    }

    @Test("a commit that failed is not found later, also where closing could not take the log over")
    func fencedOff() async throws {
        let disk = try FaultyDisk()
        let folder = try TemporaryFolder()
        let journal = try disk.open(folder)
        defer { journal.close() }
        try await journal.append("a", .begins)
        // Someone else has the database open, as a backup does: closing leaves the log, with the failed commit in it.
        let other = try DatabaseFile(path: folder.file, vfs: disk.vfs).openReadOnly()
        _ = try await other.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM records") }
        disk.fail(.sync)
        await #expect(throws: JournalError.self) { try await journal.append("b", number: 2) }
        #expect(try Self.texts(try folder.copy(of: journal)) == ["a"])
        try other.close()
    }

    @Test("a write that fails in the middle of a large batch fails all of it, in order", .timeLimit(.minutes(1)))
    func failureInsideBatch() async throws {
        let disk = try FaultyDisk()
        let folder = try TemporaryFolder()
        let journal = try disk.open(folder)
        defer { journal.close() }
        try await journal.append("a", .begins)
        disk.holdSyncs(true)
        let results = Mutex<[(number: Int, isStored: Bool)]>([])
        func append(_ number: Int, bytes: Int) {
            journal.append(.sample(number, payload: [UInt8](repeating: UInt8(ascii: "x"), count: bytes))) { result in
                results.withLock { $0.append((number, (try? result.get()) != nil)) }
            }
        }
        append(2, bytes: 1)
        try await eventually("the first commit is written") { disk.holdsSync }
        // More than SQLite's cache holds: pages are written before the commit.
        for number in 3...42 { append(number, bytes: 100_000) }
        disk.fail(.write)
        disk.holdSyncs(false)
        try await eventually("every append has its answer") { results.withLock { $0.count } == 41 }
        #expect(results.withLock { $0.map(\.number) } == Array(2...42))
        #expect(results.withLock { $0.map(\.isStored) } == [true] + Array(repeating: false, count: 40))
        try await eventually("it works again") { journal.status == .ok }
        #expect(try Self.texts(try folder.copy(of: journal)) == ["a", "x"])
        try await journal.append("c", number: 3)
    }

    @Test("what was acknowledged is there and what was refused is not, whatever fails", .timeLimit(.minutes(2)))
    func randomFailures() async throws {
        let seed = SeededGenerator.seedOfRun("random failures")
        for round in 0..<8 {
            var random = SeededGenerator(seed: seed &+ UInt64(round))
            let disk = try FaultyDisk()
            let folder = try TemporaryFolder()
            let journal = try disk.open(folder, SQLiteSettings(checkpointThreshold: 60_000))
            defer { journal.close() }
            try await journal.append("0", .begins)
            var expected = ["0"]
            for step in 1...60 {
                if random.chance(3) {
                    let fault = FaultyDisk.Fault.allCases[random.below(4)]
                    disk.fail(fault, after: random.below(6), times: 1 + random.below(3))
                }
                let text = "\(step) " + String(repeating: "x", count: random.below(9000))
                do {
                    try await journal.append(text, number: expected.count + 1)
                    expected.append(text)
                } catch {
                    // Refused: it must never be found, also not by who opens the files now.
                }
                if random.chance(4) {
                    let found = try Self.texts(try folder.copy(of: journal))
                    #expect(found == expected, "seed \(seed &+ UInt64(round)), step \(step)")
                }
            }
            disk.mend()
            try await eventually("it works again") { journal.status == .ok }
            #expect(try journal.texts() == expected, "seed \(seed &+ UInt64(round))")
        }
    }

    @Test("a snapshot that cannot be stored leaves the one before, and is made later", .timeLimit(.minutes(1)))
    func failingSnapshot() async throws {
        let disk = try FaultyDisk()
        let folder = try TemporaryFolder()
        let journal = try disk.open(folder, SQLiteSettings(snapshotThreshold: 1000))
        defer { journal.close() }
        try await journal.append("a", .begins)
        try await journal.write(SnapshotHead(director: "contacts", epoch: "e1", number: 1), [[1], [2]])
        try await journal.append(String(repeating: "x", count: 2000))
        #expect(journal.isSnapshotDue(for: "contacts"))
        disk.fail(.full, after: 8, times: 4)
        let large = [UInt8](repeating: 7, count: 100_000)
        await #expect(throws: JournalError.self) {
            try await journal.write(
                SnapshotHead(director: "contacts", epoch: "e1", number: 2), Array(repeating: large, count: 20))
        }
        #expect(try journal.chunks(of: "contacts") == [[1], [2]])
        try await eventually("it works again") { journal.status == .ok }
        #expect(!journal.isSnapshotDue(for: "contacts"))
        try await journal.append(String(repeating: "x", count: 2000))
        #expect(journal.isSnapshotDue(for: "contacts"))
        try await journal.write(SnapshotHead(director: "contacts", epoch: "e1", number: 3), [[3]])
        #expect(try journal.chunks(of: "contacts") == [[3]])
        let copy = try folder.copy(of: journal)
        let killed = try SQLiteJournal(path: copy.file)
        defer { killed.close() }
        #expect(try killed.chunks(of: "contacts") == [[3]])
    }

    @Test("no record is dropped for a snapshot that could not be stored", .timeLimit(.minutes(1)), arguments: 0..<24)
    func failingSnapshotAndSweep(_ writes: Int) async throws {
        let disk = try FaultyDisk()
        let folder = try TemporaryFolder()
        let journal = try disk.open(folder, SQLiteSettings(pruneThreshold: 20_000, checkpointThreshold: 1 << 30))
        defer { journal.close() }
        try await journal.append("a", .begins)
        try await journal.append("b")
        disk.fail(.full, after: writes)
        let head = SnapshotHead(director: "contacts", epoch: "e1", number: 2)
        let isStored = (try? await journal.write(head, [[1]])) != nil
        disk.mend()
        try await eventually("it works again") { journal.status == .ok }
        // Another life ends, so that the log is swept.
        try await journal.append("other", .begins, to: "other")
        try await journal.append("other" + String(repeating: "x", count: 40_000), to: "other")
        try await journal.append("other", .ends, to: "other")
        try await eventually("the log is swept") { try !journal.texts().contains { $0.hasPrefix("other") } }
        #expect(try journal.chunks(of: "contacts") == (isStored ? [[1]] : nil))
        #expect(try journal.texts() == (isStored ? [] : ["a", "b"]))
        #expect(try Self.texts(try folder.copy(of: journal)) == (isStored ? [] : ["a", "b"]))
    }

    @Test(
        "a journal that is closed while a batch is in doubt tells nobody what it does not know", .timeLimit(.minutes(1))
    )
    func closeInDoubt() async throws {
        let disk = try FaultyDisk()
        let folder = try TemporaryFolder()
        let journal = try disk.open(folder)
        try await journal.append("a", .begins)
        disk.fail(.sync, times: 1_000_000)
        let isAnswered = Mutex(false)
        journal.append(.sample(2, payload: [1])) { _ in
            isAnswered.withLock { $0 = true }
        }
        try await eventually("the failure shows") { journal.status != .ok }
        journal.close()
        #expect(isAnswered.withLock { $0 } == false)
    }

    /// What a journal finds that opens a folder on the system's own disk.
    static func texts(_ folder: TemporaryFolder) throws -> [String] {
        let journal = try SQLiteJournal(path: folder.file)
        defer { journal.close() }
        return try journal.texts()
    }
}
