import DirectorLife
import Directors
import Foundation
import GRDB
import Notation
import Testing

@testable import Journal
@testable import JournalSQLite

/// Folders of a program that took canonically equivalent names for the same, and control characters from U+0080 in them:
/// what they refer to by another spelling is found, and from there on equal is equal bytes.
struct EarlierSpellingTests {
    private static let retention = VersionRetention(count: 10, bytes: 1 << 20)
    private static let (composed, decomposed, control) = ("caf\u{E9}", "cafe\u{301}", "x\u{85}y")

    /// Makes a folder with the rows of a fixture in it.
    private func folder(_ fixture: String) throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        try SQLiteJournal(path: folder.file).close()
        let rows = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("Fixtures/\(fixture).sql")
        let database = try DatabaseQueue(path: folder.file)
        try database.write { try $0.execute(sql: try String(contentsOf: rows, encoding: .utf8)) }
        try database.close()
        return folder
    }

    private func states(in folder: TemporaryFolder) throws -> [Name: Director] {
        #expect(try JournalCheck(of: DataFolder(path: folder.path)).problems == [])
        let journal = try SQLiteJournal(path: folder.file)
        defer { journal.close() }
        let directors = try Recovery(of: journal, limits: DirectorLimits(), retention: Self.retention).directors
        return Dictionary(uniqueKeysWithValues: directors.map { (Name($0.state.director.name), $0.state.director) })
    }

    private static let fixtures = ["spellings-log", "spellings-snapshot"]

    @Test("all of it is there, told apart by bytes", arguments: fixtures)
    func reading(_ fixture: String) throws {
        let directors = try states(in: try folder(fixture))
        #expect(Set(directors.keys) == [Name(Self.composed), Name(Self.control), "plain"])
        for director in directors.values {
            #expect(director.adapters.cells[Self.composed] != nil && director.adapters.cells[Self.control] != nil)
            #expect(director.adapters.headerFooters[Self.control] != nil)
            #expect(director.working.variables[Name(Self.control)] != nil)
            let sections = director.working.list.sections.map { Name($0.identifier) }
            let wanted: [Name] = [Name(Self.composed), Name(Self.decomposed), Name(Self.control), "rows"]
            #expect(Array(sections.prefix(4)) == wanted)
            for section in director.working.list.sections.prefix(3) {
                let elements = section.elements.map { Name($0.identifier) }
                #expect(elements == [Name(Self.composed), Name(Self.decomposed), Name("e\0\n" + section.identifier)])
                // Each element belongs to an adapter that is there.
                for element in section.elements { #expect(director.adapters.cells[element.model] != nil) }
            }
        }
    }

    @Test("it goes on from a snapshot of this program, from a copy, and from what was restored", arguments: fixtures)
    func goingOn(_ fixture: String) async throws {
        let folder = try folder(fixture)
        let before = try states(in: folder)
        let journal = try SQLiteJournal(path: folder.file)
        for director in try Recovery(of: journal, limits: DirectorLimits(), retention: Self.retention).directors {
            await journal.storeSnapshot(director.state)
        }
        journal.close()
        func compare(_ after: [Name: Director]) {
            #expect(Set(after.keys) == Set(before.keys))
            for (name, director) in after {
                #expect(director.working == before[name]?.working && director.published == before[name]?.published)
                #expect(director.adapters == before[name]?.adapters && director.hooks == before[name]?.hooks)
            }
        }
        compare(try states(in: folder))
        let copy = try Backup.make(of: DataFolder(path: folder.path), to: folder.path + "/copy.db")
        let other = try TemporaryFolder()
        try Backup.restore(copy, to: DataFolder(path: other.path), overwriting: true)
        compare(try states(in: other))
    }
}
