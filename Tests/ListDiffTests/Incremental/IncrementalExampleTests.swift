import ListDiff
import TestSupport
import Testing

@testable import ListDiffTesting

@Suite("The changeset between two persistent lists")
struct IncrementalExampleTests {
    @Test("has the stages of the batch algorithm", arguments: ExampleTests.elements + ExampleTests.sections)
    func stages(example: ExampleTests.Example) throws {
        let source = PersistentList(example.source.map { Shelf($0) })
        let staged = StagedChangeset(from: source, to: PersistentList(example.target.map { Shelf($0) }))
        #expect(staged.plain.stages == example.stages)
        #expect(try source.applying(staged).plain == example.target)
    }

    static func shelves(_ sections: Int, _ elements: Int) -> PersistentList<Shelf> {
        PersistentList(
            (0..<sections).map { section in
                Shelf(section, PersistentList((0..<elements).map { Item(id: section * elements + $0) }))
            })
    }

    @Test("moves the first of many to the end in one move")
    func firstToTheEnd() {
        let source = PersistentList((0..<100_000).map { Item(id: $0) })
        var target = source
        target.move(from: 0, to: 99_999)
        let staged = StagedChangeset(from: source, to: target, section: 3)
        let move = ElementMove(from: ElementPath(section: 3, element: 0), to: ElementPath(section: 3, element: 99_999))
        #expect(staged.stages == [Changeset(elementMoved: [move])])
    }

    @Test("is empty where an element moves past its like alone", arguments: [1, 40, 700, 9_899])
    func pastItsLike(distance: Int) {
        let source = PersistentList((0..<10_000).map { Item(id: $0 < 50 ? $0 : 7) })
        var target = source
        target.move(from: 100, to: 100 + distance)
        #expect(StagedChangeset(from: source, to: target).isEmpty)
        #expect(StagedChangeset(from: target, to: source).isEmpty)
        // Past one of another identifier it does move.
        target.move(from: 100, to: 49)
        #expect(StagedChangeset(from: source, to: target).operationCount == 1)
    }

    @Test("moves as many elements across sections as were moved")
    func crossSectionMoves() throws {
        var generator = SeededGenerator(seed: runSeed)
        let source = Self.shelves(100, 1_000)
        var target = source
        for element in 0..<1_000 {
            let from = element % 100
            let to = (from + 1 + generator.below(99)) % 100
            // Ten of each section are moved, of those that it has from the beginning.
            let id = from * 1_000 + element / 100 * 97
            let position = try #require(target[from].list.firstIndex { $0.id == id })
            let item = target.update(at: from) { $0.list.remove(at: position) }
            target.update(at: to) { $0.list.insert(item, at: generator.below($0.list.count + 1)) }
        }
        let staged = StagedChangeset(from: source, to: target)
        #expect(staged.elementMoves == 1_000, "CALLBOARD_SEED=\(runSeed)")
        #expect(staged.operationCount == 1_000)
        #expect(try source.applying(staged).elementsEqual(target) { $0.list == $1.list })
    }

