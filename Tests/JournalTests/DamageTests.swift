import DirectorLife
import Directors
import Foundation
import GRDB
import JournalTesting
import TestSupport
import Testing

@testable import Journal
@testable import JournalSQLite

/// A file that is not what was written is found out, and never half-loaded.
struct DamageTests {
    private static let retention = VersionRetention(count: 6, bytes: 1 << 20)

    private static func recover(_ path: String) throws -> Recovery {
        let journal = try SQLiteJournal(path: path)
        defer { journal.close() }
        return try Recovery(of: journal, limits: DirectorLimits(), retention: retention)
    }

    /// A journal with two directors, one of them with a snapshot, closed.
    private static func makeJournal(_ folder: TemporaryFolder, seed: UInt64) async throws -> [RandomLife] {
        let journal = try SQLiteJournal(path: folder.file)
        var lives = (0..<2).map { RandomLife("director \($0)", epoch: "e\($0)", seed: seed &+ UInt64($0)) }
        for index in lives.indices {
            try await journal.append(lives[index].begin())
            for step in 0..<25 {
                try await journal.append(lives[index].step())
                if step == 12, index == 0 { journal.snapshot(lives[0].state) }
            }
        }
        try await eventually("the snapshot is stored") { journal.counts.snapshots == 1 }
        journal.close()
        return lives
    }

    @Test("a log that is cut off anywhere in its last transaction ends with the one before")
    func truncatedLog() async throws {
        let folder = try TemporaryFolder()
        let journal = try SQLiteJournal(path: folder.file, settings: SQLiteSettings(checkpointThreshold: .max))
        defer { journal.close() }
        try await journal.append("0", .begins)
        for index in 1...5 { try await journal.append("\(index)") }
        let before = try folder.copy(of: journal)
        let start = try size(before.file + "-wal")
        try await journal.append("6" + String(repeating: "x", count: 30_000))
        let whole = try folder.copy(of: journal)
        let end = try size(whole.file + "-wal")
        let expected = try FailureTests.texts(before)
        #expect(expected.count == 6)
        // A frame is a page with a header of 24 bytes.
        let cuts = stride(from: start, to: end, by: 4120).flatMap { [$0, $0 + 1, $0 + 24, $0 + 2000] }
        for cut in cuts where cut < end {
            let copy = try whole.copy()
            try FileHandle(forWritingTo: URL(fileURLWithPath: copy.file + "-wal")).truncate(atOffset: UInt64(cut))
            #expect(try FailureTests.texts(copy) == expected, "cut at \(cut)")
        }
        #expect(try FailureTests.texts(whole).count == 7)
    }

    @Test("a commit that was torn where one had failed before is no damage, whatever that one has left behind it")
    func tornOverFailed() async throws {
        let folder = try TemporaryFolder()
        let journal = try SQLiteJournal(path: folder.file, settings: SQLiteSettings(checkpointThreshold: .max))
        defer { journal.close() }
        try await journal.append("0", .begins)
        for index in 1...5 { try await journal.append("\(index)") }
        let before = try folder.copy(of: journal)
        let start = try size(before.file + "-wal")
        try await journal.append("6" + String(repeating: "x", count: 30_000))
        let copy = try folder.copy(of: journal)
        let path = copy.file + "-wal"
        // The one that failed has not come to its last frame, which would have committed it.
        var log = try Data(contentsOf: URL(fileURLWithPath: path))
        log.removeLast(4120)
        // Of the next one, a single frame, the header is there and its page is not.
        log[start + 7] = 1
        log[start + 24] ^= 1
        try log.write(to: URL(fileURLWithPath: path))
        #expect(log.count > start + 4120)
        #expect(try FailureTests.texts(copy) == FailureTests.texts(before))
    }

    @Test("a log that was changed in the middle is reported with its place")
    func changedLog() async throws {
        let folder = try TemporaryFolder()
        let journal = try SQLiteJournal(path: folder.file, settings: SQLiteSettings(checkpointThreshold: .max))
        defer { journal.close() }
        try await journal.append("0", .begins)
        for index in 1...20 { try await journal.append("\(index)") }
        let whole = try folder.copy(of: journal)
        let log = try Data(contentsOf: URL(fileURLWithPath: whole.file + "-wal"))
        var random = SeededGenerator(seed: SeededGenerator.seedOfRun("changed log"))
        var reported = 0
        for _ in 0..<60 {
            let copy = try whole.copy()
            var changed = log
            changed[random.below(log.count)] ^= UInt8(1 << random.below(8))
            try changed.write(to: URL(fileURLWithPath: copy.file + "-wal"))
            do {
                // Only the newest commit may look torn.
                #expect(try FailureTests.texts(copy).count >= 20)
            } catch JournalError.damaged(let damage) {
                #expect(damage.place.contains("-wal"))
                reported += 1
            }
        }
        #expect(reported > 40)
        #expect(try FailureTests.texts(whole).count == 21)
    }

