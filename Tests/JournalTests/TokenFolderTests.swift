import Access
import Foundation
import GRDB
import Journal
import JournalTesting
import Testing

@testable import JournalSQLite

/// Tokens in data folders: older ones, copies, and damaged ones.
struct TokenFolderTests {
    @Test("a data folder of the schema before tokens is brought up to date, with all that is in it")
    func migration() async throws {
        let folder = try EarlierFolder.make(schema: 2)
        let journal = try SQLiteJournal(path: folder.file)
        #expect(try journal.lives().map(\.director) == ["contacts"])
        #expect(try journal.deliveries.deliveries().map(\.lastError) == ["the target answered 500"])
        #expect(try journal.tokens.tokens() == [])
        try await journal.tokens.write([.put(.sample(1))])
        journal.close()
        #expect(try TokenStoreTests.tokens(in: folder) == [.sample(1)])
        let check = try JournalCheck(of: DataFolder(path: folder.path))
        #expect(check.problems == [] && check.tokens == 1)
    }

    @Test("a data folder of the schema before tokens can be checked, copied and read as it is")
    func earlierAsItIs() throws {
        let folder = try EarlierFolder.make(schema: 2)
        let reader = try SQLiteJournal(readingOnly: folder.file)
        #expect(try reader.tokens.tokens() == [])
        reader.close()
        let check = try JournalCheck(of: DataFolder(path: folder.path))
        #expect(check.problems == [] && check.tokens == 0)
        let copy = try Backup.make(of: DataFolder(path: folder.path), to: folder.path + "/copy.db")
        let other = try TemporaryFolder()
        try Backup.restore(copy, to: DataFolder(path: other.path), overwriting: true)
        #expect(try TokenStoreTests.tokens(in: other) == [])
    }

    @Test("a backup has the tokens of its moment, and restoring it brings them back")
    func backup() async throws {
        let folder = try TemporaryFolder()
        let data = DataFolder(path: folder.path)
        let journal = try data.open().journal
        try await journal.tokens.write([.put(.sample(1)), .put(.sample(2)), .used(id: "tok_2", at: 5)])
        let expected = try journal.tokens.tokens()
        let copy = try Backup.make(of: data, to: folder.path + "/copy.db")
        try await journal.tokens.write([.remove(id: "tok_1")])
        journal.close()
        let other = DataFolder(path: folder.path + "/other")
        try Backup.restore(copy, to: other, overwriting: false)
        let check = try JournalCheck(of: other)
        #expect(check.problems == [] && check.tokens == 2)
        let restored = try other.open().journal
        defer { restored.close() }
        #expect(try restored.tokens.tokens() == expected)
    }

    @Test("the file has a token's digest and not its text")
    func secret() async throws {
        let folder = try TemporaryFolder()
        let journal = try SQLiteJournal(path: folder.file)
        let token = StaticToken.random()
        try await journal.tokens.write([
            .put(TokenEntry(name: "kitchen", digest: token.digest, grants: .everything, createdAt: 1))
        ])
        journal.close()
        let bytes = try Data(contentsOf: URL(fileURLWithPath: folder.file))
        #expect(bytes.range(of: Data(token.digest.bytes)) != nil)
        #expect(bytes.range(of: Data(token.text.utf8)) == nil)
    }

    @Test(
        "a token that was changed on the disk is named, and none is handed out",
        arguments: [
            "name = 'other'", "digest = zeroblob(32)", "digest = x'00'", "grants = '[]'", "grants = 'nonsense'",
            "created = 5", "expires = 5", "checksum = checksum + 1", "id = 'tok_7'",
        ])
    func damage(_ change: String) async throws {
        let folder = try TemporaryFolder()
        let journal = try SQLiteJournal(path: folder.file)
        try await journal.tokens.write([.put(.sample(1)), .put(.sample(2))])
        journal.close()
        let database = try DatabaseQueue(path: folder.file)
        try await database.write { try $0.execute(sql: "UPDATE tokens SET \(change) WHERE id = 'tok_2'") }
        try database.close()
        let place = change.hasPrefix("id") ? "token tok_7" : "token tok_2"
        let check = try JournalCheck(of: DataFolder(path: folder.path))
        #expect(check.problems.map(\.place) == [place])
        let opened = try SQLiteJournal(path: folder.file)
        defer { opened.close() }
        let error = #expect(throws: JournalError.self) { try opened.tokens.tokens() }
        guard case .damaged(let damage)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(damage.place == place)
    }

    @Test("grants that a later program may have written are refused with their token's name")
    func unknownGrants() async throws {
        let folder = try TemporaryFolder()
        let journal = try SQLiteJournal(path: folder.file)
        defer { journal.close() }
        let entry = TokenEntry.sample(1)
        let grants = #"[{"actions":["fly"],"directors":["*"]}]"#
        let sum = Checksum.rows.token(
            entry.id, name: "n", digest: entry.digest.bytes, grants: grants, created: 1, expires: nil)
        try journal.thread.committer.withLock { committer in
            try committer.database?.write { db in
                try db.execute(
                    sql: "INSERT INTO tokens VALUES (?, 'n', ?, ?, 1, NULL, NULL, ?)",
                    arguments: [entry.id, Data(entry.digest.bytes), grants, sum])
            }
        }
        let error = #expect(throws: JournalError.self) { try journal.tokens.tokens() }
        guard case .damaged(let damage)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(damage.place == "token tok_1" && damage.detail.contains("grants"))
    }
}
