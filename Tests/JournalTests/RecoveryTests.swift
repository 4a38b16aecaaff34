import Directors
import JSONValues
import ListDiff
import TestSupport
import Testing

@testable import Journal

/// What was acknowledged is there again.
struct RecoveryTests {
    private static let retention = VersionRetention(count: 6, bytes: 1 << 20)

    private func recover(_ store: some RecordStore) throws -> Recovery {
        try Recovery(of: store, limits: DirectorLimits(), retention: Self.retention)
    }

    @Test("a journal without records recovers to nothing", arguments: Implementation.allCases)
    func empty(_ implementation: Implementation) async throws {
        try await implementation.run { store in
            let recovery = try recover(store)
            #expect(recovery.directors.isEmpty)
        }
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
        let settings = StoreSettings(snapshotThreshold: 1500, pruneThreshold: 1000, checkpointThreshold: 100_000)
        var folder = try TemporaryFolder()
        var lives = (0..<3).map { TestLife("director \($0)", epoch: "e\($0)", seed: random.next()) }
        for restart in 0...restarts {
            let store = try SQLiteStore(path: folder.file, settings: settings)
            let journal = StoredJournal(store: store)
            let recovery = try recover(store)
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
                    journal.snapshot(lives[index].capture, after: lives[index].number)
                }
            }
            let killed = try folder.copy(of: store)
            store.close()
            folder = killed
        }
    }

    @Test("every state between two snapshots is there again, whenever the snapshot was finished")
    func snapshotAtEveryStep() async throws {
        let seed = SeededGenerator.seedOfRun("snapshot at every step")
        var life = TestLife("one", epoch: "e", seed: seed)
        let folder = try TemporaryFolder()
        let store = try SQLiteStore(path: folder.file, settings: StoreSettings(pruneThreshold: 0))
        defer { store.close() }
        let journal = StoredJournal(store: store)
        try await journal.append(life.begin())
        for step in 0..<60 {
            try await journal.append(life.step())
            journal.snapshot(life.capture, after: life.number)
            if step % 3 == 0 { try await eventually("a snapshot") { store.metrics.snapshots > step / 3 } }
            let killed = try folder.copy(of: store)
            let other = try SQLiteStore(path: killed.file)
            defer { other.close() }
            let recovered = try #require(try recover(other).directors.first)
            #expect(recovered.differences(from: life).isEmpty, "seed \(seed), step \(step)")
        }
    }

    @Test("a version is there again where its reload would find nothing to publish by now")
    func versionWithoutChange() async throws {
        let folder = try TemporaryFolder()
        let store = try SQLiteStore(path: folder.file)
        defer { store.close() }
        let journal = StoredJournal(store: store)
        let director = Director(name: "one", epoch: "e", properties: DirectorProperties(defaultsOf: .table))
        let beginning: [JournalEntry] = [.defined(director), .published(version: 1)]
        try await journal.append(JournalRecord(director: "one", epoch: "e", entries: beginning, number: 1))
        let recovered = try #require(try recover(store).directors.first)
        #expect(recovered.director.version == 1)
        #expect(recovered.versions.map(\.state.version) == [0, 1])
    }

    @Test("a log of an earlier program leads to what it published: without the values that no adapter looks at")
    func earlierVersions() async throws {
        let store = MemoryStore()
        var director = Director(name: "one", epoch: "e", properties: DirectorProperties(defaultsOf: .table))
        try director.register(CellAdapter(model: "Item", cell: "Cell", content: [JSONPointer(tokens: ["n"])]))
        let beginning = JournalRecord(director: "one", epoch: "e", entries: [.defined(director)], number: 1)
        try await store.append(beginning.unit)
        var number = 1
        func append(_ operations: [Directors.Operation], publishing version: Int, isEarlier: Bool) async throws {
            number += 1
            try director.perform(operations)
            let performed = JournalEntry.performed(operations, revision: director.revision)
            let entries = isEarlier ? [performed] : [performed, .published(version: version)]
            var unit = JournalRecord(director: "one", epoch: "e", entries: entries, number: number).unit
            if isEarlier {
                // What an earlier program wrote of a version: the entry's kind, 3, the number, and no animations.
                var published = ByteWriter()
                for number in [3, version, 0] { published.number(number) }
                let payload = RecordCoding.encode(entries) + published.bytes
                unit.record = StoredUnit.Record(step: .goesOn, number: number, payload: payload)
            }
            try await store.append(unit)
        }
        func patch(_ id: String, _ patch: String) throws -> Directors.Operation {
            .patchElement(
                section: .first, element: .identifier(id), patch: try JSONValue(parsing: patch))
        }
        let drafts = try ["a", "b", "c"].map {
            ElementDraft(value: try JSONValue(parsing: #"{"id":"\#($0)","n":1,"m":1}"#))
        }
        try await append(
            [.addElements(.newSection(identifier: "s"), drafts, at: nil)], publishing: 1, isEarlier: true)
        try await append([patch("a", #"{"m":2}"#), patch("b", #"{"n":2}"#)], publishing: 2, isEarlier: true)
        try await append([patch("a", #"{"n":2}"#), patch("c", #"{"m":3}"#)], publishing: 3, isEarlier: true)
        try await append([patch("b", #"{"m":4}"#)], publishing: 4, isEarlier: false)
        let recovered = try #require(try recover(store).directors.first)
        let values = recovered.versions.map { version in
            version.state.list.sections.flatMap { $0.list.map { $0.value.text.filter(\.isNumber) } }
        }
        // The members n and m of each element, version by version; the last one is published by this program.
        #expect(values == [[], ["11", "11", "11"], ["11", "21", "11"], ["22", "21", "11"], ["22", "24", "13"]])
        let replaced = recovered.versions.map { version in
            String(decoding: version.changeset ?? [], as: UTF8.self).contains(#""replaced":"#)
        }
        #expect(replaced == [false, false, false, false, true])
        #expect(recovered.director.published.list == recovered.director.working.list)
    }

    @Test("a director that was deleted is not there again, and another of its name is a life of its own")
    func deleted() async throws {
        let folder = try TemporaryFolder()
        let store = try SQLiteStore(path: folder.file, settings: StoreSettings(pruneThreshold: 0))
        let journal = StoredJournal(store: store)
        var first = TestLife("contacts", epoch: "e1", seed: 1)
        try await journal.append(first.begin())
        for _ in 0..<20 { try await journal.append(first.step()) }
        let end = JournalRecord(director: "contacts", epoch: "e1", entries: [.deleted], number: first.number + 1)
        try await journal.append(end)
        #expect(try recover(store).directors.isEmpty)
        var second = TestLife("contacts", epoch: "e2", seed: 2)
        try await journal.append(second.begin())
        for _ in 0..<5 { try await journal.append(second.step()) }
        try await eventually("the first life is pruned") { store.metrics.prunedRecords == 22 }
        store.close()
        let again = try SQLiteStore(path: folder.file)
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
        let store = try SQLiteStore(path: folder.file)
        defer { store.close() }
        let journal = StoredJournal(store: store)
        var director = Director(name: "one", epoch: "e", properties: DirectorProperties(defaultsOf: .table))
        var number = 1
        try await journal.append(
            JournalRecord(director: "one", epoch: "e", entries: [.defined(director)], number: number))
        func perform(_ operations: [Directors.Operation]) async throws {
            try director.perform(operations)
            number += 1
            let entry = JournalEntry.performed(operations, revision: director.revision)
            try await journal.append(JournalRecord(director: "one", epoch: "e", entries: [entry], number: number))
        }
        try director.register(CellAdapter(model: "Item", cell: "Cell"))
        try director.register(CellAdapter(model: "Other", cell: "Cell", content: [JSONPointer(tokens: ["name"])]))
        number += 1
        try await journal.append(
            JournalRecord(director: "one", epoch: "e", entries: [.defined(director)], number: number))
        func drafts(_ range: Range<Int>) throws -> [ElementDraft] {
            try range.map { number in
                ElementDraft(
                    model: number.isMultiple(of: 3) ? "Other" : "Item",
                    value: try JSONValue(parsing: #"{"id": \#(number), "name": "é\u0020x"}"#))
            }
        }
        let sections = ["a", "b"].map { SectionDraft(identifier: $0) }
        try await perform([.addSections(sections, at: nil)])
        try await perform([.addElements(.section(.first), try drafts(0..<elementsBefore), at: nil)])
        for round in 1...12 {
            let start = round * 1000
            let section: Address = round < 5 ? .identifier("a") : round < 8 ? .last : .position(0)
            try await perform([.addElements(.section(section), try drafts(start..<(start + 50 * round)), at: nil)])
            if round == 3 { try await perform([.removeElement(section: .first, element: .position(60))]) }
            if round == 10 {
                try await perform([.addElements(.section(.first), try drafts(0..<200), at: .position(7))])
                try await perform([.swapSections(at: .first, with: .last)])
            }
        }
        let recovered = try #require(try recover(store).directors.first)
        #expect(recovered.director.working.list == director.working.list)
        #expect(recovered.director.revision == director.revision)
        #expect(recovered.number == number)
        for section in recovered.director.working.list.sections {
            for (position, element) in section.list.enumerated() {
                let found = section.list.positions(hash: element.identityHash) { $0.identifier == element.identifier }
                #expect(found.contains(position))
            }
        }
    }

    @Test("sections and elements whose ids differ in their scalars alone are there again, from log and snapshot")
    func scalars() async throws {
        let journal = StoredJournal(store: MemoryStore())
        var director = Director(name: "one", epoch: "e", properties: DirectorProperties(defaultsOf: .table))
        try director.register(CellAdapter(model: "Item", cell: "Cell"))
        try await journal.append(
            JournalRecord(director: "one", epoch: "e", entries: [.defined(director)], number: 1))
        let identifiers = ["\u{E9}", "e\u{301}"]
        let drafts = try identifiers.map { ElementDraft(value: try JSONValue(parsing: #"{"id":"\#($0)"}"#)) }
        let sections =
            identifiers.map { SectionDraft(identifier: $0) } + [SectionDraft(identifier: "s", elements: drafts)]
        try director.perform([.addSections(sections, at: nil)])
        try #require(director.reload() != nil)
        let entries: [JournalEntry] = [
            .performed([.addSections(sections, at: nil)], revision: director.revision), .published(version: 1),
        ]
        try await journal.append(JournalRecord(director: "one", epoch: "e", entries: entries, number: 2))
        for _ in 0..<2 {
            let recovered = try #require(try recover(journal.store).directors.first)
            #expect(recovered.director.working == director.working)
            #expect(recovered.director.published == director.published)
            let capture = DirectorCapture(director: director, versions: recovered.versions, definitionVersion: nil)
            journal.snapshot(capture, after: 2)
        }
    }

    @Test("sections of one identifier are there again, each with its own elements, from log and snapshot")
    func duplicateSections() async throws {
        let journal = StoredJournal(store: MemoryStore())
        var director = Director(name: "one", epoch: "e", properties: DirectorProperties(defaultsOf: .table))
        try director.register(CellAdapter(model: "Item", cell: "Cell"))
        try await journal.append(
            JournalRecord(director: "one", epoch: "e", entries: [.defined(director)], number: 1))
        let sections = try (0..<3).map { number in
            let drafts = try (0...number).map { ElementDraft(value: try JSONValue(parsing: "\"\(number)-\($0)\"")) }
            return SectionDraft(
                identifier: "same", attributes: SectionAttributes(headerTitle: "\(number)"), elements: drafts)
        }
        let later: [Directors.Operation] = [
            .moveSection(from: .first, to: .last), .removeElement(section: .position(1), element: .first),
        ]
        try director.perform([.addSections(sections, at: nil)])
        try #require(director.reload() != nil)
        var entries: [JournalEntry] = [
            .performed([.addSections(sections, at: nil)], revision: director.revision), .published(version: 1),
        ]
        try director.perform(later)
        entries.append(.performed(later, revision: director.revision))
        try await journal.append(JournalRecord(director: "one", epoch: "e", entries: entries, number: 2))
        for _ in 0..<2 {
            let recovered = try #require(try recover(journal.store).directors.first)
            #expect(recovered.director.working == director.working)
            #expect(recovered.director.published == director.published)
            let capture = DirectorCapture(director: director, versions: recovered.versions, definitionVersion: nil)
            journal.snapshot(capture, after: 2)
        }
    }

    @Test("a record that was skipped is reported with the director's name and its place")
    func gap() async throws {
        let folder = try TemporaryFolder()
        let store = try SQLiteStore(path: folder.file)
        defer { store.close() }
        var life = TestLife("contacts", epoch: "e1", seed: 1)
        try await store.append(life.begin().unit)
        var unit = life.step().unit
        let later = life.step().unit
        unit.record = StoredUnit.Record(step: .goesOn, number: 2, payload: try #require(later.record?.payload))
        try await store.append(unit)
        #expect {
            try recover(store)
        } throws: { error in
            guard case StoreError.damaged(let damage)? = error as? StoreError else { return false }
            return damage.director == "contacts" && damage.place == "record 2"
        }
    }
}

extension StoredJournal {
    /// Appends a record and waits for it.
    @discardableResult
    func append(_ record: JournalRecord) async throws -> JournalSequence {
        try await withCheckedContinuation { continuation in
            append(record) { continuation.resume(returning: $0) }
        }.get()
    }
}
