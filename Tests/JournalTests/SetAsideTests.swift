import Access
import DirectorLife
import Directors
import Foundation
import GRDB
import JournalTesting
import Testing

@testable import Journal
@testable import JournalSQLite

/// Damaged rows that stand for themselves, and what becomes of everything else.
struct SetAsideTests {
    /// A folder with one director, its answer, two deliveries and two tokens, of which some rows are changed by `sql`.
    private func folder(damagedBy sql: [String]) async throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        let journal = try SQLiteJournal(path: folder.file)
        try await journal.append(.begin())
        try await journal.deliveries.write([.put(.sample(1)), .put(.sample(2))])
        try await journal.tokens.write([.put(.sample(1)), .put(.sample(2, name: "a\0b"))])
        journal.close()
        let database = try DatabaseQueue(path: folder.file)
        try await database.writeWithoutTransaction { db in
            for statement in sql { try db.execute(sql: statement) }
        }
        try database.close()
        return folder
    }

    private static let damage = [
        // What an earlier version has stored of a text with a zero in it.
        "UPDATE tokens SET name = 'a' WHERE id = 'tok_2'",
        "UPDATE deliveries SET lastError = 'cut' WHERE delivery = 1",
    ]

    @Test("without the word for it, a folder with a damaged token or delivery is left as it is")
    func refused() async throws {
        let folder = try await folder(damagedBy: Self.damage)
        let journal = try DataFolder(path: folder.path).open().journal
        #expect(throws: JournalError.self) { try journal.tokens.tokens() }
        #expect(throws: DeliveryStoreError.self) { try journal.deliveries.deliveries() }
        journal.close()
        let check = try JournalCheck(of: DataFolder(path: folder.path))
        #expect(Set(check.problems.map(\.place)) == ["token tok_2", "delivery 1"] && check.setAside == [])
    }

    @Test("damaged rows are set aside and kept, everything else is served, and the check tells both")
    func moved() async throws {
        let folder = try await folder(damagedBy: Self.damage)
        let data = DataFolder(path: folder.path)
        var settings = SQLiteSettings()
        settings.setsAside = true
        let journal = try data.open(settings).journal
        #expect(Set(journal.setAside.map(\.place)) == ["token tok_2", "delivery 1"])
        #expect(journal.warnings.first?.hasPrefix("2 damaged rows were set aside") == true)
        #expect(try journal.tokens.tokens() == [.sample(1)])
        #expect(try journal.deliveries.deliveries() == [.sample(2)])
        #expect(try journal.lives().map(\.number) == [1])
        try await journal.append(.text("1", number: 2))
        journal.close()
        let check = try JournalCheck(of: data)
        #expect(check.problems == [] && check.setAside.count == 2)
        // Once more, and copied: nothing is found, nothing is lost.
        let copy = try Backup.make(of: data, to: folder.path + "/copy.db")
        #expect(try JournalCheck(file: copy).setAside.count == 2)
        let again = try data.open(settings).journal
        #expect(again.setAside == [] && again.warnings.count == 1)
        again.close()
    }

    @Test("what was set aside can be put back as it was, every byte of it")
    func putBack() async throws {
        let folder = try await folder(damagedBy: ["UPDATE tokens SET created = created + 1"])
        var settings = SQLiteSettings()
        settings.setsAside = true
        let journal = try DataFolder(path: folder.path).open(settings).journal
        #expect(journal.setAside.count == 2)
        #expect(try journal.tokens.tokens() == [])
        journal.close()
        let database = try DatabaseQueue(path: folder.file)
        try await database.writeWithoutTransaction { db in
            for statement in try String.fetchAll(db, sql: "SELECT statement FROM aside") {
                try db.execute(sql: statement)
            }
            try db.execute(sql: "UPDATE tokens SET created = created - 1")
        }
        try database.close()
        #expect(
            try TokenStoreTests.tokens(in: folder).map { Array($0.name.utf8) } == [
                Array("kitchen".utf8), [0x61, 0, 0x62],
            ])
    }

    @Test("a damaged answer to a repeated request is set aside too")
    func answer() async throws {
        let folder = try TemporaryFolder()
        let journal = try SQLiteJournal(path: folder.file)
        try await journal.append(.begin(answer: StoredAnswer(key: "k\0k", fingerprint: 1, body: [1], expires: .max)))
        #expect(try journal.answers(of: "contacts").map(\.key) == ["k\0k"])
        journal.close()
        let database = try DatabaseQueue(path: folder.file)
        try await database.writeWithoutTransaction { try $0.execute(sql: "UPDATE answers SET fingerprint = 2") }
        try database.close()
        var settings = SQLiteSettings()
        settings.setsAside = true
        let again = try DataFolder(path: folder.path).open(settings).journal
        defer { again.close() }
        #expect(again.setAside.count == 1)
        #expect(try again.answers(of: "contacts") == [])
    }
}
