import Directors
import HTTPWire
import JSONValues
import Testing

@testable import DirectorLife

@Suite("Retained versions")
struct VersionHistoryTests {
    /// A director with one section of so many elements, published, and the history that begins there.
    private func subject(
        count: Int, versions: Int = 1024, bytes: Int = 64 << 20
    ) throws -> (director: Director, history: VersionHistory) {
        var director = Director(name: "d", epoch: "e", properties: DirectorProperties(defaultsOf: .table))
        try director.register(CellAdapter(model: "M", cell: "C"))
        try director.perform([.sections(.set([SectionDraft(identifier: "s", elements: elements(count, "0"))]))])
        _ = try director.reload()
        let retention = VersionRetention(count: versions, bytes: bytes)
        return (director, VersionHistory(first: director.published, adapters: director.adapters, retention: retention))
    }

    private func elements(_ count: Int, _ suffix: String) throws -> [ElementDraft] {
        try (0..<count).map { number in
            ElementDraft(value: try JSONValue(parsing: "{\"id\":\(number),\"text\":\"\(suffix)\"}"))
        }
    }

    private let frame = EventFrame(ServerSentEvent(event: "changeset", data: Array("{}".utf8), id: "e-1"))

    /// Changes one element, publishes that and retains it.
    private func change(
        _ element: Int, to text: String, _ director: inout Director, _ history: inout VersionHistory
    ) throws {
        let patch = try JSONValue(parsing: "{\"text\":\"\(text)\"}")
        try director.perform([.elements(of: .section(.first), .patch(.position(element), ValueDraft(patch)))])
        _ = try director.reload()
        history.append(director.published, adapters: director.adapters, changeset: .encoded(frame))
    }

    @Test("versions that differ in one element take little besides the list itself")
    func sharing() throws {
        var (director, history) = try subject(count: 10_000)
        let list = director.published.list.bytesNotShared(with: ListState())
        for version in 1...100 { try change(version * 97, to: "\(version)", &director, &history) }
        #expect(history.count == 101)
        #expect(history.bytes - 100 * frame.bytes.count < list)
        #expect(history.bytes > 100 * (frame.bytes.count + 100))
    }

    @Test("a span names the mutations of all its versions: each once, in order, the newest of them")
    func causes() throws {
        var (director, history) = try subject(count: 1, versions: 5)
        #expect(history.causes(after: 0, through: 1).isEmpty)
        let named = [["a", "b"], [], ["c", "a"], ["d"], ["e"], [], []]
        for (number, names) in named.enumerated() {
            let patch = try JSONValue(parsing: "{\"text\":\"version \(number)\"}")
            for name in names { director.note(cause: name) }
            try director.perform([.elements(of: .section(.first), .patch(.first, ValueDraft(patch)))])
            let change = try #require(try director.reload())
            #expect(change.causes.names == names)
            history.append(
                director.published, adapters: director.adapters, changeset: .encoded(frame), causes: change.causes)
            switch number {
            case 2:
                #expect(history.causes(after: 1, through: 4).names == ["b", "c", "a"])
                #expect(history.causes(after: 2, through: 4).names == ["c", "a"])
                #expect(history.causes(after: 1, through: 3).names == ["a", "b"])
            // Version 4 is the oldest now, and nobody can come from the version before it.
            case 6: #expect(history.causes(after: 0, through: .max).names == ["d", "e"])
            default: break
            }
        }
        let bytes = history.bytes
        for number in 0..<CauseList.limit { director.note(cause: "a name that takes memory \(number)") }
        history.append(
            director.published, adapters: director.adapters, changeset: .encoded(frame), causes: director.working.causes
        )
        #expect(history.bytes > bytes + CauseList.limit * 40)
    }

    @Test("the oldest versions are dropped once what only they hold is more than the bound")
    func bound() throws {
        let value = String(repeating: "x", count: 10_000)
        var (director, history) = try subject(count: 10, bytes: 100_000)
        for version in 1...100 {
            try change(version % 10, to: value + "\(version)", &director, &history)
            #expect(history.bytes <= 100_000)
        }
        #expect((5...10).contains(history.count))
        #expect(history.newest.version == 101)
        #expect(history.oldest == 101 - history.count + 1)
        #expect(history.state(at: history.oldest - 1) == nil)
    }

    @Test("a list that is replaced as a whole does not stay in memory for the sake of its old versions")
    func replaced() throws {
        var (director, history) = try subject(count: 1_000, bytes: 50_000)
        for round in 1...5 {
            try director.perform([.elements(of: .section(.first), .set(elements(1_000, "\(round)")))])
            _ = try director.reload()
            history.append(director.published, adapters: director.adapters, changeset: .encoded(frame))
            #expect(history.count == 1)
            // Nobody can come from the version that the changeset leads from.
            #expect(history.bytes == 0)
            #expect(history.newest == director.published)
        }
    }

