import ListDiff
import TestSupport
import Testing

@testable import CallboardClient

@Suite("Sparse list")
struct SparseListTests {
    /// A list of which some elements are here, some are awaited, and the others are not known.
    private static func sparse(
        _ sections: [RemoteSection], held chance: Int, _ generator: inout SeededGenerator
    ) -> [SparseSection] {
        sections.enumerated().map { number, section in
            var elements = SparseElements(count: section.elements.count)
            for (position, element) in section.elements.enumerated() where generator.percent(chance) {
                // Each place has a load of its own, so that it can be told where it has gone.
                let load = 1 + number * 100 + position
                elements.await(position..<position + 1, by: load)
                if generator.percent(70) { #expect(elements.fill(load: load, with: [element]) == [position]) }
            }
            return SparseSection(id: section.id, attributes: section.attributes, elements: elements)
        }
    }

    /// The list with each element's value replaced by its place, so that those that a changeset leaves alone can be told.
    private static func tagged(_ sections: [RemoteSection]) -> [RemoteSection] {
        sections.enumerated().map { number, section in
            RemoteSection(
                copying: section,
                elements: section.elements.enumerated().map { position, element in
                    let value: JSON = ["place": [.number(JSONNumber(number)), .number(JSONNumber(position))]]
                    return RandomSections.element(element, with: value)
                })
        }
    }

    /// What a changeset makes of a list of which only a part is here, found by way of the whole list.
    private static func expected(
        _ sparse: [SparseSection], of source: [RemoteSection], _ stages: StagedChangeset<RemoteSection>
    ) throws -> [SparseSection] {
        try tagged(source).applying(stages).map { section in
            var elements = SparseElements(count: section.elements.count)
            for (position, element) in section.elements.enumerated() {
                var slot: SparseElements.Slot? = .init(content: .element(element), lastUse: 0)
                if let place = element.value["place"]?.arrayValue, let from = place[0].intValue,
                    let at = place[1].intValue
                {
                    slot = sparse[from].elements.slot(at: at)
                }
                guard let slot else { continue }
                elements.places.append(position)
                elements.slots.append(slot)
            }
            return SparseSection(id: section.id, attributes: section.attributes, elements: elements)
        }
    }

    /// Leaves out when an element was last used, which a changeset may well set back.
    private static func known(_ sections: [SparseSection]) -> [SparseSection] {
        sections.map { section in
            var section = section
            for index in section.elements.slots.indices { section.elements.slots[index].lastUse = 0 }
            return section
        }
    }

    private static func list(_ sections: [SparseSection]) throws -> SparseList {
        let shells = sections.map { section -> JSON in
            var shell = RemoteSection(id: section.id, attributes: section.attributes).json.objectValue ?? JSONObject()
            shell["elements"] = nil
            shell["count"] = .number(JSONNumber(section.elements.count))
            return .object(shell)
        }
        let snapshot: JSON = ["director": "d", "epoch": "e", "version": 1, "kind": "table", "sections": .array(shells)]
        var list = try SparseList(Snapshot(JSONReader(snapshot)))
        #expect(list.sections.map(\.attributes) == sections.map(\.attributes), "the count is no attribute")
        list.sections = sections
        return list
    }

    private static func changeset(
        _ stages: StagedChangeset<RemoteSection>, to target: [RemoteSection]? = nil
    ) -> RemoteChangeset {
        RemoteChangeset(epoch: "e", from: 1, version: 2, stages: stages, counts: target.map { ListCounts(of: $0) })
    }

    /// How many of some random changesets lead elsewhere than expected, with a fault planted in what they lead to.
    private static func misses(rounds: Int, seed: UInt64, planting fault: (inout SparseElements) -> Void) throws -> Int
    {
        var generator = SeededGenerator(seed: seed)
        var misses = 0
        for _ in 0..<rounds {
            let (source, shown) = (RandomSections.make(&generator), RandomSections.make(&generator))
            let sparse = sparse(source, held: generator.below(101), &generator)
            var stages = StagedChangeset(from: source, to: shown)
            for (section, content) in shown.enumerated() {
                for (position, element) in content.elements.enumerated() where generator.chance(3) {
                    let path = ElementPath(section: section, element: position)
                    let new = RandomSections.element(element, with: "new")
                    stages.replaced.append(ElementChange(at: path, element: new))
                }
            }
            var list = try list(sparse)
            try list.apply(changeset(stages, to: shown))
            let last = try stages.states(from: sparse).last ?? sparse
            for section in list.sections.indices { fault(&list.sections[section].elements) }
            let wanted = known(try expected(sparse, of: source, stages))
            if known(list.sections) != wanted || known(last) != wanted { misses += 1 }
        }
        return misses
    }

    @Test("a changeset moves what is here, what is awaited and what is not known as it moves the whole list")
    func property() throws {
        let seed = SeededGenerator.seedOfRun("sparse list")
        #expect(try Self.misses(rounds: 4000, seed: seed) { _ in } == 0, "seed \(seed)")
    }

    @Test("the check of that finds elements a place off, forgotten, and exchanged")
    func plantedFaults() throws {
        let seed = SeededGenerator.seedOfRun("sparse list")
        let shifted = try Self.misses(rounds: 400, seed: seed) { elements in
            let (places, count) = (elements.places, elements.count)
            let free = places.indices.first { places[$0] + 1 < count && !places.contains(places[$0] + 1) }
            if let free { elements.places[free] += 1 }
        }
        let forgotten = try Self.misses(rounds: 400, seed: seed) { elements in
            _ = elements.places.popLast()
            _ = elements.slots.popLast()
        }
        let exchanged = try Self.misses(rounds: 400, seed: seed) { elements in elements.slots.reverse() }
        #expect(
            shifted > 5 && forgotten > 100 && exchanged > 100, "seed \(seed): \(shifted), \(forgotten), \(exchanged)")
    }

