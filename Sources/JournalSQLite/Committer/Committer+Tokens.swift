import Access
import DirectorLife
import Foundation
import GRDB
import Journal

extension Committer {
    /// Makes all changes of a unit, or none where one of them is refused.
    ///
    /// - Returns: Success, or why the unit was refused.
    /// - Throws: An error of the whole transaction.
    mutating func write(_ changes: [TokenChange], _ db: Database) throws -> Result<Void, JournalError> {
        try db.cachedStatement(sql: "SAVEPOINT tokens").execute()
        for change in changes {
            do {
                try change.make(db)
            } catch let error as DatabaseError where error.extendedResultCode == .SQLITE_CONSTRAINT_UNIQUE {
                try db.cachedStatement(sql: "ROLLBACK TO tokens").execute()
                try db.cachedStatement(sql: "RELEASE tokens").execute()
                return .failure(.superseded("\(StorageError.digestTaken(by: change.id))"))
            }
        }
        try db.cachedStatement(sql: "RELEASE tokens").execute()
        rowIndex.counters.tokens += 1
        return .success(())
    }
}

/// The tokens of a journal on disk: they share the commits of its records.
struct SQLiteTokenStore: TokenStore {
    let journal: SQLiteJournal

    func tokens() throws(JournalError) -> [TokenEntry] {
        try journal.read { db in
            guard try CountedTable.tokens.exists(in: db) else { return [] }
            var entries: [TokenEntry] = []
            let rows = try GRDB.Row.fetchCursor(db, sql: TokenEntry.selection)
            while let row = try rows.next() { entries.append(try TokenEntry(row)) }
            return entries
        }
    }

    func write(
        _ changes: [TokenChange], completion: @escaping @Sendable (Result<Void, StorageError>) -> Void
    ) {
        journal.append([.tokens(changes)]) { _, results in
            for result in results { completion(result.mapError(StorageError.init)) }
        }
    }
}

extension TokenChange {
    fileprivate func make(_ db: Database) throws {
        switch self {
        case .put(let entry): try entry.insert(db)
        case .remove(let id):
            try db.cachedStatement(sql: "DELETE FROM tokens WHERE id = CAST(? AS TEXT)")
                .execute(arguments: [id.stored])
        case .used(let id, let time):
            try db.cachedStatement(sql: "UPDATE tokens SET lastUsed = ? WHERE id = CAST(? AS TEXT)")
                .execute(arguments: [time, id.stored])
        }
    }
}

extension TokenEntry {
    static let columns = "id, name, digest, grants, created, expires, lastUsed, checksum"

    /// Reads all rows of `tokens`, for ``init(_:)``.
    static let selection = "SELECT \(columns) FROM tokens ORDER BY created, id"

    /// Reads and checks a row of `tokens`.
    init(_ row: GRDB.Row) throws {
        let id = try row.text(0, "a row of tokens")
        let place = "token \(id)"
        let (name, stored) = (try row.text(1, place), try row.text(3, place))
        let (bytes, created) = (try row.bytes(2, place), try row.time(4, perSecond: 1, place))
        let expires = row.isNull(5) ? nil : try row.time(5, perSecond: 1, place)
        let sum = Checksum.rows.token(
            id, name: name, digest: bytes, grants: stored, created: created, expires: expires)
        guard try row.integer(7, place) == sum else { throw Checksum.rows.fault(place) }
        guard let digest = TokenDigest(bytes: bytes), let grants = GrantCoding.decode(stored) else {
            throw JournalDamage(director: nil, place: place, detail: "its digest or its grants cannot be read")
        }
        self.init(
            id: id, name: name, digest: digest, grants: grants, createdAt: created, expiresAt: expires,
            lastUsedAt: row.isNull(6) ? nil : try row.time(6, perSecond: 1, place))
    }

    /// Inserts the row, or changes the one with its identifier.
    ///
    /// - Throws: SQLite's error of a constraint where another row has its digest.
    fileprivate func insert(_ db: Database) throws {
        let statement = try db.cachedStatement(
            sql: """
                INSERT INTO tokens VALUES (CAST(? AS TEXT), CAST(? AS TEXT), ?, CAST(? AS TEXT), ?, ?, ?, ?)
                ON CONFLICT (id) DO UPDATE SET name = excluded.name, digest = excluded.digest,
                    grants = excluded.grants, created = excluded.created, expires = excluded.expires,
                    lastUsed = excluded.lastUsed, checksum = excluded.checksum
                """)
        let grants = GrantCoding.encode(self.grants)
        try statement.execute(arguments: [
            id.stored, name.stored, Data(digest.bytes), grants.stored, createdAt, expiresAt, lastUsedAt,
            Checksum.rows.token(self, grants: grants),
        ])
    }
}