    @Test("what is counted for a version is given back when it is dropped, to the last byte")
    func exact() throws {
        var (director, history) = try subject(count: 1_000, versions: 3)
        var steps: [Int] = []
        for version in 1...50 {
            let before = director.published.list
            try change(version * 13, to: "\(version)", &director, &history)
            steps.append(before.bytesNotShared(with: director.published.list))
            // Three versions: what the two older ones hold alone, and the changesets between them.
            let frames = min(version, 2) * frame.bytes.count
            #expect(history.bytes == steps.suffix(2).reduce(0, +) + frames)
        }
    }

    @Test("a dropped version that alone holds much is handed to the caller; one that holds little is not")
    func dropped() throws {
        var (director, history) = try subject(count: 5_000, versions: 2)
        try change(0, to: "1", &director, &history)
        try director.perform([.elements(of: .section(.first), .set(try elements(10, "new")))])
        _ = try director.reload()
        // The first version goes: it shares all but one element with the second.
        #expect(history.append(director.published, adapters: director.adapters, changeset: .encoded(frame)).isEmpty)
        let long = try #require(history.state(at: 2))
        try director.perform([.elements(of: .section(.first), .set(try elements(10, "newer")))])
        _ = try director.reload()
        let dropped = history.append(director.published, adapters: director.adapters, changeset: .encoded(frame))
        #expect(dropped == [long])
        // What cannot be retained drops everything before it; what that holds is short by now.
        #expect(history.append(director.published, adapters: director.adapters, changeset: nil).isEmpty)
    }

    @Test("a long director that ends has its state handed over to be freed, a short one not", arguments: [10, 5_000])
    func end(count: Int) throws {
        let director = try subject(count: count).director
        var life = DirectorLife(creating: director, retention: VersionRetention(count: 2, bytes: 1 << 20))
        var actions: [LifeAction] = []
        var draft = life.draft()
        draft.create()
        _ = life.commit(draft, into: &actions)
        life.stored(isSnapshotDue: false, into: &actions)
        draft = life.draft()
        draft.delete()
        _ = life.commit(draft, into: &actions)
        actions = []
        life.stored(isSnapshotDue: false, into: &actions)
        let released = actions.compactMap { if case .releaseAll(let state) = $0 { state.versions.newest } else { nil } }
        #expect(released.map(\.list.elementCount) == (count > 10 ? [count] : []))
        #expect(life.stored.director.memory == 0)
    }

    @Test("a number that is left out stands for the version before it, up to the one that was seen last")
    func numbersLeftOut() throws {
        let states = [2, 5, 9].map { PublishedState(version: $0, list: ListState()) }
        let adapters = AdapterRegistry(cells: [], headerFooters: [])
        var history = VersionHistory(
            first: states[0], adapters: adapters, retention: VersionRetention(count: 9, bytes: 1 << 20))
        for state in states.dropFirst() { history.append(state, adapters: adapters, changeset: .encoded(frame)) }
        history.extend(through: 12)
        history.extend(through: 11)
        let wanted = [0: nil, 1: nil, 2: 2, 4: 2, 5: 5, 8: 5, 9: 9, 12: 9, 13: nil, Int.max: nil] as [Int: Int?]
        for (number, version) in wanted { #expect(history.state(at: number)?.version == version, "at \(number)") }
        #expect(history.newest.version == 9 && history.through == 12)
        for (number, later) in [(2, [5, 9]), (4, [5, 9]), (5, [9]), (12, [])] {
            #expect(history.versions(after: number) == later)
            #expect(history.changesets(after: number)?.count == later.count)
        }
        #expect(history.changesets(after: 13) == nil)
        history.append(PublishedState(version: 20, list: ListState()), adapters: adapters, changeset: .encoded(frame))
        #expect(history.through == 20 && history.state(at: 13)?.version == 9)
    }

    @Test("a version that was computed again is read by its own number, and no changeset is told to lead from it")
    func foundAgain() throws {
        var (_, history) = try subject(count: 1)
        let adapters = AdapterRegistry(cells: [], headerFooters: [])
        history = VersionHistory(
            first: PublishedState(version: 50, list: history.newest.list), adapters: adapters,
            retention: history.retention)
        for version in 1...VersionHistory.maxFound + 1 {
            history.add(found: PublishedState(version: version, list: ListState()))
        }
        history.add(found: PublishedState(version: 50, list: ListState()))
        #expect((1...6).map { history.state(at: $0)?.version } == [nil, 2, 3, 4, 5, nil])
        #expect(history.changesets(after: 3) == nil && history.state(at: 50)?.list.elementCount == 1)
    }
}
