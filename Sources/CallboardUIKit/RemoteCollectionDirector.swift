import CallboardClient
import Foundation
import ListDiff
import ListDiffUIKit

#if canImport(UIKit) && !os(watchOS)
    import UIKit
#else
    import UIKitDouble
#endif

/// Shows a followed list in a collection: its data source, its delegate, and what animates its changes.
///
/// A ``RemoteFlowDirector`` answers a flow layout's questions besides. The collection is held weakly; the app holds the
/// director for as long as the collection is shown.
public class RemoteCollectionDirector: RemoteListDirector {
    /// The collection.
    public private(set) weak var collection: UICollectionView?

    /// Makes a director, which becomes the collection's data source and delegate.
    public init(collection: UICollectionView, list: FollowedList) {
        self.collection = collection
        super.init(list)
        collection.dataSource = self
        collection.delegate = self
        collection.prefetchDataSource = self
        apply(list.definition)
        reloadAll()
    }

    /// Registers a cell adapter, and its cell's class where no storyboard has it.
    ///
    /// - Parameters:
    ///   - adapter: The adapter.
    ///   - registersClass: Whether the collection makes cells of the class; false for a prototype of a storyboard.
    public func registerCellAdapter<Model, Cell: UICollectionViewCell>(
        _ adapter: CollectionCellAdapter<Model, Cell>, registersClass: Bool = true
    ) {
        guard registersClass else { return delegate.register(adapter) }
        register(adapter) { collection?.register(Cell.self, forCellWithReuseIdentifier: $0) }
    }

    /// Registers a cell adapter, and the nib that its cells are loaded from.
    public func registerCellAdapter<Model, Cell: UICollectionViewCell>(
        _ adapter: CollectionCellAdapter<Model, Cell>, nib: UINib
    ) {
        register(adapter) { collection?.register(nib, forCellWithReuseIdentifier: $0) }
    }

    /// Registers a header or footer adapter, and its view's class.
    public func registerHeaderFooterAdapter<View: UICollectionReusableView>(_ adapter: HeaderFooterAdapter<View>) {
        register(adapter) { identifier in
            for kind in RemoteCollectionDirector.viewKinds {
                collection?.register(View.self, forSupplementaryViewOfKind: kind, withReuseIdentifier: identifier)
            }
        }
    }

    /// Registers a header or footer adapter, and the nib that its views are loaded from.
    public func registerHeaderFooterAdapter<View: UICollectionReusableView>(
        _ adapter: HeaderFooterAdapter<View>, nib: UINib
    ) {
        register(adapter) { identifier in
            for kind in RemoteCollectionDirector.viewKinds {
                collection?.register(nib, forSupplementaryViewOfKind: kind, withReuseIdentifier: identifier)
            }
        }
    }

    private static let viewKinds = [
        UICollectionView.elementKindSectionHeader, UICollectionView.elementKindSectionFooter,
    ]

    override func reloadView() { collection?.reloadData() }

    override func animate(
        _ stages: StagedChangeset<RemoteSection>, from sections: [RemoteSection], _ animations: ListAnimations
    ) throws {
        let delegate = delegate
        try collection?.reload(using: stages, from: sections) { delegate.show($0) }
    }

    override var shownPaths: [ElementPath] { collection?.visiblePaths ?? [] }

    override func prepareForTouch(at path: ElementPath) { delegate.prepareForTouch(ofItemAt: path) }

    override func shownCell(at path: ElementPath) -> AnyObject? { collection?.cellForItem(at: path.indexPath) }

    override func layOutAgain(_ paths: [ElementPath]) { collection?.collectionViewLayout.invalidateLayout() }

    override func scroll(to path: ElementPath, at position: ScrollCommand.Position, isAnimated: Bool) {
        // UIKit takes of both directions the one in which the layout scrolls.
        let position: UICollectionView.ScrollPosition =
            switch position {
            case .none: []
            case .top: [.top, .left]
            case .middle: [.centeredVertically, .centeredHorizontally]
            case .bottom: [.bottom, .right]
            }
        collection?.scrollToItem(at: path.indexPath, at: position, animated: isAnimated)
    }

