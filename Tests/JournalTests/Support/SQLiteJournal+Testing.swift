import DirectorLife
import Foundation
import Journal

@testable import JournalSQLite

/// A folder that goes with the value that stands for it.
final class TemporaryFolder: Sendable {
    let path: String

    /// The database in it.
    var file: String { path + "/callboard.db" }

    init() throws {
        path = FileManager.default.temporaryDirectory.appendingPathComponent("journal-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    /// A copy of the files as they are between two commits of a journal: what a process leaves that is killed now.
    func copy(of journal: SQLiteJournal) throws -> TemporaryFolder {
        try journal.thread.committer.withLock { _ in try copy() }
    }

    /// A copy of the files, which nobody changes meanwhile.
    func copy() throws -> TemporaryFolder {
        let other = try TemporaryFolder()
        for name in try FileManager.default.contentsOfDirectory(atPath: path) where !name.hasSuffix("-shm") {
            try FileManager.default.copyItem(atPath: path + "/" + name, toPath: other.path + "/" + name)
        }
        return other
    }
}

extension EncodedRecord {
    /// A record whose payload has a size of its own.
    static func sample(
        _ number: Int, of director: String = "contacts", epoch: String = "e1", _ step: RecordStep? = .continues,
        payload: [UInt8] = [1], answer: StoredAnswer? = nil
    ) -> EncodedRecord {
        EncodedRecord(
            place: RecordPlace(director: director, epoch: epoch, number: number, step: step), payload: payload,
            answer: answer)
    }
}

extension SQLiteJournal {
    /// Appends encoded records one after the other.
    func append(_ record: EncodedRecord, completion: @escaping @Sendable (Result<Void, JournalError>) -> Void) {
        append([.record(record)]) { _, results in
            for result in results { completion(result) }
        }
    }

    /// Appends an encoded record and waits for it.
    func append(_ record: EncodedRecord) async throws {
        try await withCheckedContinuation { continuation in
            append(record) { continuation.resume(returning: $0) }
        }.get()
    }

    /// Appends a record whose payload is a text and waits for it; without a number it is the life's next one.
    func append(
        _ text: String, _ step: RecordStep = .continues, to director: String = "contacts", number: Int? = nil,
        epoch: String = "e1", answer: StoredAnswer? = nil
    ) async throws {
        let next = step == .begins ? 1 : thread.committer.withLock { ($0.rowIndex.lives[director]?.number ?? 0) + 1 }
        try await append(
            .sample(number ?? next, of: director, epoch: epoch, step, payload: Array(text.utf8), answer: answer))
    }

    /// Writes a snapshot and waits for it.
    func write(_ head: SnapshotHead, _ chunks: [[UInt8]]) async throws {
        try await withCheckedContinuation { continuation in
            writeSnapshot(head) { take in
                for chunk in chunks { try take(chunk) }
            } completion: {
                continuation.resume(returning: $0)
            }
        }.get()
    }

    /// All records that are kept.
    func allRecords() throws -> [StoredRecord] {
        try records(after: 0, upTo: .max).0
    }

    /// All records that are kept, as texts.
    func texts() throws -> [String] {
        try allRecords().map { String(decoding: $0.payload, as: UTF8.self) }
    }

    /// The chunks of a director's snapshot.
    func chunks(of director: String) throws -> [[UInt8]]? {
        try readSnapshot(of: director) { _, next in
            var chunks: [[UInt8]] = []
            while let chunk = try next() { chunks.append(chunk) }
            return chunks
        }
    }

    /// What the journal has done.
    var counts: JournalMetrics { metrics ?? JournalMetrics() }

    /// The row of the newest record.
    var latest: Int { thread.committer.withLock { $0.rowIndex.counters.latest } }
}
