import CallboardUIKit
import Foundation
import ListDiff
import Testing
import UIKitDouble

@testable import CallboardClient

@Suite("Cells and views of nibs") @MainActor
struct NibTests {
    private final class TitleView: UITableViewHeaderFooterView {
        var text: String?
        var isOfNib = false
    }

    private final class ItemTitleView: UICollectionReusableView {
        var text: String?
        var isOfNib = false
    }

    private static let snapshot: JSON = [
        "director": "d", "kind": "flow", "epoch": "e", "version": 1, "properties": [:],
        "adapters": [["model": "Contact", "cell": "TestCell", "reuseIdentifier": "other"]],
        "headerFooterAdapters": [["view": "Title", "reuseIdentifier": "another"]],
        "sections": [
            [
                "id": "s", "headerView": "Title", "headerTitle": "T", "headerSize": ["width": 9, "height": 9],
                "elements": [["id": "a", "model": "Contact", "value": ["name": "a", "age": 1]]],
            ]
        ],
    ]

    private func fixture() throws -> ListFixture {
        let fixture = try ListFixture()
        fixture.list.take(.replaced(try RemoteList(Snapshot(JSONReader(Self.snapshot))), reset: nil))
        return fixture
    }

    @Test("a table loads cells and headers from nibs, by whatever identifier the director's adapters have")
    func table() throws {
        UINib.contents["TableCell"] = {
            let cell = TestCell()
            cell.bounds.size.width = 7
            return cell
        }
        UINib.contents["TableTitle"] = {
            let view = TitleView()
            view.isOfNib = true
            return view
        }
        let (table, fixture) = (UITableView(), try fixture())
        let director = RemoteTableDirector(table: table, list: fixture.list)
        director.registerCellAdapter(
            TableCellAdapter<Contact, TestCell> { $0.events.dequeue = { $0.cell?.contact = $0.element } },
            nib: UINib(nibName: "TableCell", bundle: nil))
        director.registerHeaderFooterAdapter(
            HeaderFooterAdapter<TitleView>(for: "Title") { $0.events.dequeue = { $0.view?.text = $0.title } },
            nib: UINib(nibName: "TableTitle", bundle: nil))
        table.layoutIfNeeded()
        let cell = table.cellForRow(at: IndexPath(row: 0, section: 0)) as? TestCell
        #expect(cell?.contact?.name == "a" && cell?.bounds.width == 7 && table.violations == [])
        let header = director.tableView(table, viewForHeaderInSection: 0) as? TitleView
        #expect(header?.isOfNib == true && header?.text == "T")
    }

    @Test("a collection loads items and headers from nibs")
    func collection() throws {
        UINib.contents["Item"] = {
            let cell = TestItemCell()
            cell.bounds.size.width = 7
            return cell
        }
        UINib.contents["ItemTitle"] = {
            let view = ItemTitleView()
            view.isOfNib = true
            return view
        }
        let collection = UICollectionView(collectionViewLayout: UICollectionViewFlowLayout())
        let fixture = try fixture()
        let director = RemoteFlowDirector(collection: collection, list: fixture.list)
        director.registerCellAdapter(
            CollectionCellAdapter<Contact, TestItemCell> { $0.events.dequeue = { $0.cell?.contact = $0.element } },
            nib: UINib(nibName: "Item", bundle: nil))
        director.registerHeaderFooterAdapter(
            HeaderFooterAdapter<ItemTitleView>(for: "Title") { $0.events.dequeue = { $0.view?.text = $0.title } },
            nib: UINib(nibName: "ItemTitle", bundle: nil))
        collection.layoutIfNeeded()
        let path = IndexPath(item: 0, section: 0)
        let cell = collection.cellForItem(at: path) as? TestItemCell
        #expect(cell?.contact?.name == "a" && cell?.bounds.width == 7 && collection.violations == [])
        let kind = UICollectionView.elementKindSectionHeader
        let view = director.collectionView(collection, viewForSupplementaryElementOfKind: kind, at: path)
        #expect((view as? ItemTitleView)?.isOfNib == true && (view as? ItemTitleView)?.text == "T")
    }
}
