import Foundation
import GRDB
import Journal

extension DatabaseFile {
    /// Refuses a log that was changed in the middle, before anything is written over what stands behind.
    ///
    /// Where syncs have failed, commits that never counted may be left behind those that do; nothing is said then.
    func checkLog() throws {
        do {
            try WriteAheadLog.check(path + "-wal")
        } catch {
            guard let reader = try? openReadOnly() else { throw error }
            defer { try? reader.close() }
            let fences = try? reader.read { try LoadedIndex.mark("fences", $0) }
            guard let fences, fences > 0 else { throw error }
        }
    }

    /// Says where the file is damaged, where SQLite has only said that it is.
    ///
    /// - Returns: The damage with the page or the part of the file; as it was where nothing more can be told.
    func locating(_ damage: JournalDamage) -> JournalDamage {
        guard damage.place == "the database file" else { return damage }
        if let page = missingPage {
            return JournalDamage(
                director: damage.director, place: "page \(page) of the database file",
                detail: "the file ends before it (\(damage.detail))")
        }
        let found = damage.detail.contains(/[0-9]/) ? damage.detail : structuralDamage ?? damage.detail
        if found.contains(/\b[Pp]age|Tree|[Ff]reelist/) {
            return JournalDamage(director: damage.director, place: damage.place, detail: found)
        }
        // What is not said of a page is said of the header, or of what it leads to: the tables' definitions.
        return JournalDamage(
            director: damage.director, place: "the header or schema of the database file", detail: found)
    }

    /// The first page that the header counts and the file does not have (SQLite's file format, section 1.3).
    private var missingPage: Int? {
        guard let file = FileHandle(forReadingAtPath: path), let header = try? file.read(upToCount: 100),
            header.count == 100, let size = try? file.seekToEnd()
        else { return nil }
        let short = Int(header[16]) << 8 | Int(header[17])
        let pageSize = short == 1 ? 65_536 : short
        let pages = header[28..<32].reduce(0) { $0 << 8 | Int($1) }
        guard pageSize >= 512, pages > 0, Int(size) < pages * pageSize else { return nil }
        return Int(size) / pageSize + 1
    }

    /// What SQLite's own check finds first; nil where it cannot even begin.
    private var structuralDamage: String? {
        guard let reader = try? openReadOnly() else { return nil }
        defer { try? reader.close() }
        let found = try? reader.read { try String.fetchOne($0, sql: "PRAGMA integrity_check(1)") }
        return found.flatMap { $0 == "ok" ? nil : $0.replacing("\n", with: " ") }
    }
}
