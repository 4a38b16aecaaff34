import DirectorLife
import Dispatch
import Foundation
import GRDB
import JournalTesting
import Synchronization
import TestSupport
import Testing

@testable import Journal
@testable import JournalSQLite

/// What a journal does in the background.
struct UpkeepTests {
    @Test("the files of a journal that is written to for long level off", .timeLimit(.minutes(2)))
    func levelsOff() async throws {
        let folder = try TemporaryFolder()
        let settings = SQLiteSettings(snapshotThreshold: 60_000, pruneThreshold: 60_000, checkpointThreshold: 200_000)
        let journal = try SQLiteJournal(path: folder.file, settings: settings)
        defer { journal.close() }
        try await journal.append("0", .begins)
        var number = 1
        var sizes: [Int] = []
        for _ in 0..<12 {
            for _ in 0..<100 {
                try await journal.append(String(repeating: "x", count: 1500))
                number += 1
                guard journal.isSnapshotDue(for: "contacts") else { continue }
                let head = SnapshotHead(director: "contacts", epoch: "e1", number: number)
                try await journal.write(head, [[UInt8]](repeating: [UInt8](repeating: 1, count: 10_000), count: 4))
            }
            sizes.append(journal.counts.bytesOnDisk)
        }
        #expect(number * 1500 > 1_700_000)
        #expect(journal.counts.snapshots > 10)
        #expect(sizes[6...].max() ?? 0 <= (sizes[..<6].max() ?? 0) * 5 / 4, "sizes \(sizes)")
        #expect(sizes.last ?? 0 < 1_200_000)
    }

    @Test("answers that have expired, and those of lives that are over, are deleted from the file")
    func answers() async throws {
        let folder = try TemporaryFolder()
        let clock = TestClock()
        let journal = try SQLiteJournal(path: folder.file, clock: clock.read)
        defer { journal.close() }
        func count() throws -> Int {
            try journal.thread.committer.withLock { committer in
                try committer.database?.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM answers") } ?? 0
            }
        }
        try await journal.append("0", .begins)
        for index in 0..<20 {
            let answer = StoredAnswer(key: "k\(index)", fingerprint: 0, body: [1], expires: clock.read() + 10)
            try await journal.append("\(index)", answer: answer)
        }
        #expect(try count() == 20)
        clock.advance(by: 11)
        let last = StoredAnswer(key: "last", fingerprint: 0, body: [1], expires: clock.read() + 10)
        try await journal.append("a", answer: last)
        try await eventually("the expired ones are deleted") { try count() == 1 }
        try await journal.append("b", .ends)
        try await eventually("those of the life are deleted") { try count() == 0 }
    }

    @Test("writers do not wait for a snapshot of any size", .timeLimit(.minutes(1)))
    func interleaved() async throws {
        let folder = try TemporaryFolder()
        let journal = try SQLiteJournal(path: folder.file)
        defer { journal.close() }
        try await journal.append("0", .begins)
        let chunks = [[UInt8]](repeating: [UInt8](repeating: 1, count: SnapshotLimits.chunk), count: 200)
        let appender = Appender(journal)
        appender.append()
        try await journal.write(SnapshotHead(director: "contacts", epoch: "e1", number: 1), chunks)
        let during = appender.stop()
        // Each append waited for one chunk at most, so there were about as many.
        #expect(during >= 150)
    }

    /// Appends one record after the other, from each completion the next.
    private final class Appender: Sendable {
        private let journal: SQLiteJournal
        private let state = Mutex((count: 0, isStopped: false))

        init(_ journal: SQLiteJournal) {
            self.journal = journal
        }

        func append() {
            journal.append(.sample(state.withLock { $0.count } + 2)) { _ in
                let goesOn = self.state.withLock { state in
                    state.count += 1
                    return !state.isStopped
                }
                if goesOn { self.append() }
            }
        }

        /// How many were appended.
        func stop() -> Int {
            state.withLock { state in
                state.isStopped = true
                return state.count
            }
        }
    }

    @Test("records that are pruned while the log is read do not disturb the reading", .timeLimit(.minutes(1)))
    func pruningWhileReading() async throws {
        let folder = try TemporaryFolder()
        let journal = try SQLiteJournal(path: folder.file, settings: SQLiteSettings(pruneThreshold: 0))
        defer { journal.close() }
        try await journal.append("0", .begins, to: "quiet")
        try await journal.append("0", .begins)
        // More than is read at once.
        for _ in 0..<60 { try await journal.append(String(repeating: "x", count: 100_000)) }
        try await journal.append("1", to: "quiet")
        var parts = 0
        var numbers: [Int] = []
        try journal.readRecords { records in
            parts += 1
            numbers += records.filter { $0.director == "quiet" }.map(\.number)
            guard parts == 1 else { return }
            let isStored = DispatchSemaphore(value: 0)
            let head = SnapshotHead(director: "contacts", epoch: "e1", number: 61)
            journal.writeSnapshot(head, chunks: { try $0([1]) }, completion: { _ in isStored.signal() })
            isStored.wait()
            while journal.counts.prunedRecords < 61 { usleep(1000) }
        }
        #expect(parts > 1)
        #expect(numbers == [1, 2])
    }

    @Test("after opening again, what was not finished is cleaned up and nothing else")
    func leftovers() async throws {
        let disk = try FaultyDisk()
        let folder = try TemporaryFolder()
        let journal = try disk.open(folder)
        try await journal.append("a", .begins)
        try await journal.write(SnapshotHead(director: "contacts", epoch: "e1", number: 1), [[1], [2]])
        try await journal.append("b")
        let killed = Task {
            try await journal.write(
                SnapshotHead(director: "contacts", epoch: "e1", number: 2),
                [[UInt8]](repeating: [UInt8](repeating: 9, count: 1000), count: 500))
        }
        func chunkCount(_ journal: SQLiteJournal) throws -> Int {
            try journal.thread.committer.withLock { committer in
                try committer.database?.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM chunks") } ?? 0
            }
        }
        try await eventually("some chunks are stored") { try chunkCount(journal) > 20 }
        let copy = try folder.copy(of: journal)
        journal.close()
        _ = try? await killed.value
        let again = try SQLiteJournal(path: copy.file)
        defer { again.close() }
        try await eventually("the others are deleted") { try chunkCount(again) == 2 }
        #expect(try again.chunks(of: "contacts") == [[1], [2]])
        #expect(try again.texts().last == "b")
        try await again.write(SnapshotHead(director: "contacts", epoch: "e1", number: 2), [[3]])
        #expect(try again.chunks(of: "contacts") == [[3]])
    }
}