    @Test("swaps two of many sections as the batch algorithm does, and looks into none")
    func sectionSwap() {
        let source = Self.shelves(1_000, 40)
        var target = source
        target.swapAt(100, 900)
        let staged = StagedChangeset(from: source, to: target)
        #expect(
            staged.plain.stages == [
                Changeset(sectionMoved: [SectionMove(from: 100, to: 900), SectionMove(from: 900, to: 100)])
            ])
    }

    @Test("brings a collapsed section that is inserted without its elements, and shows them once it is not")
    func collapsedSections() {
        var hidden = Shelf(1, PersistentList((0..<3).map { Item(id: $0) }))
        hidden.isCollapsed = true
        var shown = hidden
        shown.isCollapsed = false
        let inserted = StagedChangeset(from: [], to: [hidden])
        #expect(inserted.plain.stages == [Changeset(sectionInserted: [SectionChange(at: 0, section: Group(1, []))])])
        let expanded = StagedChangeset(from: [hidden], to: [shown])
        #expect(expanded.plain.stages.map(\.kinds) == [[.elementInserted]])
        #expect(expanded.operationCount == 3)
    }

    @Test("replaces what shows the same and has another value, wherever it goes")
    func replacing() throws {
        let source = Self.shelves(3, 100)
        var target = source
        let change = { (shelf: Int, element: Int) in
            target.update(at: shelf) { $0.list.update(at: element) { $0.detail = 1 } }
        }
        for (shelf, element) in [(0, 5), (0, 50), (1, 7), (2, 99)] { change(shelf, element) }
        // One stays, one moves, one goes to another section, and one is in a section that moves.
        target.update(at: 0) { $0.list.move(from: 50, to: 90) }
        let item = target.update(at: 1) { $0.list.remove(at: 7) }
        target.update(at: 0) { $0.list.insert(item, at: 0) }
        target.move(from: 2, to: 0)
        let staged = StagedChangeset(from: source, to: target)
        #expect(staged.plain.stages.map(\.kinds) == [[.sectionMoved], [.elementMoved]])
        let paths = [(0, 99), (1, 0), (1, 6), (1, 91)].map { ElementPath(section: $0.0, element: $0.1) }
        #expect(staged.replaced.map(\.at) == paths)
        #expect(try source.applying(staged).plain == target.plain)
        #expect(try source.plain.applying(staged.plain) == target.plain)
        #expect(ReloadJudge(source: source, target: target).violation() == nil)
        let nothingElse = StagedChangeset(from: target, to: try source.applying(staged))
        #expect(nothingElse.isEmpty)
    }

    @Test("compares elements in the caller's way")
    func comparing() {
        let source = Self.shelves(3, 100)
        var target = source
        target.update(at: 1) { $0.list.update(at: 50) { $0.content = 1 } }
        target.update(at: 2) { $0.list.move(from: 7, to: 70) }
        let blind = StagedChangeset(from: source, to: target) { _, _ in true }
        #expect(blind.plain.stages.map(\.kinds) == [[.elementMoved]])
        let strict = StagedChangeset(from: source, to: target) { $0 == $1 }
        #expect(strict.plain.stages.map(\.kinds) == [[.elementUpdated], [.elementMoved]])
    }

    @Test("is as short as it can be where duplicates could be paired otherwise")
    func duplicates() {
        // Among 5,000 elements, 20 pairs of duplicates; one of them goes and a far one changes its place.
        let ids = (0..<5_000).map { $0 % 250 == 3 ? 7_000 + $0 % 500 : $0 }
        let source = PersistentList([Shelf(0, PersistentList(ids.map { Item(id: $0) }))])
        var target = source
        target.update(at: 0) {
            $0.list.remove(at: 503)
            $0.list.move(from: 2_000, to: 4_000)
        }
        let judge = ReloadJudge(source: source, target: target)
        #expect(judge.violation() == nil)
        #expect(StagedChangeset(from: source, to: target).operationCount == 2)
    }

    @Test("lets a duplicate stay that takes the place of one in a part that moves", arguments: [false, true])
    func duplicateInMovedPart(isReversed: Bool) {
        let source = PersistentList([Shelf(0, PersistentList((0..<4_000).map { Item(id: $0) }))])
        var target = source
        target.update(at: 0) {
            let (head, rest) = $0.list.split(at: 1_000)
            let (part, tail) = rest.split(at: 300)
            let (others, end) = tail.split(at: 2_000)
            var middle = others
            middle.insert(Item(id: 1_150), at: 0)
            $0.list = head
            for list in [middle, part, end] {
                $0.list.append(contentsOf: list)
            }
        }
        // Of the 300, 299 move; the one that the duplicate is equal to comes, or goes, in the part.
        let (before, after) = isReversed ? (target, source) : (source, target)
        let staged = StagedChangeset(from: before, to: after)
        #expect(staged.elementMoves == 299)
        #expect(staged.operationCount == 300)
        #expect(ReloadJudge(source: before, target: after).violation() == nil)
    }
}