    @Test("a database that is cut off at any page is reported, or nothing is missing")
    func truncatedDatabase() async throws {
        let folder = try TemporaryFolder()
        let lives = try await Self.makeJournal(folder, seed: 7)
        let pages = try size(folder.file) / 4096
        #expect(pages > 4)
        var reported = 0
        for page in 1..<pages {
            let copy = try folder.copy()
            try FileHandle(forWritingTo: URL(fileURLWithPath: copy.file)).truncate(atOffset: UInt64(page * 4096))
            do {
                let recovered = try Self.recover(copy.file).directors
                #expect(recovered.count == lives.count, "cut after page \(page)")
                for (one, life) in zip(recovered, lives) { #expect(one.differences(from: life).isEmpty) }
            } catch {
                reported += 1
            }
        }
        #expect(reported > pages / 2)
    }

    @Test("a byte that was changed anywhere is reported, or changes nothing", .timeLimit(.minutes(1)))
    func changedByte() async throws {
        let seed = SeededGenerator.seedOfRun("changed byte")
        var random = SeededGenerator(seed: seed)
        let folder = try TemporaryFolder()
        let lives = try await Self.makeJournal(folder, seed: seed)
        let original = try Data(contentsOf: URL(fileURLWithPath: folder.file))
        var reported = 0
        for _ in 0..<250 {
            var bytes = original
            let offset = Int.random(in: 0..<bytes.count, using: &random)
            bytes[offset] ^= UInt8.random(in: 1...255, using: &random)
            let copy = try TemporaryFolder()
            try bytes.write(to: URL(fileURLWithPath: copy.file))
            do {
                let recovered = try Self.recover(copy.file).directors
                #expect(recovered.count == lives.count, "offset \(offset), seed \(seed)")
                for (one, life) in zip(recovered, lives) {
                    #expect(one.differences(from: life).isEmpty, "offset \(offset), seed \(seed)")
                }
            } catch {
                reported += 1
            }
        }
        #expect(reported > 50)
    }

    @Test("a changed payload is reported with the director's name and its record")
    func place() async throws {
        let folder = try TemporaryFolder()
        let journal = try SQLiteJournal(path: folder.file)
        try await journal.append("one", .begins)
        try await journal.append("a payload to be found", to: "contacts")
        try await journal.append("three", .begins, to: "other")
        journal.close()
        var bytes = try Data(contentsOf: URL(fileURLWithPath: folder.file))
        let place = try #require(bytes.range(of: Data("a payload to be found".utf8)))
        bytes[place.lowerBound] ^= 1
        try bytes.write(to: URL(fileURLWithPath: folder.file))
        let again = try SQLiteJournal(path: folder.file)
        defer { again.close() }
        #expect {
            try again.texts()
        } throws: { error in
            guard case JournalError.damaged(let damage)? = error as? JournalError else { return false }
            return damage.director == "contacts" && damage.place == "record 2"
        }
    }

    @Test(
        "a row that was changed so that it seems superfluous is reported",
        arguments: [
            "UPDATE answers SET expires = 0", "UPDATE answers SET life = 99", "UPDATE snapshots SET isComplete = 0",
            "UPDATE snapshots SET life = 99", "UPDATE records SET number = 1", "UPDATE lives SET ended = 5",
        ])
    func seeminglySuperfluous(_ change: String) async throws {
        let folder = try TemporaryFolder()
        _ = try await Self.makeJournal(folder, seed: 11)
        let database = try DatabaseQueue(path: folder.file)
        let table = change.split(separator: " ")[1]
        try await database.writeWithoutTransaction { db in
            try db.execute(sql: "\(change) WHERE rowid = (SELECT max(rowid) FROM \(table))")
        }
        try database.close()
        #expect(throws: JournalError.self) { try Self.recover(folder.file) }
    }

    @Test("a journal goes on counting after records that were pruned, also where older ones are left")
    func prunedTail() async throws {
        let folder = try TemporaryFolder()
        let journal = try SQLiteJournal(path: folder.file, settings: SQLiteSettings(pruneThreshold: 0))
        try await journal.append("quiet", .begins, to: "quiet")
        try await journal.append("0", .begins)
        for index in 1...5 { try await journal.append("\(index)") }
        try await journal.write(SnapshotHead(director: "contacts", epoch: "e1", number: 6), [[1]])
        try await eventually("its records are pruned") { journal.counts.prunedRecords == 6 }
        journal.close()
        let again = try SQLiteJournal(path: folder.file)
        defer { again.close() }
        #expect(again.latest == 7)
        try await again.append("next", number: 7)
        #expect(again.latest == 8)
    }

    private func size(_ path: String) throws -> Int {
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        return try #require(attributes[.size] as? NSNumber).intValue
    }
}
