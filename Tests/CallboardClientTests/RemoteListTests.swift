import ListDiff
import TestSupport
import Testing

@testable import CallboardClient

@Suite("Remote list")
struct RemoteListTests {
    private static func snapshot(_ sections: [RemoteSection], version: Int = 1) throws -> Snapshot {
        let json: JSON = [
            "director": "d", "epoch": "e", "version": .number(JSONNumber(version)), "kind": "table",
            "sections": .array(sections.map(\.json)),
        ]
        return try Snapshot(JSONReader(json))
    }

    /// Whether a changeset from one list to another comes through the wire whole and leads there.
    private static func holds(_ source: [RemoteSection], _ target: [RemoteSection]) throws -> Bool {
        let sent = RemoteChangeset(
            director: "d", epoch: "e", from: 1, version: 2, causes: ["c \"1\"", "c2"],
            stages: StagedChangeset(from: source, to: target),
            counts: ListCounts(of: target))
        let received = try RemoteChangeset(JSONReader(JSON(parsing: sent.json.text)))
        var list = try RemoteList(snapshot(source))
        try list.apply(received)
        return received == sent && list.sections == target && list.version == 2
    }

    /// The lists that are one section or one element shorter.
    private static func shorter(_ sections: [RemoteSection]) -> [[RemoteSection]] {
        sections.indices.flatMap { position -> [[RemoteSection]] in
            var without = sections
            without.remove(at: position)
            return [without]
                + sections[position].elements.indices.map { element in
                    var smaller = sections
                    smaller[position].elements.remove(at: element)
                    return smaller
                }
        }
    }

    /// A smallest pair that still fails.
    private static func shrink(
        _ source: [RemoteSection], _ target: [RemoteSection]
    ) -> (source: [RemoteSection], target: [RemoteSection]) {
        let candidates = shorter(source).map { ($0, target) } + shorter(target).map { (source, $0) }
        for (source, target) in candidates where (try? holds(source, target)) != true { return shrink(source, target) }
        return (source, target)
    }

    @Test("a changeset that went over the wire leads to its target")
    func property() throws {
        let seed = UInt64.random(in: .min ... .max)
        print("remote list: seed \(seed)")
        var generator = SeededGenerator(seed: seed)
        for round in 0..<3000 {
            let (source, target) = (RandomSections.make(&generator), RandomSections.make(&generator))
            guard (try? Self.holds(source, target)) != true else { continue }
            let small = Self.shrink(source, target)
            Issue.record("seed \(seed), round \(round): \(small.source.map(\.json)) to \(small.target.map(\.json))")
            return
        }
    }

    @Test("what is replaced comes through the wire, and is put in after the last stage, beside moves and inserts")
    func replaced() throws {
        let seed = UInt64.random(in: .min ... .max)
        var generator = SeededGenerator(seed: seed)
        for round in 0..<1000 {
            let (source, shown) = (RandomSections.make(&generator), RandomSections.make(&generator))
            var target = shown
            var replaced: [ElementChange<RemoteElement>] = []
            for (section, content) in shown.enumerated() {
                for (position, element) in content.elements.enumerated() where generator.chance(3) {
                    let new = RandomSections.element(element, with: ["note": "new"])
                    target[section].elements[position] = new
                    let path = ElementPath(section: section, element: position)
                    replaced.append(ElementChange(at: path, element: new))
                }
            }
            var stages = StagedChangeset(from: source, to: shown)
            stages.replaced = replaced
            let sent = RemoteChangeset(
                epoch: "e", from: 1, version: 2, stages: stages, counts: ListCounts(of: target))
            let received = try RemoteChangeset(JSONReader(JSON(parsing: sent.json.text)))
            #expect(received == sent && received.isEmpty == (source == target), "seed \(seed), round \(round)")
            var list = try RemoteList(Self.snapshot(source))
            try list.apply(received)
            #expect(list.sections == target, "seed \(seed), round \(round)")
            // A view is given each stage's state, and the last one with what is replaced.
            let states = try received.stages.states(from: source)
            #expect(states.last ?? source == target && states.count == stages.stages.count + (replaced.isEmpty ? 0 : 1))
            #expect(states.dropLast(replaced.isEmpty ? 0 : 1).last ?? source == shown)
        }
    }