    override func apply(_ definition: ListDefinition?) {
        collection?.isPrefetchingEnabled = definition?.properties["isPrefetchingEnabled"]?.boolValue ?? true
        collection?.dragInteractionEnabled = list.isDragged
        collection?.dragDelegate = list.isDragged ? self : nil
        collection?.dropDelegate = list.isDragged ? self : nil
    }
}

extension RemoteCollectionDirector: UICollectionViewDataSource, UICollectionViewDataSourcePrefetching {
    /// The number of sections.
    public func numberOfSections(in collectionView: UICollectionView) -> Int { delegate.sections.count }

    /// The number of a section's items.
    public func collectionView(_ collectionView: UICollectionView, numberOfItemsInSection section: Int) -> Int {
        delegate.sections.indices.contains(section) ? delegate.sections[section].elements.count : 0
    }

    /// The cell of an item, filled by `dequeue`; an empty one where none is known, which `FollowedList.faults` names.
    public func collectionView(
        _ collectionView: UICollectionView, cellForItemAt indexPath: IndexPath
    ) -> UICollectionViewCell {
        delegate.size = collectionView.bounds.size
        let path = ElementPath(indexPath)
        guard let identifier = delegate.reuseIdentifier(at: path) else {
            return fallbackCell(collectionView, indexPath)
        }
        let cell = collectionView.dequeueReusableCell(withReuseIdentifier: identifier, for: indexPath)
        delegate.fill(cell, at: path)
        return cell
    }

    /// A collection takes only cells that it has dequeued itself.
    private func fallbackCell(_ collectionView: UICollectionView, _ indexPath: IndexPath) -> UICollectionViewCell {
        let identifier = "CallboardFallback"
        collectionView.register(UICollectionViewCell.self, forCellWithReuseIdentifier: identifier)
        return collectionView.dequeueReusableCell(withReuseIdentifier: identifier, for: indexPath)
    }

    /// The header or footer view of a section, filled by `dequeue`; an empty one where none is known.
    public func collectionView(
        _ collectionView: UICollectionView, viewForSupplementaryElementOfKind kind: String, at indexPath: IndexPath
    ) -> UICollectionReusableView {
        let isHeader = kind == UICollectionView.elementKindSectionHeader
        guard let identifier = delegate.reuseIdentifier(ofSection: indexPath.section, isHeader: isHeader) else {
            collectionView.register(
                UICollectionReusableView.self, forSupplementaryViewOfKind: kind,
                withReuseIdentifier: "CallboardFallback")
            return collectionView.dequeueReusableSupplementaryView(
                ofKind: kind, withReuseIdentifier: "CallboardFallback", for: indexPath)
        }
        let view = collectionView.dequeueReusableSupplementaryView(
            ofKind: kind, withReuseIdentifier: identifier, for: indexPath)
        delegate.tell(\.dequeue, ofSection: indexPath.section, isHeader: isHeader, view: view)
        return view
    }

    /// Asks ahead how large items are, and tells of `prefetch`.
    public func collectionView(_ collectionView: UICollectionView, prefetchItemsAt indexPaths: [IndexPath]) {
        let paths = indexPaths.map { ElementPath($0) }
        delegate.prepare(\CollectionCellEvents.itemSize, at: paths)
        for path in paths { delegate.tell(\CollectionCellEvents.prefetch, at: path) }
    }

    /// Tells of `cancelPrefetch`.
    public func collectionView(
        _ collectionView: UICollectionView, cancelPrefetchingForItemsAt indexPaths: [IndexPath]
    ) {
        for path in indexPaths { delegate.tell(\CollectionCellEvents.cancelPrefetch, at: ElementPath(path)) }
    }
}
