#if !canImport(AppKit)
    import AppKitDouble
    import Foundation
    import ListDiff
    import ListDiffAppKit

    @testable import ListDiffTesting

    /// What an element shows: its identity and its content, without the detail.
    struct Shown: Hashable {
        let id: Int
        let content: Int

        init(_ item: Item) { (id, content) = (item.id, item.content) }
    }

    final class ShownView: NSView {
        let shown: Shown

        init(_ item: Item) {
            shown = Shown(item)
            super.init()
        }
    }

    /// A table of two columns and the data that it shows.
    @MainActor
    final class TableData: NSTableViewDataSource, NSTableViewDelegate {
        let table = NSTableView()
        var sections: [Group]
        /// How often the data have been set.
        var settings = 0

        init(_ sections: [Group], inWindow: Bool = true) {
            self.sections = sections
            table.window = inWindow ? NSWindow() : nil
            for _ in 0..<2 { table.addTableColumn(NSTableColumn()) }
            (table.dataSource, table.delegate) = (self, self)
            table.reloadData()
        }

        func numberOfRows(in tableView: NSTableView) -> Int { sections.reduce(0) { $0 + $1.elements.count } }

        func tableView(_ tableView: NSTableView, viewFor tableColumn: NSTableColumn?, row: Int) -> NSView? {
            ShownView(sections.flatMap(\.elements)[row])
        }

        func set(_ sections: [Group]) {
            self.sections = sections
            settings += 1
        }

        /// The views in one column, from the first row to the last.
        func views(_ column: Int) -> [ShownView?] {
            (0..<table.numberOfRows).map { table.view(atColumn: column, row: $0, makeIfNecessary: false) as? ShownView }
        }

        /// Whether each row shows, in both columns, what its element says.
        var isRight: Bool {
            let shown = sections.flatMap(\.elements).map { Shown($0) }
            return [0, 1].allSatisfy { column in views(column).map { $0?.shown } == shown }
        }
    }

    final class ShownItem: NSCollectionViewItem {}

    /// A collection and the data that it shows.
    @MainActor
    final class CollectionData: NSCollectionViewDataSource {
        let collection = NSCollectionView()
        var sections: [Group]
        /// How often the data have been set.
        var settings = 0

        init(_ sections: [Group], inWindow: Bool = true) {
            self.sections = sections
            collection.window = inWindow ? NSWindow() : nil
            collection.dataSource = self
            collection.reloadData()
        }

        func numberOfSections(in collectionView: NSCollectionView) -> Int { sections.count }

        func collectionView(_ collectionView: NSCollectionView, numberOfItemsInSection section: Int) -> Int {
            sections[section].elements.count
        }

        func collectionView(
            _ collectionView: NSCollectionView, itemForRepresentedObjectAt indexPath: IndexPath
        ) -> NSCollectionViewItem {
            let path = ElementPath(indexPath)
            let item = ShownItem()
            item.representedObject = Shown(sections[path.section].elements[path.element])
            return item
        }

        func set(_ sections: [Group]) {
            self.sections = sections
            settings += 1
        }

        /// The items from the first section to the last.
        var items: [[NSCollectionViewItem?]] {
            (0..<collection.numberOfSections).map { section in
                (0..<collection.numberOfItems(inSection: section)).map {
                    collection.item(at: ElementPath(section: section, element: $0).indexPath)
                }
            }
        }

        /// Whether each item shows what its element says.
        var isRight: Bool {
            items.map { $0.map { $0?.representedObject as? Shown } } == sections.map { $0.elements.map { Shown($0) } }
        }
    }
#endif
