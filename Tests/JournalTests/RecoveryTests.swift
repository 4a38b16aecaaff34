import DirectorLife
import Directors
import JSONValues
import JournalTesting
import ListDiff
import TestSupport
import Testing

@testable import Journal
@testable import JournalSQLite

/// What was acknowledged is there again.
struct RecoveryTests {
    private static let retention = VersionRetention(count: 6, bytes: 1 << 20)

    private func recover(_ journal: some RecoverableJournal) throws -> Recovery {
        try Recovery(of: journal, limits: DirectorLimits(), retention: Self.retention)
    }

    @Test("random lives that are cut off anywhere are there again, states, versions, answers and all")
    func randomLives() async throws {
        let seed = SeededGenerator.seedOfRun("random lives")
        for round in 0..<12 {
            try await randomLife(seed &+ UInt64(round), restarts: 3, steps: 40)
        }
    }

    /// One round: a few directors live on through several kills, each a copy of the files at that moment.
    private func randomLife(_ seed: UInt64, restarts: Int, steps: Int) async throws {
        var random = SeededGenerator(seed: seed)
        let settings = SQLiteSettings(snapshotThreshold: 1500, pruneThreshold: 1000, checkpointThreshold: 100_000)
        var folder = try TemporaryFolder()
        var lives = (0..<3).map { RandomLife("director \($0)", epoch: "e\($0)", seed: random.next()) }
        for restart in 0...restarts {
            let journal = try SQLiteJournal(path: folder.file, settings: settings)
            let recovery = try recover(journal)
            #expect(recovery.directors.count == (restart == 0 ? 0 : lives.count))
            for (recovered, life) in zip(recovery.directors, lives) {
                let differences = recovered.differences(from: life)
                #expect(differences.isEmpty, "seed \(seed), restart \(restart), \(life.director.name)")
                if !differences.isEmpty { return print(life.trace.joined(separator: "\n")) }
            }
            for index in lives.indices {
                if restart == 0 { try await journal.append(lives[index].begin()) }
            }
            for _ in 0..<steps {
                let index = random.below(lives.count)
                try await journal.append(lives[index].step())
                if journal.isSnapshotDue(for: lives[index].director.name) {
                    journal.snapshot(lives[index].state)
                }
            }
            let killed = try folder.copy(of: journal)
            journal.close()
            folder = killed
        }
    }

    @Test("every state between two snapshots is there again, whenever the snapshot was finished")
    func snapshotAtEveryStep() async throws {
        let seed = SeededGenerator.seedOfRun("snapshot at every step")
        var life = RandomLife("one", epoch: "e", seed: seed)
        let folder = try TemporaryFolder()
        let journal = try SQLiteJournal(path: folder.file, settings: SQLiteSettings(pruneThreshold: 0))
        defer { journal.close() }
        try await journal.append(life.begin())
        for step in 0..<60 {
            try await journal.append(life.step())
            journal.snapshot(life.state)
            if step % 3 == 0 { try await eventually("a snapshot") { journal.counts.snapshots > step / 3 } }
            let killed = try folder.copy(of: journal)
            let other = try SQLiteJournal(path: killed.file)
            defer { other.close() }
            let recovered = try #require(try recover(other).directors.first)
            #expect(recovered.differences(from: life).isEmpty, "seed \(seed), step \(step)")
        }
    }

    @Test("a version is there again where its reload would find nothing to publish by now")
    func versionWithoutChange() async throws {
        let folder = try TemporaryFolder()
        let journal = try SQLiteJournal(path: folder.file)
        defer { journal.close() }
        let director = Director(name: "one", epoch: "e", properties: DirectorProperties(defaultsOf: .table))
        let beginning: [LifeEntry] = [.defined(director), .published(version: 1, animations: nil)]
        try await journal.append(LifeRecord(director: "one", epoch: "e", number: 1, entries: beginning))
        let recovered = try #require(try recover(journal).directors.first)
        #expect(recovered.state.director.version == 1)
        #expect(recovered.state.versions.retained.map(\.state.version) == [0, 1])
    }

