// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, AlwaysUseLowerCamelCase
// The declarations are AppKit's, and have its documentation.

import Foundation

@MainActor
open class NSCollectionViewItem: NSViewController {}

@MainActor
public protocol NSCollectionViewDataSource: AnyObject {
    func numberOfSections(in collectionView: NSCollectionView) -> Int
    func collectionView(_ collectionView: NSCollectionView, numberOfItemsInSection section: Int) -> Int
    func collectionView(
        _ collectionView: NSCollectionView, itemForRepresentedObjectAt indexPath: IndexPath
    ) -> NSCollectionViewItem
}

/// A collection that a test drives. It compares the counts of a batch update, and all items are in sight.
@MainActor
open class NSCollectionView: NSView {
    public weak var dataSource: (any NSCollectionViewDataSource)?

    /// What AppKit would have raised an exception for.
    public private(set) var violations: [String] = []
    /// How many batch updates there have been.
    public private(set) var batches = 0
    /// How many times everything was loaded anew.
    public private(set) var reloads = 0

    /// The items by section; nil where an item has not been asked for.
    private var items: [[NSCollectionViewItem?]] = []
    private var batch: ItemUpdates?

    public var numberOfSections: Int { items.count }

    public func numberOfItems(inSection section: Int) -> Int { items[section].count }

    public func item(at indexPath: IndexPath) -> NSCollectionViewItem? {
        guard items.indices.contains(indexPath.section) else { return nil }
        let section = items[indexPath.section]
        return section.indices.contains(indexPath.item) ? section[indexPath.item] : nil
    }

    public func reloadData() {
        if batch != nil { violations.append("reloadData inside a batch update") }
        reloads += 1
        items = currentCounts().map { Array(repeating: nil, count: $0) }
        load()
    }

    public func performBatchUpdates(
        _ updates: (() -> Void)?, completionHandler: ((Bool) -> Void)? = nil
    ) {
        if batch != nil { violations.append("a batch update inside another") }
        if items.map(\.count) != currentCounts() { violations.append("the data changed before the batch update") }
        batch = ItemUpdates()
        updates?()
        let made = batch ?? ItemUpdates()
        batch = nil
        batches += 1
        let counts = currentCounts()
        let (result, faults) = made.result(from: items, to: counts)
        violations += faults
        items = result
        load()
        completionHandler?(true)
    }

    public func insertSections(_ sections: IndexSet) { change { $0.insertedSections += sections } }
    public func deleteSections(_ sections: IndexSet) { change { $0.deletedSections += sections } }
    public func reloadSections(_ sections: IndexSet) { change { $0.reloadedSections += sections } }
    public func moveSection(_ section: Int, toSection newSection: Int) {
        change { $0.movedSections.append((section, newSection)) }
    }
    public func insertItems(at indexPaths: Set<IndexPath>) { change { $0.inserted += indexPaths } }
    public func deleteItems(at indexPaths: Set<IndexPath>) { change { $0.deleted += indexPaths } }
    public func reloadItems(at indexPaths: Set<IndexPath>) { change { $0.reloaded += indexPaths } }
    public func moveItem(at indexPath: IndexPath, to newIndexPath: IndexPath) {
        change { $0.moved.append((indexPath, newIndexPath)) }
    }

    private func change(_ add: (inout ItemUpdates) -> Void) {
        guard var updates = batch else { return violations.append("a change outside a batch update") }
        add(&updates)
        batch = updates
    }

    private func currentCounts() -> [Int] {
        guard let dataSource else { return [] }
        return (0..<dataSource.numberOfSections(in: self)).map {
            dataSource.collectionView(self, numberOfItemsInSection: $0)
        }
    }

    /// Asks for the items that are not there.
    private func load() {
        for section in items.indices {
            for item in items[section].indices where items[section][item] == nil {
                let path = IndexPath(item: item, section: section)
                items[section][item] = dataSource?.collectionView(self, itemForRepresentedObjectAt: path)
            }
        }
    }
}