    private static let one = RemoteSection(id: "a", elements: [RemoteElement(id: "1", model: "M", value: 1)])

    private static func changeset(
        epoch: String = "e", from: Int = 1, version: Int = 2, stages: [Changeset<RemoteSection>] = [],
        replaced: [ElementChange<RemoteElement>] = [], counts: ListCounts? = nil
    ) -> RemoteChangeset {
        RemoteChangeset(
            epoch: epoch, from: from, version: version,
            stages: StagedChangeset(stages: stages, replaced: replaced), counts: counts)
    }

    private static func replacement(_ id: String, _ section: Int, _ element: Int) -> ElementChange<RemoteElement> {
        ElementChange(
            at: ElementPath(section: section, element: element), element: RemoteElement(id: id, model: "M", value: 2))
    }

    @Test(
        "what does not fit is refused and changes nothing",
        arguments: [
            (changeset(epoch: "f"), ListMismatch.epoch(expected: "e", found: "f")),
            (changeset(from: 0), .version(expected: 1, found: 0)),
            (changeset(from: 2, version: 3), .version(expected: 1, found: 2)),
            (changeset(version: 0), .version(expected: 1, found: 1)),
            (
                changeset(stages: [Changeset(sectionDeleted: [3])]),
                .operation(
                    ChangesetError(stage: 0, operation: .sectionDeleted, index: 0, reason: .outOfRange(count: 1)))
            ),
            (
                changeset(replaced: [replacement("1", 0, 1)]),
                .operation(
                    ChangesetError(stage: nil, operation: .elementUpdated, index: 0, reason: .outOfRange(count: 1)))
            ),
            (
                changeset(replaced: [replacement("2", 0, 0)]),
                .operation(
                    ChangesetError(stage: nil, operation: .elementUpdated, index: 0, reason: .differentIdentifier))
            ),
            (
                changeset(counts: ListCounts(sections: 1, elements: 2)),
                .counts(
                    expected: ListCounts(sections: 1, elements: 2), found: ListCounts(sections: 1, elements: 1))
            ),
        ])
    func mismatches(changeset: RemoteChangeset, mismatch: ListMismatch) throws {
        var list = try RemoteList(Self.snapshot([Self.one]))
        let before = list
        #expect(throws: mismatch) { try list.apply(changeset) }
        #expect(list == before)
    }

