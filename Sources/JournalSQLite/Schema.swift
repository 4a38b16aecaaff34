import Foundation
import GRDB
import Journal

/// The tables of a journal, and the migrations between their versions.
enum Schema {
    /// The `application_id` in SQLite's header: "CBJ1".
    static let applicationID = 0x4342_4A31

    /// The newest version that this program knows, as `user_version` has it.
    static var version: Int { migrations.count }

    /// The migrations from each version to the next, from an empty file on. A released migration is never changed;
    /// another one is added.
    ///
    /// There are no indexes beyond the row numbers: each commit then appends to the ends of few tables, whatever lives
    /// its records belong to. ``RowIndex`` has in memory what has to be found by life. Tokens, which seldom change, are
    /// the exception.
    private static let migrations = [
        """
        -- Each life of a director. `ended` is the sequence of its last record, 0 while it goes on.
        CREATE TABLE lives (
            life INTEGER PRIMARY KEY, director TEXT NOT NULL, epoch TEXT NOT NULL, ended INTEGER NOT NULL,
            checksum INTEGER NOT NULL
        ) STRICT;
        -- The log, in the order of commits. `number` counts the records of one life.
        CREATE TABLE records (
            sequence INTEGER PRIMARY KEY, life INTEGER NOT NULL, number INTEGER NOT NULL, step INTEGER NOT NULL,
            payload BLOB NOT NULL, checksum INTEGER NOT NULL
        ) STRICT;
        -- What each life's snapshot is: after which record, and in which rows of `chunks`.
        CREATE TABLE snapshots (
            snapshot INTEGER PRIMARY KEY, life INTEGER NOT NULL, number INTEGER NOT NULL, first INTEGER NOT NULL,
            chunks INTEGER NOT NULL, bytes INTEGER NOT NULL, isComplete INTEGER NOT NULL, checksum INTEGER NOT NULL
        ) STRICT;
        CREATE TABLE chunks (
            chunk INTEGER PRIMARY KEY, payload BLOB NOT NULL, checksum INTEGER NOT NULL
        ) STRICT;
        -- Answers to requests with an Idempotency-Key.
        CREATE TABLE answers (
            answer INTEGER PRIMARY KEY, life INTEGER NOT NULL, key TEXT NOT NULL, fingerprint INTEGER NOT NULL,
            body BLOB NOT NULL, expires INTEGER NOT NULL, checksum INTEGER NOT NULL
        ) STRICT;
        -- Numbers of the whole journal: the last record that was pruned, how often a failure was fenced off.
        CREATE TABLE marks (name TEXT PRIMARY KEY, value INTEGER NOT NULL) STRICT, WITHOUT ROWID;
        INSERT INTO marks VALUES ('pruned', 0), ('fences', 0);
        """,
        """
        -- Notifications on their way to webhooks, in their order. Times are in milliseconds since 1970; the mark counts
        -- the changes, so that it can be told whether a batch of them is stored.
        CREATE TABLE deliveries (
            delivery INTEGER PRIMARY KEY, id TEXT NOT NULL, hook TEXT NOT NULL, created INTEGER NOT NULL,
            state INTEGER NOT NULL, attempts INTEGER NOT NULL, nextAttempt INTEGER NOT NULL, lastAttempt INTEGER,
            lastError TEXT, body BLOB NOT NULL, checksum INTEGER NOT NULL
        ) STRICT;
        INSERT INTO marks VALUES ('deliveries', 0);
        """,
        """
        -- Static tokens: all but their texts. Times are in seconds since 1970, `expires` is null for one that does not
        -- end, `lastUsed` for one that was not used and not in the checksum. The mark counts the changes.
        CREATE TABLE tokens (
            id TEXT PRIMARY KEY, name TEXT NOT NULL, digest BLOB NOT NULL UNIQUE, grants TEXT NOT NULL,
            created INTEGER NOT NULL, expires INTEGER, lastUsed INTEGER, checksum INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        INSERT INTO marks VALUES ('tokens', 0);
        """,
    ]

    /// Makes the tables of an empty file, or migrates older ones, each step in a transaction.
    ///
    /// - Throws: ``JournalError/refused(_:)`` for a newer schema and for a database that is no journal.
    static func migrate(_ db: Database) throws {
        let found = try check(db)
        for next in found..<version {
            try db.inTransaction(.immediate) {
                try db.execute(sql: migrations[next])
                try db.execute(sql: "PRAGMA user_version = \(next + 1)")
                try db.execute(sql: "PRAGMA application_id = \(applicationID)")
                return .commit
            }
        }
    }

    /// Checks the structure of every page: a row that a damaged page hides has no checksum that could be wrong.
    ///
    /// - Complexity: One read of the file, far quicker than making directors of it.
    static func checkStructure(_ db: Database) throws {
        let found = try String.fetchOne(db, sql: "PRAGMA quick_check(1)") ?? "nothing"
        guard found != "ok" else { return }
        throw JournalDamage(director: nil, place: "the database file", detail: found.replacing("\n", with: " "))
    }

    /// The name of the database's file, for messages.
    static func name(_ db: Database) throws -> String {
        let path = try String.fetchOne(db, sql: "SELECT file FROM pragma_database_list WHERE name = 'main'") ?? ""
        return (path as NSString).lastPathComponent
    }

    /// The statements that lead from a version to the next.
    static func migration(_ version: Int) -> String { migrations[version] }

    /// The version of the tables that are there, 0 for an empty file. Reads nothing but the header and the schema.
    ///
    /// - Throws: ``JournalError/refused(_:)`` for a newer schema, for one that was changed, and for a database that is no
    ///   journal.
    @discardableResult
    static func check(_ db: Database) throws -> Int {
        let application = try Int.fetchOne(db, sql: "PRAGMA application_id") ?? 0
        let found = try Int.fetchOne(db, sql: "PRAGMA user_version") ?? 0
        let tables = try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_schema") ?? 0
        if application == 0, found == 0, tables == 0 { return 0 }
        guard application == applicationID, found > 0 else {
            throw JournalError.refused(
                "the header of \(try name(db)) does not say that it is a journal of Callboard's; choose another data folder"
            )
        }
        guard found <= version else {
            throw JournalError.refused(
                "the header of \(try name(db)) has schema version \(found) and this program knows up to \(version); "
                    + "start a newer Callboard, or restore a backup that an older one has made")
        }
        try checkObjects(db, version: found)
        return found
    }
}
