import Access
import DirectorLife
import Directors
import Journal

extension JournalCheck {
    /// Verifies a database as it is at one moment: the checksum of every row, the order of the records, and that every
    /// director can be restored. Changes nothing; servers may run meanwhile.
    ///
    /// - Throws: `JournalError.refused(_:)` where there is no journal, or one of a newer version; not for damage.
    package init(
        of address: DatabaseAddress, settings: PostgresSettings = PostgresSettings(),
        progress: (Step) -> Void = { _ in }
    ) throws(JournalError) {
        let reader = try SnapshotReader(address, settings)
        try self.init { () throws(JournalError) in
            try reader.checkRows(progress)
        } restoring: { () throws(JournalError) in
            try Self.restore(reader.lives(), progress)
        }
    }
}

/// A connection that sees the database as it was when it began to read.
private final class SnapshotReader: RowReader {
    private let connection: Connection
    private let settings: PostgresSettings

    private static let begin = Statement("begin-reading", "BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY")
    private static let snapshots = Statement(
        "check-snapshots",
        """
        SELECT life, number, chunks, bytes, checksum, \(director), (
            SELECT count(*) FROM callboard.chunks WHERE chunks.life = found.life AND chunks.number = found.number
                AND chunk BETWEEN 0 AND found.chunks - 1)
        FROM callboard.snapshots AS found WHERE checksum IS NOT NULL
        """)
    private static let chunks = Statement(
        "check-chunks",
        """
        SELECT life, number, chunk, payload, found.checksum, \(director) FROM callboard.chunks AS found
        JOIN callboard.snapshots USING (life, number) WHERE snapshots.checksum IS NOT NULL
        """)
    private static let director =
        "(SELECT director FROM callboard.lives WHERE lives.life = found.life)"
    private static let hasAside = Statement("aside-there", "SELECT to_regclass('callboard.aside') IS NOT NULL")
    private static let aside = Statement(
        "aside-read", "SELECT place, detail FROM callboard.aside ORDER BY moved, place")

    init(_ address: DatabaseAddress, _ settings: PostgresSettings) throws(JournalError) {
        self.settings = settings
        do {
            connection = try Connection.open(address, within: settings.connectDeadline, session: Statements.session)
            guard try Schema.version(of: connection, within: settings.deadline).tables > 0 else {
                throw JournalError.refused("there is no journal in the database")
            }
            _ = try connection.run([Self.begin()], within: settings.deadline)
        } catch {
            throw JournalError(error)
        }
    }

    func read(_ call: StatementCall, _ take: (DatabaseRow) throws -> Void) throws(JournalError) {
        do {
            try connection.stream(call, within: settings.deadline, take)
        } catch {
            throw JournalError(error)
        }
    }

    /// The lives that go on, for restoring them.
    func lives() throws(JournalError) -> StoredLives<SnapshotReader> {
        do {
            let loaded = try LoadedRows(connection, settings, now: 0)
            return StoredLives(index: loaded.index, scope: .all, now: 0, bytesOnDisk: try bytes(), reader: self)
        } catch {
            throw JournalError(error)
        }
    }

    private func bytes() throws -> Int {
        let row = try connection.run([DatabaseFacts.selection()], within: settings.deadline)[0].first
        return try row?.integer(2, "the sizes") ?? 0
    }

    /// Reads every row of every table.
    func checkRows(_ progress: (JournalCheck.Step) -> Void) throws(JournalError) -> JournalCheck.Rows {
        var found = JournalCheck.Rows()
        func each(_ call: StatementCall, _ check: (DatabaseRow) throws -> Void) throws(JournalError) {
            guard !found.isFull else { return }
            try read(call) { row in
                found.count += 1
                do {
                    try check(row)
                } catch let damage as JournalDamage {
                    found.add(damage)
                }
                if found.count.isMultiple(of: 10_000) { progress(.rows(found.count)) }
            }
        }
        try each(StoredRecord.selection(.all)) { _ = try StoredRecord($0) }
        try each(Self.snapshots(), Self.checkSnapshot)
        try each(Self.chunks(), Self.checkChunk)
        try each(StoredAnswer.all()) { _ = try StoredAnswer(ofAll: $0) }
        try each(Delivery.selection()) { _ = try Delivery($0) }
        var tokens = 0
        try each(TokenEntry.selection()) { row in
            _ = try TokenEntry(row)
            tokens += 1
        }
        found.tokens = tokens
        found.setAside = try setAside()
        progress(.rows(found.count))
        return found
    }

    private func setAside() throws(JournalError) -> [JournalDamage] {
        var rows: [JournalDamage] = []
        var isThere = false
        try read(Self.hasAside()) { isThere = try $0.flag(0, "the schema") }
        guard isThere else { return [] }
        try read(Self.aside()) { row in
            let place = try row.text(0, "a row of aside")
            rows.append(JournalDamage(director: nil, place: place, detail: try row.text(1, place)))
        }
        return rows
    }

    private static func checkSnapshot(_ row: DatabaseRow) throws {
        let (life, number) = (try row.key(0, "a row of snapshots"), try row.key(1, "a row of snapshots"))
        let place = "the snapshot of life \(life) after record \(number)"
        let (chunks, there) = (try row.key(2, place), try row.key(6, place))
        let sum = RowChecksum.snapshot(life: life, number: number, chunks: chunks, bytes: try row.key(3, place))
        guard try row.integer(4, place) == sum else {
            throw RowChecksum.rows.fault(place, director: try? row.text(5, place))
        }
        guard there < chunks else { return }
        throw JournalDamage(
            director: try? row.text(5, place), place: place, detail: "it has \(chunks) chunks, and \(there) are there")
    }

    private static func checkChunk(_ row: DatabaseRow) throws {
        let (life, number) = (try row.key(0, "a row of chunks"), try row.key(1, "a row of chunks"))
        let chunk = try row.key(2, "a row of chunks")
        let place = "chunk \(chunk) of the snapshot of life \(life) after record \(number)"
        let sum = RowChecksum.chunk(life: life, number: number, chunk: chunk, payload: try row.bytes(3, place))
        guard try row.integer(4, place) == sum else {
            throw RowChecksum.rows.fault(place, director: try? row.text(5, place))
        }
    }
}
