import DirectorLife
import Directors
import JSONValues
import JournalTesting
import Testing

@testable import Journal
@testable import JournalSQLite

/// What earlier programs have written is read, and what this one writes can be read by them, but for what they do not know.
struct EarlierFolderTests {
    private static let retention = VersionRetention(count: 10, bytes: 1 << 20)

    private func recover(_ journal: SQLiteJournal) throws -> RecoveredDirector {
        let directors = try Recovery(of: journal, limits: DirectorLimits(), retention: Self.retention).directors
        #expect(directors.map(\.state.director.name) == ["contacts"])
        return try #require(directors.first)
    }

    @Test("a data folder of an earlier program is whole, and all that is in it is there again", arguments: [2, 3])
    func reading(schema: Int) throws {
        let folder = try EarlierFolder.make(schema: schema)
        #expect(try JournalCheck(of: DataFolder(path: folder.path)).problems == [])
        let journal = try SQLiteJournal(path: folder.file)
        defer { journal.close() }
        let recovered = try recover(journal)
        let director = recovered.state.director
        #expect(director.epoch == "k3f9" && director.revision == 6 && recovered.state.number == 5)
        #expect(director.working.list.sections.map(\.identifier) == ["s"])
        let values = director.working.list.sections.flatMap(\.elements).map(\.value.text)
        #expect(values == [#"{"id":3,"n":3}"#, #"{"id":"a","n":4,"m":1}"#])
        #expect(director.working.variables["v"]?.text == "[1.50]")
        #expect(director.hooks[.cell("Item"), "didSelect"]?.url?.description == "https://example.com/hook")
        #expect(recovered.state.versions.retained.map(\.version) == [0, 1, 2, 3])
        #expect(recovered.answers.map(\.key) == ["k1", "k2"])
        #expect(recovered.answers.first?.fingerprint == .max)
        #expect(try journal.deliveries.deliveries().map(\.lastError) == ["the target answered 500"])
    }

    @Test("the changesets of an earlier program are events with the id of their version")
    func changesets() throws {
        let folder = try EarlierFolder.make()
        let journal = try SQLiteJournal(path: folder.file)
        defer { journal.close() }
        for version in try recover(journal).state.versions.retained.dropFirst() {
            let frame = try #require(version.changeset?.frame)
            let text = String(decoding: frame.storage[frame.payload], as: UTF8.self)
            #expect(text.hasPrefix("event: changeset\ndata: {\"director\":\"contacts\","))
            #expect(text.hasSuffix("}\nid: k3f9-\(version.version)\n\n"))
        }
    }

    @Test("this program writes the same bytes for the same entries and the same state")
    func writing() throws {
        let folder = try EarlierFolder.make()
        let journal = try SQLiteJournal(path: folder.file)
        defer { journal.close() }
        let records = try journal.allRecords()
        #expect(records.count == 7)
        for record in records {
            let entries = try RecordCoding.decode(record.payload).compactMap { decoded -> LifeEntry? in
                guard case .entry(let entry) = decoded else { return nil }
                return entry
            }
            #expect(RecordCoding.encode(entries) == record.payload, "\(record.position)")
        }
        let snapshot = try #require(try journal.snapshotBytes())
        var chunks = [snapshot].makeIterator()
        var decoder = StateDecoder { chunks.next() }
        let replay = Replay(try decoder.decode(), epoch: "k3f9", number: 4, retention: Self.retention)
        #expect(try replay.finish(limits: DirectorLimits()).snapshotBytes() == snapshot)
    }

    @Test("in an earlier program's folder a cause waits over restarts, in the log and in a snapshot, and then is shown")
    func causes() async throws {
        let folder = try EarlierFolder.make()
        let first = try SQLiteJournal(path: folder.file)
        #expect(try recover(first).state.director.working.causes.isEmpty)
        try await first.append(
            LifeRecord(
                director: "contacts", epoch: "k3f9", number: 6,
                entries: [
                    .performed([.elements(of: .section(.first), .remove(.first))], revision: 7),
                    .caused("c1"),
                ]))
        first.close()
        let second = try SQLiteJournal(path: folder.file)
        var state = try recover(second).state
        #expect(state.director.working.causes.names == ["c1"])
        await second.storeSnapshot(state)
        second.close()
        let third = try SQLiteJournal(path: folder.file)
        defer { third.close() }
        state = try recover(third).state
        #expect(try third.lives().first?.snapshot == 6)
        #expect(state.director.working.causes.names == ["c1"])
        let frame = try #require(try state.perform(.published(version: 4, animations: nil)))
        guard case .published(let version) = frame else { throw ByteReader.Fault(detail: "nothing is published") }
        #expect(version.change.causes.names == ["c1"] && state.director.working.causes.isEmpty)
        #expect(state.versions.causes(after: 2, through: 4).names == ["c1"])
    }

    @Test("an earlier program's folder goes on: records, an answer, a snapshot, and a restart", arguments: [2, 3])
    func goingOn(schema: Int) async throws {
        let folder = try EarlierFolder.make(schema: schema)
        let first = try SQLiteJournal(path: folder.file)
        let answer = StoredAnswer(key: "k3", fingerprint: 3, body: [3], expires: .max)
        try await first.append(
            LifeRecord(
                director: "contacts", epoch: "k3f9", number: 6,
                entries: [.performed([.setVariable(name: "v", value: .text("new"))], revision: 7)], answer: answer))
        let before = try recover(first)
        await first.storeSnapshot(before.state)
        first.close()
        let again = try SQLiteJournal(path: folder.file)
        defer { again.close() }
        let after = try recover(again)
        #expect(try again.lives().first?.snapshot == 6)
        #expect(after.state.director.working == before.state.director.working)
        #expect(after.state.versions.retained.map(\.state) == before.state.versions.retained.map(\.state))
        #expect(after.answers.map(\.key) == ["k1", "k2", "k3"])
    }
}
