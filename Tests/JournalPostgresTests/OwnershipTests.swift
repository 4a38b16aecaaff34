import DirectorLife
import Directors
import Journal
import JournalTesting
import Synchronization
import TestSupport
import Testing

@testable import JournalPostgres

/// Who has the database, and what others may not store.
@Suite(.serialized)
struct OwnershipTests {
    /// Has another connection take a life, and appends to it.
    ///
    /// - Returns: What the append said, and how many records the database has afterwards.
    private func appendToTakenLife(isFenced: Bool) async throws -> (Result<Void, any Error>, records: Int) {
        let database = try PostgresServer.shared.get().makeDatabase()
        var settings = PostgresSettings.quick
        settings.isFenced = isFenced
        let journal = try database.open(settings)
        defer { journal.close() }
        try await journal.append(.begin())
        try database.execute("UPDATE callboard.lives SET term = term + 1, owner = 0")
        let result: Result<Void, any Error>
        do {
            result = .success(try await journal.append(.text("b", number: 2)))
        } catch {
            result = .failure(error)
        }
        return (result, try database.integer("SELECT count(*) FROM callboard.records"))
    }

    @Test("a life whose term another server has raised takes no record, and nothing of it is found")
    func takenLife() async throws {
        let (result, records) = try await appendToTakenLife(isFenced: true)
        #expect(throws: StorageError.superseded("another server has taken the director \"contacts\"")) {
            try result.get()
        }
        #expect(records == 1)
    }

    @Test("without the fence the same append is stored: the test before can fail")
    func plantedFault() async throws {
        let (result, records) = try await appendToTakenLife(isFenced: false)
        #expect(throws: Never.self) { try result.get() }
        #expect(records == 2)
    }

    @Test("of many directors the one that was taken fails, and the others are stored", .timeLimit(.minutes(1)))
    func oneOfMany() async throws {
        let database = try PostgresServer.shared.get().makeDatabase()
        let journal = try database.open()
        defer { journal.close() }
        for name in ["a", "b", "c"] { try await journal.append(.begin(name)) }
        try database.execute("UPDATE callboard.lives SET term = term + 1, owner = 0 WHERE director = 'b'")
        let results = Mutex<[Int: Bool]>([:])
        await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
            journal.append(["a", "b", "c"].map { .text("x", of: $0, number: 2) }) { first, some in
                let count = results.withLock { results in
                    for (index, result) in zip(first..., some) { results[index] = (try? result.get()) != nil }
                    return results.count
                }
                if count == 3 { done.resume() }
            }
        }
        #expect(results.withLock { $0 } == [0: true, 1: false, 2: true])
        #expect(try database.integer("SELECT count(*) FROM callboard.records") == 5)
    }

    @Test("a second server is refused while the first lives, and has the database once it is given back")
    func second() async throws {
        let database = try PostgresServer.shared.get().makeDatabase()
        var settings = PostgresSettings.quick
        settings.name = "the first"
        let first = try database.open(settings)
        let refusal = #expect(throws: JournalError.self) { _ = try database.open() }
        guard case .refused(let what)? = refusal else { throw ConditionNeverHeld(what: "a refusal") }
        #expect(what.contains("\"the first\" has the database"))
        try await first.append(.begin())
        first.close()
        let second = try database.open()
        defer { second.close() }
        #expect(try second.lives().map(\.director) == ["contacts"])
        try await second.append(.text("b", number: 2))
    }

    @Test("a server that has not renewed its lease is taken over from, and stores nothing any more")
    func expired() async throws {
        let database = try PostgresServer.shared.get().makeDatabase()
        var settings = PostgresSettings.quick
        settings.renewal = .seconds(3600)
        let first = try database.open(settings)
        defer { first.close() }
        try await first.append(.begin())
        let isTaken = Mutex(false)
        first.whenTaken { isTaken.withLock { $0 = true } }
        let second = try database.open()
        defer { second.close() }
        await #expect(throws: StorageError.self) { try await first.append(.text("b", number: 2)) }
        await #expect(throws: DeliveryStoreError.self) { try await first.deliveries.write([.put(.sample(1))]) }
        await #expect(throws: StorageError.self) { try await first.tokens.write([.put(.sample(1))]) }
        await #expect(throws: StorageError.self) { try await first.append(.begin("another")) }
        #expect(isTaken.withLock { $0 })
        #expect(first.status != .ok)
        for (table, count) in [("records", 1), ("lives", 1), ("deliveries", 0), ("tokens", 0)] {
            #expect(try database.integer("SELECT count(*) FROM callboard.\(table)") == count, "\(table)")
        }
        try await second.append(.text("b", number: 2))
    }
}