    /// A changeset with one place in it put somewhere else.
    private static func spoilt(
        _ stage: Changeset<RemoteSection>, _ generator: inout SeededGenerator
    ) -> Changeset<RemoteSection> {
        var stage = stage
        let path = ElementPath(section: generator.below(8) - 1, element: generator.below(10) - 1)
        let element = RemoteElement(id: "new", model: "A", value: 1)
        switch generator.below(8) {
        case 0: stage.elementDeleted.append(path)
        case 1: stage.elementInserted.append(ElementChange(at: path, element: element))
        case 2:
            stage.elementMoved.append(ElementMove(from: path, to: ElementPath(section: 0, element: generator.below(6))))
        case 3: stage.sectionDeleted.append(path.section)
        case 4: stage.sectionInserted.append(SectionChange(at: path.section, section: RemoteSection(id: "new")))
        case 5: stage.sectionMoved.append(SectionMove(from: path.section, to: generator.below(6)))
        case 6: stage.elementUpdated.append(ElementChange(at: path, element: element))
        default: stage.sectionUpdated.append(SectionChange(at: path.section, section: RemoteSection(id: "a")))
        }
        return stage
    }

    @Test("what a whole list refuses is refused, for the same reason, and changes nothing")
    func refusals() throws {
        let seed = SeededGenerator.seedOfRun("sparse list")
        var generator = SeededGenerator(seed: seed)
        var refused = 0
        for round in 0..<2000 {
            let (source, target) = (RandomSections.make(&generator), RandomSections.make(&generator))
            var stages = StagedChangeset(from: source, to: target).stages
            if stages.isEmpty { stages = [Changeset()] }
            let place = generator.below(stages.count)
            stages[place] = Self.spoilt(stages[place], &generator)
            let spoilt = StagedChangeset(stages: stages)
            let whole = source.map { SparseSection($0) }
            var list = try Self.list(whole)
            let before = list
            do {
                let wanted = try source.applying(spoilt)
                try list.apply(Self.changeset(spoilt))
                #expect(
                    list.sections.map { $0.elements.compactMap { $0 } } == wanted.map(\.elements), "\(seed), \(round)")
            } catch let error as ChangesetError {
                refused += 1
                #expect(throws: ListMismatch.operation(error), "seed \(seed), round \(round)") {
                    try list.apply(Self.changeset(spoilt))
                }
                #expect(list == before, "seed \(seed), round \(round)")
            }
        }
        #expect(refused > 500)
    }

    @Test(
        "a snapshot that does not tell its lengths is refused",
        arguments: [
            (#"{"director":"d","epoch":"e","version":1}"#, ListMismatch.noSections),
            (#"{"director":"d","epoch":"e","version":1,"sections":[{"id":"a"}]}"#, .noCount(section: 0)),
            (#"{"director":"d","epoch":"e","version":1,"sections":[{"id":"a","count":-1}]}"#, .noCount(section: 0)),
            (
                #"{"director":"d","epoch":"e","version":1,"sections":[{"id":"a","count":9223372036854775807}]}"#,
                .noCount(section: 0)
            ),
            (
                #"{"director":"d","epoch":"e","version":1,"sections":[{"id":"a","count":3}],"counts":{"sections":1,"elements":4}}"#,
                .counts(expected: ListCounts(sections: 1, elements: 4), found: ListCounts(sections: 1, elements: 3))
            ),
        ])
    func lengths(text: String, mismatch: ListMismatch) throws {
        let snapshot = try Snapshot(JSONReader(JSON(parsing: text)))
        #expect(throws: mismatch) { try SparseList(snapshot) }
    }

    @Test("what is not here takes no memory, and a change of a long section costs what is here")
    func longSection() throws {
        var elements = SparseElements(count: 1_000_000_000)
        elements.await(500_000_000..<500_000_100, by: 1)
        let page = (0..<100).map { RemoteElement(id: "\($0)", model: "M", value: .number(JSONNumber($0))) }
        #expect(elements.fill(load: 1, with: page) == Array(500_000_000..<500_000_100))
        var list = try Self.list([SparseSection(id: "s", elements: elements)])
        let inserted = ElementChange(at: ElementPath(section: 0, element: 0), element: page[7])
        let stage = Changeset<RemoteSection>(
            elementDeleted: [ElementPath(section: 0, element: 500_000_050)], elementInserted: [inserted])
        try list.apply(Self.changeset(StagedChangeset(stages: [stage])))
        #expect(list.counts.elements == 1_000_000_000 && list.heldCount == 100)
        #expect(list.element(at: ElementPath(section: 0, element: 0)) == page[7])
        #expect(list.element(at: ElementPath(section: 0, element: 500_000_001)) == page[0])
        #expect(list.element(at: ElementPath(section: 0, element: 500_000_050)) == page[49])
        #expect(list.element(at: ElementPath(section: 0, element: 500_000_051)) == page[51])
        #expect(list.element(at: ElementPath(section: 0, element: 3)) == nil)
    }

    @Test("over the limit, those go that were asked for longest ago")
    func trimming() throws {
        var elements = SparseElements(count: 1000)
        for load in 1...10 {
            let rows = (load - 1) * 10..<load * 10
            elements.await(rows, by: load)
            _ = elements.fill(load: load, with: rows.map { RemoteElement(id: "\($0)", model: "M", value: 1) })
        }
        elements.touch(0..<10, by: 11)
        var list = try Self.list([SparseSection(id: "s", elements: elements)])
        list.trim(to: 100, newest: 11)
        #expect(list.heldCount == 100, "the limit is not passed")
        list.trim(to: 40, newest: 11)
        #expect(list.sections[0].elements.places == Array(0..<10) + Array(80..<100))
    }
}
