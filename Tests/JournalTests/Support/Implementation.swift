import Foundation
import Synchronization
import Testing

@testable import Journal

/// The stores that the conformance suite runs on.
enum Implementation: String, CaseIterable, Sendable, CustomTestStringConvertible {
    case memory
    case sqlite

    var testDescription: String { rawValue }

    /// Runs a test with an empty store, and closes it.
    func run<Result>(
        _ settings: StoreSettings = StoreSettings(), clock: TestClock = TestClock(),
        _ test: (any RecordStore) async throws -> Result
    ) async throws -> Result {
        switch self {
        case .memory:
            let store = MemoryStore(settings: settings, clock: clock.read)
            defer { store.close() }
            return try await test(store)
        case .sqlite:
            let folder = try TemporaryFolder()
            let store = try SQLiteStore(path: folder.file, settings: settings, clock: clock.read)
            defer { store.close() }
            return try await test(store)
        }
    }
}

/// A clock that a test turns.
final class TestClock: Sendable {
    private let seconds = Mutex(1_000_000)

    @Sendable
    func read() -> Int { seconds.withLock { $0 } }

    func advance(by duration: Int) { seconds.withLock { $0 += duration } }
}

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

    /// A copy of the files as they are between two commits of a store: what a process leaves that is killed now.
    func copy(of store: SQLiteStore) throws -> TemporaryFolder {
        try store.committer.withLock { _ in try copy() }
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

extension RecordStore {
    /// Appends a unit and waits for it.
    @discardableResult
    func append(_ unit: StoredUnit) async throws -> JournalSequence {
        try await withCheckedContinuation { continuation in
            append(unit) { continuation.resume(returning: $0) }
        }.get()
    }

    /// Appends a record and waits for it.
    @discardableResult
    func append(
        _ text: String, _ step: StoredStep = .goesOn, to director: String = "contacts", number: Int? = nil,
        epoch: String = "e1", answer: StoredAnswer? = nil
    ) async throws -> JournalSequence {
        let record = StoredUnit.Record(step: step, number: number, payload: Array(text.utf8))
        return try await append(StoredUnit(director: director, epoch: epoch, record: record, answer: answer))
    }

    /// Writes a snapshot and waits for it.
    func write(_ head: SnapshotHead, _ chunks: [[UInt8]]) async throws {
        try await withCheckedContinuation { continuation in
            write(head, from: FixedChunks(chunks: chunks)) { continuation.resume(returning: $0) }
        }.get()
    }

    /// All records that are kept, as texts.
    func texts(after sequence: UInt64 = 0) throws -> [String] {
        try records(after: JournalSequence(sequence), upTo: .max).map { String(decoding: $0.payload, as: UTF8.self) }
    }

    /// The chunks of a director's snapshot.
    func chunks(of director: String) throws -> [[UInt8]]? {
        try readSnapshot(of: director) { _, next in
            var chunks: [[UInt8]] = []
            while let chunk = try next() { chunks.append(chunk) }
            return chunks
        }
    }
}

/// A snapshot whose chunks are there already.
struct FixedChunks: SnapshotSource {
    let chunks: [[UInt8]]

    func forEachChunk(_ take: ([UInt8]) throws -> Void) throws {
        for chunk in chunks { try take(chunk) }
    }
}

/// Waits until something that happens in the background is so.
func eventually(_ what: String, _ isSo: () throws -> Bool) async throws {
    let end = ContinuousClock.now + .seconds(10)
    while try !isSo() {
        guard ContinuousClock.now < end else { throw NeverCame(what: what) }
        try await Task.sleep(for: .milliseconds(2))
    }
}

struct NeverCame: Error {
    let what: String
}