    @Test("a log of an earlier program leads to what it published: without the values that no adapter looks at")
    func earlierVersions() async throws {
        let journal = RecoverableMemoryJournal()
        var director = Director(name: "one", epoch: "e", properties: DirectorProperties(defaultsOf: .table))
        try director.register(CellAdapter(model: "Item", cell: "Cell", content: [JSONPointer(tokens: ["n"])]))
        let beginning = LifeRecord(director: "one", epoch: "e", number: 1, entries: [.defined(director)])
        try await journal.append(beginning)
        var number = 1
        func append(_ operations: [Directors.Operation], publishing version: Int, isEarlier: Bool) async throws {
            number += 1
            try director.perform(operations)
            let performed = LifeEntry.performed(operations, revision: director.revision)
            let entries = isEarlier ? [performed] : [performed, .published(version: version, animations: nil)]
            let record = LifeRecord(director: "one", epoch: "e", number: number, entries: entries)
            guard isEarlier else { return try await journal.append(record) }
            // What an earlier program wrote of a version: the entry's kind, 3, the number, and no animations.
            var published = ByteWriter()
            for number in [3, version, 0] { published.number(number) }
            let payload = RecordCoding.encode(entries) + published.bytes
            #expect(
                RecordCoding.encode(entries + [.published(version: version, animations: nil, form: .contentOnly)])
                    == payload)
            let encoded = EncodedRecord(place: RecordPlace(of: record), payload: payload)
            try await withCheckedContinuation { continuation in
                journal.append(encoded) { continuation.resume(returning: $0) }
            }.get()
        }
        func patch(_ id: String, _ patch: String) throws -> Directors.Operation {
            .elements(of: .section(.first), .patch(.identifier(id), try ValueDraft(JSONValue(parsing: patch))))
        }
        let drafts = try ["a", "b", "c"].map {
            ElementDraft(value: try JSONValue(parsing: #"{"id":"\#($0)","n":1,"m":1}"#))
        }
        try await append(
            [.newSection(identifier: "s", drafts)], publishing: 1, isEarlier: true)
        try await append([patch("a", #"{"m":2}"#), patch("b", #"{"n":2}"#)], publishing: 2, isEarlier: true)
        try await append([patch("a", #"{"n":2}"#), patch("c", #"{"m":3}"#)], publishing: 3, isEarlier: true)
        try await append([patch("b", #"{"m":4}"#)], publishing: 4, isEarlier: false)
        let recovered = try #require(try recover(journal).directors.first)
        let values = recovered.state.versions.retained.map { version in
            version.state.list.sections.flatMap { $0.list.map { $0.value.text.filter(\.isNumber) } }
        }
        // The members n and m of each element, version by version; the last one is published by this program.
        #expect(values == [[], ["11", "11", "11"], ["11", "21", "11"], ["22", "21", "11"], ["22", "24", "13"]])
        let replaced = recovered.state.versions.retained.map { version in
            String(decoding: version.changeset?.frame.bytes ?? [], as: UTF8.self).contains(#""replaced":"#)
        }
        #expect(replaced == [false, false, false, false, true])
        #expect(recovered.state.director.published.list == recovered.state.director.working.list)
    }

    @Test("a director that was deleted is not there again, and another of its name is a life of its own")
    func deleted() async throws {
        let folder = try TemporaryFolder()
        let journal = try SQLiteJournal(path: folder.file, settings: SQLiteSettings(pruneThreshold: 0))
        var first = RandomLife("contacts", epoch: "e1", seed: 1)
        try await journal.append(first.begin())
        for _ in 0..<20 { try await journal.append(first.step()) }
        let end = LifeRecord(director: "contacts", epoch: "e1", number: first.number + 1, entries: [.deleted])
        try await journal.append(end)
        #expect(try recover(journal).directors.isEmpty)
        var second = RandomLife("contacts", epoch: "e2", seed: 2)
        try await journal.append(second.begin())
        for _ in 0..<5 { try await journal.append(second.step()) }
        try await eventually("the first life is pruned") { journal.counts.prunedRecords == 22 }
        journal.close()
        let again = try SQLiteJournal(path: folder.file)
        defer { again.close() }
        let recovered = try recover(again).directors
        #expect(recovered.count == 1)
        #expect(recovered.first?.differences(from: second).isEmpty == true)
    }

    @Test(
        "many elements that were appended one request after the other are there again, whatever came between",
        arguments: [0, 5, 40])
    func appends(elementsBefore: Int) async throws {
        let folder = try TemporaryFolder()
        let journal = try SQLiteJournal(path: folder.file)
        defer { journal.close() }
        var director = Director(name: "one", epoch: "e", properties: DirectorProperties(defaultsOf: .table))
        var number = 1
        try await journal.append(
            LifeRecord(director: "one", epoch: "e", number: number, entries: [.defined(director)]))
        func perform(_ operations: [Directors.Operation]) async throws {
            try director.perform(operations)
            number += 1
            let entry = LifeEntry.performed(operations, revision: director.revision)
            try await journal.append(LifeRecord(director: "one", epoch: "e", number: number, entries: [entry]))
        }
        try director.register(CellAdapter(model: "Item", cell: "Cell"))
        try director.register(CellAdapter(model: "Other", cell: "Cell", content: [JSONPointer(tokens: ["name"])]))
        number += 1
        try await journal.append(
            LifeRecord(director: "one", epoch: "e", number: number, entries: [.defined(director)]))
        func drafts(_ range: Range<Int>) throws -> [ElementDraft] {
            try range.map { number in
                ElementDraft(
                    model: number.isMultiple(of: 3) ? "Other" : "Item",
                    value: try JSONValue(parsing: #"{"id": \#(number), "name": "é\u0020x"}"#))
            }
        }
        let sections = ["a", "b"].map { SectionDraft(identifier: $0) }
        try await perform([.sections(.add(sections))])
        try await perform([.elements(of: .section(.first), .add(try drafts(0..<elementsBefore)))])
        for round in 1...12 {
            let start = round * 1000
            let section: Address = round < 5 ? .identifier("a") : round < 8 ? .last : .position(0)
            try await perform([.elements(of: .section(section), .add(try drafts(start..<(start + 50 * round))))])
            if round == 3 { try await perform([.elements(of: .section(.first), .remove(.position(60)))]) }
            if round == 10 {
                try await perform([.elements(of: .section(.first), .add(try drafts(0..<200), at: .position(7)))])
                try await perform([.sections(.swap(.first, with: .last))])
            }
        }
        let recovered = try #require(try recover(journal).directors.first)
        #expect(recovered.state.director.working.list == director.working.list)
        #expect(recovered.state.director.revision == director.revision)
        #expect(recovered.state.number == number)
        for section in recovered.state.director.working.list.sections {
            for (position, element) in section.list.enumerated() {
                let found = section.list.positions(hash: element.identityHash) { $0.identifier == element.identifier }
                #expect(found.contains(position))
            }
        }
    }

    @Test("sections and elements whose ids differ in their scalars alone are there again, from log and snapshot")
    func scalars() async throws {
        let journal = RecoverableMemoryJournal()
        var director = Director(name: "one", epoch: "e", properties: DirectorProperties(defaultsOf: .table))
        try director.register(CellAdapter(model: "Item", cell: "Cell"))
        try await journal.append(
            LifeRecord(director: "one", epoch: "e", number: 1, entries: [.defined(director)]))
        let identifiers = ["\u{E9}", "e\u{301}"]
        let drafts = try identifiers.map { ElementDraft(value: try JSONValue(parsing: #"{"id":"\#($0)"}"#)) }
        let sections =
            identifiers.map { SectionDraft(identifier: $0) } + [SectionDraft(identifier: "s", elements: drafts)]
        try director.perform([.sections(.add(sections))])
        try #require(try director.reload() != nil)
        let entries: [LifeEntry] = [
            .performed([.sections(.add(sections))], revision: director.revision),
            .published(version: 1, animations: nil),
        ]
        try await journal.append(LifeRecord(director: "one", epoch: "e", number: 2, entries: entries))
        for _ in 0..<2 {
            let recovered = try #require(try recover(journal).directors.first)
            #expect(recovered.state.director.working == director.working)
            #expect(recovered.state.director.published == director.published)
            let state = LifeState(director: director, versions: recovered.state.versions, number: 2)
            journal.snapshot(state)
        }
    }

    @Test("sections of one identifier are there again, each with its own elements, from log and snapshot")
    func duplicateSections() async throws {
        let journal = RecoverableMemoryJournal()
        var director = Director(name: "one", epoch: "e", properties: DirectorProperties(defaultsOf: .table))
        try director.register(CellAdapter(model: "Item", cell: "Cell"))
        try await journal.append(
            LifeRecord(director: "one", epoch: "e", number: 1, entries: [.defined(director)]))
        let sections = try (0..<3).map { number in
            let drafts = try (0...number).map { ElementDraft(value: try JSONValue(parsing: "\"\(number)-\($0)\"")) }
            return SectionDraft(
                identifier: "same", attributes: SectionAttributes { $0.headerTitle = "\(number)" }, elements: drafts)
        }
        let later: [Directors.Operation] = [
            .sections(.move(from: .first, to: .last)), .elements(of: .section(.position(1)), .remove(.first)),
        ]
        try director.perform([.sections(.add(sections))])
        try #require(try director.reload() != nil)
        var entries: [LifeEntry] = [
            .performed([.sections(.add(sections))], revision: director.revision),
            .published(version: 1, animations: nil),
        ]
        try director.perform(later)
        entries.append(.performed(later, revision: director.revision))
        try await journal.append(LifeRecord(director: "one", epoch: "e", number: 2, entries: entries))
        for _ in 0..<2 {
            let recovered = try #require(try recover(journal).directors.first)
            #expect(recovered.state.director.working == director.working)
            #expect(recovered.state.director.published == director.published)
            let state = LifeState(director: director, versions: recovered.state.versions, number: 2)
            journal.snapshot(state)
        }
    }

    @Test("a record that was skipped is reported with the director's name and its place")
    func gap() async throws {
        let folder = try TemporaryFolder()
        let journal = try SQLiteJournal(path: folder.file)
        defer { journal.close() }
        // Operations, which stand on what was skipped; a definition would take its place.
        func isOfOperations(_ seed: UInt64) -> Bool {
            var life = RandomLife("contacts", epoch: "e1", seed: seed)
            _ = (life.begin(), life.step())
            if case .performed? = life.step().entries.first { return true }
            return false
        }
        let seed = try #require((1...100).first(where: isOfOperations))
        var life = RandomLife("contacts", epoch: "e1", seed: seed)
        try await journal.append(life.begin())
        _ = life.step()
        let later = EncodedRecord(life.step())
        try await journal.append(.sample(2, payload: later.payload))
        #expect {
            try recover(journal)
        } throws: { error in
            guard case JournalError.damaged(let damage)? = error as? JournalError else { return false }
            return damage.director == "contacts" && damage.place == "record 2"
        }
    }
}