    @Test(
        "a changeset that cannot be read names the place",
        arguments: [
            (#"{"epoch":"e","from":1}"#, ""),
            (#"{"epoch":"e","from":1,"version":2,"stages":[{"elementDeleted":[[0]]}]}"#, "/stages/0/elementDeleted/0"),
            (
                #"{"epoch":"e","from":1,"version":2,"stages":[{"elementDeleted":[[0,-1]]}]}"#,
                "/stages/0/elementDeleted/0/1"
            ),
            (#"{"epoch":"e","from":1,"version":2,"stages":[{"rowTurned":[]}]}"#, "/stages/0"),
            (#"{"epoch":"e","from":1,"version":2,"replaced":[{"at":[0]}]}"#, "/replaced/0/at"),
            (#"{"epoch":"e","from":1,"version":2,"replaced":[{"at":[0,0]}]}"#, "/replaced/0"),
        ])
    func unreadable(text: String, pointer: String) {
        #expect {
            _ = try RemoteChangeset(JSONReader(JSON(parsing: text)))
        } throws: { error in
            (error as? RepresentationError)?.pointer == pointer
        }
    }

    @Test("a snapshot is read in either of its forms")
    func snapshotForms() throws {
        let nested =
            #"{"director":{"name":"d","kind":"flow","epoch":"e","version":3,"properties":{"x":1}},"adapters":[{"model":"M"}],"sections":[]}"#
        let flat =
            #"{"director":"d","kind":"flow","epoch":"e","version":3,"properties":{"x":1},"adapters":[{"model":"M"}],"sections":[]}"#
        let snapshots = try [nested, flat].map { try Snapshot(JSONReader(JSON(parsing: $0))) }
        #expect(snapshots[0] == snapshots[1])
        #expect(snapshots[0].definition.kind == .flow)
        #expect(snapshots[0].version == 3)
    }
}

@Suite("Live list", .timeLimit(.minutes(1)))
struct LiveListTests {
    private static func snapshot(_ version: Int, _ ids: [String], reset: String? = nil) -> String {
        let elements = ids.map { #"{"id":"\#($0)","model":"M","value":"\#($0)"}"# }.joined(separator: ",")
        let why = reset.map { #","reset":"\#($0)""# } ?? ""
        return "event: snapshot\nid: e-\(version)\ndata: "
            + #"{"director":"d","epoch":"e","version":\#(version)\#(why),"sections":[{"id":"s","elements":[\#(elements)]}]}"#
            + "\n\n"
    }

    private static func insertion(_ from: Int, _ id: String, count: Int) -> String {
        "event: changeset\nid: e-\(from + 1)\ndata: "
            + #"{"director":"d","epoch":"e","from":\#(from),"version":\#(from + 1),"stages":[{"elementInserted":[{"at":[0,0],"element":{"id":"\#(id)","model":"M","value":"\#(id)"}}]}],"counts":{"sections":1,"elements":\#(count)}}"#
            + "\n\n"
    }

    private func updates(_ transport: TestTransport, count: Int) async throws -> [LiveList.Update] {
        let stream = EventStream.test(transport, clock: JumpingClock(patience: .seconds(14)))
        var updates: [LiveList.Update] = []
        for try await update in LiveList(stream: stream, reconnect: ReconnectPolicy()) {
            if case .connection = update { continue }
            updates.append(update)
            if updates.count == count { break }
        }
        return updates
    }

    private func ids(_ update: LiveList.Update) -> [String]? {
        switch update {
        case .replaced(let list, _), .changed(let list, by: _): list.sections.flatMap { $0.elements.map(\.id) }
        default: nil
        }
    }

    @Test("it follows a stream")
    func follows() async throws {
        let transport = TestTransport([
            .stream(
                [Self.snapshot(1, ["a"]), Self.insertion(1, "b", count: 2), Self.insertion(2, "c", count: 3)],
                stays: true)
        ])
        let updates = try await updates(transport, count: 3)
        #expect(updates.map(ids) == [["a"], ["b", "a"], ["c", "b", "a"]])
    }

    @Test(
        "what does not fit brings a fresh snapshot",
        arguments: [
            insertion(2, "x", count: 2), insertion(1, "x", count: 5), "event: changeset\ndata: {}\n\n",
            "event: heartbeat\ndata: {\"version\":4}\n\n",
        ])
    func resynchronizes(event: String) async throws {
        let transport = TestTransport([
            .stream([Self.snapshot(1, ["a"]), event, Self.insertion(1, "z", count: 2)], stays: true),
            .stream([Self.snapshot(9, ["q"], reset: "asked")], stays: true),
        ])
        let updates = try await updates(transport, count: 3)
        guard case .resynchronizing = updates[1] else { return #expect(Bool(false), "\(updates[1])") }
        #expect(ids(updates[2]) == ["q"])
        #expect(transport.requests.count == 2)
        #expect(transport.requests[1].value(forHTTPHeaderField: "Last-Event-ID") == nil)
        #expect(transport.closed >= 1)
    }

    @Test(
        "after a lost connection it goes on with what it has, of a view from the server's number for it",
        arguments: 4...6)
    func resumes(from: Int) async throws {
        let transport = TestTransport([
            .stream([Self.snapshot(5, ["a"])], stays: false),
            .stream(
                ["event: resumed\ndata: {\"from\":\(from),\"version\":7}\n\n", Self.insertion(from, "b", count: 2)],
                stays: true),
        ])
        let updates = try await updates(transport, count: 3)
        #expect(updates[1] == .resumed(Resumption(director: nil, from: from, version: 7)))
        #expect(ids(updates[2]) == ["b", "a"])
        #expect(transport.requests[1].value(forHTTPHeaderField: "Last-Event-ID") == "e-5")
    }
}
