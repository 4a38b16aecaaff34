import CallboardUIKit
import Foundation
import ListDiff
import ListDiffUIKit
import TestSupport
import Testing
import UIKitDouble

@testable import CallboardClient

@Suite("A collection that shows a followed list", .timeLimit(.minutes(5))) @MainActor
struct CollectionTests {
    private func names(_ collection: UICollectionView) -> [String] {
        collection.layoutIfNeeded()
        return collection.indexPathsForVisibleItems.map {
            (collection.cellForItem(at: $0) as? TestItemCell)?.contact?.name ?? "?"
        }
    }

    /// A collection in a window, with its director.
    private func show(_ fixture: ListFixture) -> (UICollectionView, RemoteFlowDirector) {
        let collection = UICollectionView(collectionViewLayout: UICollectionViewFlowLayout())
        collection.window = UIWindow()
        let director = RemoteFlowDirector(collection: collection, list: fixture.list)
        director.registerCellAdapter(
            CollectionCellAdapter<Contact, TestItemCell> { $0.events.dequeue = { $0.cell?.contact = $0.element } })
        return (collection, director)
    }

    @Test("no history brings about a batch update that UIKit refuses, or a wrong cell")
    func histories() throws {
        var random = SeededGenerator(seed: SeededGenerator.seedOfRun("collections"))
        for _ in 0..<100 * runLength {
            let fixture = try ListFixture()
            var script = ListScript(&random)
            let (collection, director) = show(fixture)
            defer { withExtendedLifetime(director) {} }
            fixture.list.take(try script.snapshot())
            for _ in 0..<15 {
                if random.percent(70) {
                    fixture.list.take(try script.change(&random))
                } else {
                    collection.scroll(to: random.below(10))
                }
                collection.layoutIfNeeded()
                for path in collection.indexPathsForVisibleItems {
                    let value = fixture.list.sections.element(at: ElementPath(path))?.value
                    let cell = collection.cellForItem(at: path) as? TestItemCell
                    try #require(cell?.contact?.name == value?["name"]?.stringValue)
                    try #require(cell?.contact?.age == value?["age"]?.intValue)
                }
                try #require(collection.violations == [])
            }
        }
    }

    @Test("a scroll brings an element into sight, where the view shows it, and nothing where it is not there")
    func scrolls() throws {
        var random = SeededGenerator(seed: 1)
        let fixture = try ListFixture()
        var script = ListScript(&random)
        let (collection, director) = show(fixture)
        defer { withExtendedLifetime(director) {} }
        let table = TableFixture(fixture)
        let elements = (0..<40).map { ListScript.element("\($0)", 0) }
        fixture.list.take(try script.snapshot())
        fixture.list.take(
            try script.publish([
                RemoteSection(id: "a", elements: []), RemoteSection(id: "b", elements: elements),
            ]))
        func first(after members: JSONObject) throws -> [IndexPath?] {
            var object: JSONObject = ["version": 2, "indexPath": [1, 20], "section": "b", "element": "20"]
            for member in members.members { object[member.name] = member.value }
            fixture.list.take(.scroll(try ScrollCommand(JSONReader(.object(object)))))
            table.table.layoutIfNeeded()
            collection.layoutIfNeeded()
            return [table.table.indexPathsForVisibleRows?.first, collection.indexPathsForVisibleItems.first]
        }
        func path(_ item: Int) -> [IndexPath?] { Array(repeating: IndexPath(item: item, section: 1), count: 2) }
        #expect(try first(after: ["position": "top"]) == path(20))
        #expect(try first(after: ["element": "22"]) == path(20), "it is in sight already")
        #expect(try first(after: ["element": "30", "indexPath": [0, 99], "position": "bottom"]) == path(23))
        #expect(try first(after: ["element": "35", "position": "middle"]) == path(31))
        #expect(
            try first(after: ["element": "gone"]) == path(31) && table.faults() == [] && collection.violations == [])
    }

    @Test("a flow layout is answered from the section, then the director, then the layout; a tap is reported")
    func flow() async throws {
        let transport = HookTransport()
        let fixture = try ListFixture(transport)
        let layout = UICollectionViewFlowLayout()
        let collection = UICollectionView(collectionViewLayout: layout)
        let director = RemoteFlowDirector(collection: collection, list: fixture.list)
        director.registerCellAdapter(
            CollectionCellAdapter<Contact, TestItemCell> { $0.events.dequeue = { $0.cell?.contact = $0.element } })
        let element: JSON = ["id": "a", "model": "Contact", "value": ["name": "a", "age": 1]]
        let snapshot: JSON = [
            "director": "d", "kind": "flow", "epoch": "e", "version": 1,
            "properties": [
                "itemSize": ["explicit": ["width": 90, "height": 30]], "minimumLineSpacing": 4, "stickyHeaders": true,
            ],
            "adapters": [
                [
                    "model": "Contact", "cell": "TestItemCell", "events": ["didSelect": ["kind": "notification"]],
                    "afterSelection": "deselect",
                ]
            ],
            "sections": [
                ["id": "s", "elements": [element], "sectionInsets": ["left": 7]], ["id": "t", "elements": []],
            ],
        ]
        fixture.list.take(.replaced(try RemoteList(Snapshot(JSONReader(snapshot))), reset: nil))
        #expect(names(collection) == ["a"])
        #expect(collection.sizes == [IndexPath(item: 0, section: 0): CGSize(width: 90, height: 30)])
        func inset(_ section: Int) -> CGFloat {
            director.collectionView(collection, layout: layout, insetForSectionAt: section).left
        }
        #expect(inset(0) == 7 && inset(1) == 0)
        #expect(director.collectionView(collection, layout: layout, minimumLineSpacingForSectionAt: 0) == 4)
        #expect(director.collectionView(collection, layout: layout, minimumInteritemSpacingForSectionAt: 0) == 10)
        #expect(layout.sectionHeadersPinToVisibleBounds && !layout.sectionFootersPinToVisibleBounds)
        collection.tap(at: IndexPath(item: 0, section: 0))
        try await fixture.settle(1)
        #expect(collection.indexPathsForSelectedItems == [])
    }
}
