import GRDB
import Journal

/// The objects of a database's schema, compared with the ones that this program makes.
///
/// A database file comes from outside, and its schema is a program: a view that is called like a table, a trigger or a
/// generated column would run with the next statement. So nothing is read of a file whose schema is not known to the
/// letter.
struct SchemaObject: Hashable {
    let kind: String
    let name: String
    let table: String
    /// The statement that has made it, without spaces; empty for an index that SQLite has made by itself.
    let sql: String

    /// Reads the objects of a database, but for the statistics that `ANALYZE` leaves.
    static func all(_ db: Database) throws -> Set<SchemaObject> {
        let objects = try db.read("SELECT type, name, tbl_name, sql FROM sqlite_schema") { row in
            let texts = try (0...2).map { try row.text($0, "the schema of the database file") }
            return SchemaObject(
                kind: texts[0], name: texts[1], table: texts[2],
                sql: row.isNull(3) ? "" : plain(try row.text(3, "the schema of the database file")))
        }
        return Set(objects).subtracting(statistics)
    }

    /// The statement without its layout, which versions and `VACUUM` may have changed.
    private static func plain(_ sql: String) -> String {
        sql.filter { $0 != " " && $0 != "\n" && $0 != "\t" }
    }

    private static let statistics: Set<SchemaObject> = [
        table("sqlite_stat1", "CREATE TABLE sqlite_stat1(tbl,idx,stat)"),
        table("sqlite_stat4", "CREATE TABLE sqlite_stat4(tbl,idx,neq,nlt,ndlt,sample)"),
    ]

    private static func table(_ name: String, _ sql: String) -> SchemaObject {
        SchemaObject(kind: "table", name: name, table: name, sql: plain(sql))
    }

    /// For messages.
    var text: String { "\(kind) \(name.debugDescription)" }
}

extension Schema {
    /// The objects of each version, from 1 on, and the table of what was set aside, which is made when it is needed.
    private static let known: Result<(versions: [Set<SchemaObject>], aside: Set<SchemaObject>), any Error> = Result {
        try DatabaseQueue().writeWithoutTransaction { db in
            let versions = try (0..<version).map { index in
                try db.execute(sql: migration(index))
                return try SchemaObject.all(db)
            }
            try db.execute(sql: SetAside.table)
            return (versions, try SchemaObject.all(db).subtracting(versions.last ?? []))
        }
    }

    /// Refuses a database whose schema is not that of a version to the letter.
    static func checkObjects(_ db: Database, version: Int) throws {
        let known = try known.get()
        let found = try SchemaObject.all(db)
        let expected = known.versions[version - 1]
        // A migration writes the number together with the tables: where they disagree, the header is damaged.
        if let other = known.versions.firstIndex(of: found.subtracting(known.aside)), other != version - 1 {
            throw JournalError.refused(
                "the header of \(try name(db)) has schema version \(version), and its tables are those of version "
                    + "\(other + 1): the header is damaged, and nothing was read; restore a backup")
        }
        let strange = found.subtracting(expected).subtracting(known.aside)
        if let object = strange.min(by: { $0.name < $1.name }) {
            let isChanged = expected.contains { $0.name == object.name }
            throw JournalError.refused(
                "\(try name(db)) has the \(object.text), which "
                    + (isChanged ? "differs from that of a Callboard journal" : "no Callboard journal has")
                    + "; nothing was read from the file: restore a backup, or undo the change")
        }
        if let missing = expected.subtracting(found).min(by: { $0.name < $1.name }) {
            throw JournalDamage(
                director: nil, place: "the schema of the database file", detail: "the \(missing.text) is missing")
        }
    }
}
