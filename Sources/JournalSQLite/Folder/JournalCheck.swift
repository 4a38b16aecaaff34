import DirectorLife
import Directors
import Foundation
import GRDB
import Journal

/// The result of verifying a journal that no server has open.
package struct JournalCheck: Sendable {
    /// The damage that was found, at most ``limit`` places; none where the journal is as it was written.
    package let problems: [JournalDamage]
    /// Rows that were read.
    package let rows: Int
    /// Static tokens that were read, whole ones only.
    package let tokens: Int
    /// The faults of the rows that a server has set aside; they are no damage any more.
    package let setAside: [JournalDamage]
    /// The report of reading the journal as a start does; nil if the check of the rows has found damage.
    package let report: RecoveryReport?

    /// The most problems that are reported.
    package static let limit = 100

    /// What is being done.
    package enum Step: Sendable, Hashable {
        /// SQLite's own check of the file's structure.
        case structure
        /// The checksums, after so many rows.
        case rows(Int)
        /// The directors are restored, after so many records.
        case replay(Int)
    }

    /// Verifies a data folder: the structure of the file, the checksum of every row, the order of the records, and that
    /// every director can be restored. Changes nothing but SQLite's index of its log.
    ///
    /// - Throws: `JournalError.refused(_:)` where a server has the folder open or there is no journal; not for damage.
    package init(
        of folder: DataFolder, progress: (Step) -> Void = { _ in }
    ) throws(JournalError) {
        try folder.checkDatabase()
        let lock = try folder.lock()
        defer { lock.release() }
        try self.init(file: folder.database, progress: progress)
    }

    /// Verifies a database that nobody writes to, such as a backup.
    package init(
        file: String, progress: (Step) -> Void = { _ in }
    ) throws(JournalError) {
        do {
            progress(.structure)
            let check = try Self.checkRows(DatabaseFile(path: file, vfs: nil), progress)
            var problems = check.problems
            var report: RecoveryReport?
            if problems.isEmpty {
                do throws(JournalError) {
                    report = try Self.replay(file, progress)
                } catch {
                    guard case .damaged(let damage) = error else { throw error }
                    problems.append(damage)
                }
            }
            (self.problems, rows, tokens, self.report) = (problems, check.rows, check.tokens, report)
            setAside = check.setAside
        } catch {
            let error = JournalError(error)
            guard case .damaged(let damage) = error else { throw error }
            (problems, rows, tokens, setAside, report) = ([damage], 0, 0, [], nil)
        }
    }

    private static func checkRows(
        _ file: DatabaseFile, _ progress: (Step) -> Void
    ) throws -> (problems: [JournalDamage], rows: Int, tokens: Int, setAside: [JournalDamage]) {
        let reader = try file.openReadOnly()
        defer { try? reader.close() }
        return try reader.read { db in
            guard try Schema.check(db) > 0 else { throw JournalError.refused("there is no journal in \(file.path)") }
            let structure = try String.fetchAll(db, sql: "PRAGMA integrity_check(\(limit))").filter { $0 != "ok" }
            var check = RowCheck(limit: limit)
            if structure.isEmpty { try check.checkAll(db) { progress(.rows($0)) } }
            let damage = structure.map { JournalDamage(director: nil, place: "the database file", detail: $0) }
            return (damage + check.problems, check.rows, check.tokens, structure.isEmpty ? try SetAside.rows(db) : [])
        }
    }

    private static func replay(
        _ file: String, _ progress: (Step) -> Void
    ) throws(JournalError) -> RecoveryReport {
        let store = try SQLiteJournal(readingOnly: file)
        defer { store.close() }
        let recovery = try Recovery(
            of: store, limits: DirectorLimits(),
            retention: VersionRetention(count: 1, bytes: .max), isVerifying: true
        ) { progress(.replay($0.records)) }
        return recovery.report
    }
}
