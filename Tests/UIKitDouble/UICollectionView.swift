// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, AlwaysUseLowerCamelCase
// The declarations are UIKit's, and have its documentation.

import Foundation

@MainActor
open class UICollectionReusableView: UIView {}

@MainActor
open class UICollectionViewCell: UICollectionReusableView {}

@MainActor
open class UICollectionViewLayout: NSObject {
    override public init() { super.init() }

    /// How often the layout was told to ask again.
    public private(set) var invalidations = 0

    open func invalidateLayout() { invalidations += 1 }
}

@MainActor
open class UICollectionViewFlowLayout: UICollectionViewLayout {
    public var itemSize = CGSize(width: 50, height: 50)
    public var sectionInset = UIEdgeInsets()
    public var minimumLineSpacing: CGFloat = 10
    public var minimumInteritemSpacing: CGFloat = 10
    public var headerReferenceSize = CGSize.zero
    public var footerReferenceSize = CGSize.zero
    public var sectionHeadersPinToVisibleBounds = false
    public var sectionFootersPinToVisibleBounds = false
}

@MainActor
public protocol UICollectionViewDataSource: AnyObject {
    func numberOfSections(in collectionView: UICollectionView) -> Int
    func collectionView(_ collectionView: UICollectionView, numberOfItemsInSection section: Int) -> Int
    func collectionView(
        _ collectionView: UICollectionView, cellForItemAt indexPath: IndexPath
    ) -> UICollectionViewCell
    func collectionView(
        _ collectionView: UICollectionView, viewForSupplementaryElementOfKind kind: String, at indexPath: IndexPath
    ) -> UICollectionReusableView
}

@MainActor
public protocol UICollectionViewDataSourcePrefetching: AnyObject {
    func collectionView(_ collectionView: UICollectionView, prefetchItemsAt indexPaths: [IndexPath])
    func collectionView(_ collectionView: UICollectionView, cancelPrefetchingForItemsAt indexPaths: [IndexPath])
}

@MainActor
public protocol UICollectionViewDelegate: UIScrollViewDelegate {
    func collectionView(
        _ collectionView: UICollectionView, willDisplay cell: UICollectionViewCell, forItemAt indexPath: IndexPath)
    func collectionView(
        _ collectionView: UICollectionView, didEndDisplaying cell: UICollectionViewCell,
        forItemAt indexPath: IndexPath)
    func collectionView(
        _ collectionView: UICollectionView, willDisplaySupplementaryView view: UICollectionReusableView,
        forElementKind elementKind: String, at indexPath: IndexPath)
    func collectionView(
        _ collectionView: UICollectionView, didEndDisplayingSupplementaryView view: UICollectionReusableView,
        forElementOfKind elementKind: String, at indexPath: IndexPath)
    func collectionView(_ collectionView: UICollectionView, shouldHighlightItemAt indexPath: IndexPath) -> Bool
    func collectionView(_ collectionView: UICollectionView, didHighlightItemAt indexPath: IndexPath)
    func collectionView(_ collectionView: UICollectionView, didUnhighlightItemAt indexPath: IndexPath)
    func collectionView(_ collectionView: UICollectionView, shouldSelectItemAt indexPath: IndexPath) -> Bool
    func collectionView(_ collectionView: UICollectionView, shouldDeselectItemAt indexPath: IndexPath) -> Bool
    func collectionView(_ collectionView: UICollectionView, didSelectItemAt indexPath: IndexPath)
    func collectionView(_ collectionView: UICollectionView, didDeselectItemAt indexPath: IndexPath)
    func collectionView(
        _ collectionView: UICollectionView, shouldSpringLoadItemAt indexPath: IndexPath,
        with context: any UISpringLoadedInteractionContext
    ) -> Bool
    func collectionView(_ collectionView: UICollectionView, canFocusItemAt indexPath: IndexPath) -> Bool
    func collectionView(_ collectionView: UICollectionView, shouldShowMenuForItemAt indexPath: IndexPath) -> Bool
    func collectionView(
        _ collectionView: UICollectionView, canPerformAction action: Selector, forItemAt indexPath: IndexPath,
        withSender sender: Any?
    ) -> Bool
    func collectionView(
        _ collectionView: UICollectionView, performAction action: Selector, forItemAt indexPath: IndexPath,
        withSender sender: Any?)
    func collectionView(
        _ collectionView: UICollectionView, contextMenuConfigurationForItemsAt indexPaths: [IndexPath], point: CGPoint
    ) -> UIContextMenuConfiguration?
    func collectionView(
        _ collectionView: UICollectionView, willDisplayContextMenu configuration: UIContextMenuConfiguration,
        animator: (any UIContextMenuInteractionAnimating)?)
    func collectionView(
        _ collectionView: UICollectionView,
        willPerformPreviewActionForMenuWith configuration: UIContextMenuConfiguration,
        animator: any UIContextMenuInteractionCommitAnimating)
    func collectionView(_ collectionView: UICollectionView, performPrimaryActionForItemAt indexPath: IndexPath)
    func collectionView(
        _ collectionView: UICollectionView, shouldBeginMultipleSelectionInteractionAt indexPath: IndexPath
    ) -> Bool
    func collectionView(_ collectionView: UICollectionView, didBeginMultipleSelectionInteractionAt indexPath: IndexPath)
}

@MainActor
public protocol UICollectionViewDelegateFlowLayout: UICollectionViewDelegate {
    func collectionView(
        _ collectionView: UICollectionView, layout collectionViewLayout: UICollectionViewLayout,
        sizeForItemAt indexPath: IndexPath
    ) -> CGSize
    func collectionView(
        _ collectionView: UICollectionView, layout collectionViewLayout: UICollectionViewLayout,
        insetForSectionAt section: Int
    ) -> UIEdgeInsets
    func collectionView(
        _ collectionView: UICollectionView, layout collectionViewLayout: UICollectionViewLayout,
        minimumLineSpacingForSectionAt section: Int
    ) -> CGFloat
    func collectionView(
        _ collectionView: UICollectionView, layout collectionViewLayout: UICollectionViewLayout,
        minimumInteritemSpacingForSectionAt section: Int
    ) -> CGFloat
    func collectionView(
        _ collectionView: UICollectionView, layout collectionViewLayout: UICollectionViewLayout,
        referenceSizeForHeaderInSection section: Int
    ) -> CGSize
    func collectionView(
        _ collectionView: UICollectionView, layout collectionViewLayout: UICollectionViewLayout,
        referenceSizeForFooterInSection section: Int
    ) -> CGSize
}

/// A collection that a test drives, as ``UITableView`` is driven.
@MainActor
open class UICollectionView: UIScrollView {
    public static let elementKindSectionHeader = "UICollectionElementKindSectionHeader"
    public static let elementKindSectionFooter = "UICollectionElementKindSectionFooter"

    public weak var dataSource: (any UICollectionViewDataSource)?
    public weak var delegate: (any UICollectionViewDelegate)?
    public weak var dragDelegate: (any UICollectionViewDragDelegate)?
    public weak var dropDelegate: (any UICollectionViewDropDelegate)?
    public var dragInteractionEnabled = false
    public weak var prefetchDataSource: (any UICollectionViewDataSourcePrefetching)?
    public let collectionViewLayout: UICollectionViewLayout

    /// What UIKit would have ended the program for.
    public private(set) var violations: [String] = []
    /// How many items are in sight at once.
    public var visibleItems = 8
    /// How many batch updates there have been.
    public private(set) var batches = 0
    /// The sizes that a flow layout's delegate has answered for the items in sight, at the last layout.
    public private(set) var sizes: [IndexPath: CGSize] = [:]
    /// The items that are selected.
    public private(set) var indexPathsForSelectedItems: [IndexPath]? = []

    private var makers: [String: @MainActor () -> UICollectionViewCell?] = [:]
    private var viewMakers: [String: @MainActor () -> UICollectionReusableView?] = [:]
    private var counts: [Int]?
    private var shown: [IndexPath: UICollectionViewCell] = [:]
    private var first = 0
    private var batch: BatchUpdates?

    public init(collectionViewLayout layout: UICollectionViewLayout) {
        collectionViewLayout = layout
        super.init()
    }

    public required convenience init() { self.init(collectionViewLayout: UICollectionViewLayout()) }

    public func register(_ type: AnyClass?, forCellWithReuseIdentifier identifier: String) {
        let type = type as? UICollectionViewCell.Type
        makers[identifier] = { type?.init() }
    }

    public func register(_ nib: UINib?, forCellWithReuseIdentifier identifier: String) {
        makers[identifier] = { nib?.view() }
    }

    public func register(
        _ type: AnyClass?, forSupplementaryViewOfKind kind: String, withReuseIdentifier identifier: String
    ) {
        let type = type as? UICollectionReusableView.Type
        viewMakers[kind + identifier] = { type?.init() }
    }

    public func register(
        _ nib: UINib?, forSupplementaryViewOfKind kind: String, withReuseIdentifier identifier: String
    ) {
        viewMakers[kind + identifier] = { nib?.view() }
    }

    public func dequeueReusableCell(
        withReuseIdentifier identifier: String, for indexPath: IndexPath
    ) -> UICollectionViewCell {
        guard let cell = makers[identifier]?() else {
            violations.append("no cell is registered for \(identifier)")
            return UICollectionViewCell()
        }
        return cell
    }

    public func dequeueReusableSupplementaryView(
        ofKind kind: String, withReuseIdentifier identifier: String, for indexPath: IndexPath
    ) -> UICollectionReusableView {
        guard let view = viewMakers[kind + identifier]?() else {
            violations.append("no view is registered for \(identifier)")
            return UICollectionReusableView()
        }
        return view
    }

    public func cellForItem(at indexPath: IndexPath) -> UICollectionViewCell? { shown[indexPath] }
    public var indexPathsForVisibleItems: [IndexPath] { shown.keys.sorted() }

    public func deselectItem(at indexPath: IndexPath, animated: Bool) {
        indexPathsForSelectedItems?.removeAll { $0 == indexPath }
    }

    public func reloadData() {
        if batch != nil { violations.append("reloadData inside a batch update") }
        endDisplay(shown)
        (counts, shown, sizes) = (nil, [:], [:])
    }

    public func performBatchUpdates(_ updates: (() -> Void)?, completion: ((Bool) -> Void)? = nil) {
        if batch != nil { violations.append("a batch update inside another") }
        let before = counts ?? currentCounts()
        batch = BatchUpdates()
        updates?()
        let made = batch ?? BatchUpdates()
        batch = nil
        batches += 1
        let after = currentCounts()
        violations += made.violations(from: before, to: after)
        let destinations = made.destinations(from: before, to: after)
        var (staying, leaving): ([IndexPath: UICollectionViewCell], [IndexPath: UICollectionViewCell]) = ([:], [:])
        for (path, cell) in shown {
            if let place = destinations[path] { staying[place] = cell } else { leaving[path] = cell }
        }
        endDisplay(leaving)
        (counts, shown) = (after, staying)
        layout()
        completion?(true)
    }

    public func insertSections(_ sections: IndexSet) { batch?.insertedSections += sections }
    public func deleteSections(_ sections: IndexSet) { batch?.deletedSections += sections }
    public func reloadSections(_ sections: IndexSet) { batch?.reloadedSections += sections }
    public func moveSection(_ section: Int, toSection newSection: Int) {
        batch?.movedSections.append((section, newSection))
    }
    public func insertItems(at indexPaths: [IndexPath]) { batch?.inserted += indexPaths }
    public func deleteItems(at indexPaths: [IndexPath]) { batch?.deleted += indexPaths }
    public func moveItem(at indexPath: IndexPath, to newIndexPath: IndexPath) {
        batch?.moved.append((indexPath, newIndexPath))
    }

    public func reloadItems(at indexPaths: [IndexPath]) {
        if batch != nil {
            batch?.reloaded += indexPaths
        } else {
            performBatchUpdates { self.batch?.reloaded += indexPaths }
        }
    }

    private func currentCounts() -> [Int] {
        guard let dataSource else { return [] }
        return (0..<dataSource.numberOfSections(in: self)).map {
            dataSource.collectionView(self, numberOfItemsInSection: $0)
        }
    }

    /// Loads and lays out what is in sight.
    override public func layoutIfNeeded() {
        if counts == nil { counts = currentCounts() }
        layout()
    }

    public struct ScrollPosition: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }
        public static let top = ScrollPosition(rawValue: 1)
        public static let centeredVertically = ScrollPosition(rawValue: 2)
        public static let bottom = ScrollPosition(rawValue: 4)
        public static let left = ScrollPosition(rawValue: 8)
        public static let centeredHorizontally = ScrollPosition(rawValue: 16)
        public static let right = ScrollPosition(rawValue: 32)
    }

    public func scrollToItem(at indexPath: IndexPath, at scrollPosition: ScrollPosition, animated: Bool) {
        let counts = currentCounts()
        guard counts.indices.contains(indexPath.section), (0..<counts[indexPath.section]).contains(indexPath.item)
        else {
            return violations.append("scrolled to \(indexPath), which is not there")
        }
        let item = counts.prefix(indexPath.section).reduce(0, +) + indexPath.item
        if scrollPosition.isEmpty, shown[indexPath] != nil { return }
        let offset =
            scrollPosition.contains(.bottom)
            ? visibleItems - 1 : scrollPosition.contains(.centeredVertically) ? visibleItems / 2 : 0
        scroll(to: item - offset)
    }

    /// Brings other items into sight.
    public func scroll(to item: Int) {
        first = max(0, item)
        delegate?.scrollViewDidScroll(self)
        layoutIfNeeded()
    }

    private func layout() {
        guard let dataSource, let counts else { return }
        let all = counts.enumerated().flatMap { section, count in
            (0..<count).map { IndexPath(item: $0, section: section) }
        }
        first = min(first, max(0, all.count - 1))
        let visible = all.dropFirst(first).prefix(visibleItems)
        endDisplay(shown.filter { !visible.contains($0.key) })
        shown = shown.filter { visible.contains($0.key) }
        sizes = [:]
        let flow = delegate as? any UICollectionViewDelegateFlowLayout
        for section in Set(visible.map(\.section)).sorted() {
            let size = flow?.collectionView(
                self, layout: collectionViewLayout, referenceSizeForHeaderInSection: section)
            guard let size, size != .zero else { continue }
            let (kind, path) = (UICollectionView.elementKindSectionHeader, IndexPath(item: 0, section: section))
            let view = dataSource.collectionView(self, viewForSupplementaryElementOfKind: kind, at: path)
            delegate?.collectionView(self, willDisplaySupplementaryView: view, forElementKind: kind, at: path)
        }
        for path in visible {
            if let size = flow?.collectionView(self, layout: collectionViewLayout, sizeForItemAt: path) {
                sizes[path] = size
            }
            guard shown[path] == nil else { continue }
            let cell = dataSource.collectionView(self, cellForItemAt: path)
            shown[path] = cell
            delegate?.collectionView(self, willDisplay: cell, forItemAt: path)
        }
        let ahead = all.dropFirst(first + visibleItems).prefix(visibleItems / 2)
        if isPrefetchingEnabled, !ahead.isEmpty {
            prefetchDataSource?.collectionView(self, prefetchItemsAt: Array(ahead))
        }
    }

    private func endDisplay(_ cells: [IndexPath: UICollectionViewCell]) {
        for (path, cell) in cells.sorted(by: { $0.key < $1.key }) {
            delegate?.collectionView(self, didEndDisplaying: cell, forItemAt: path)
        }
    }

    /// Taps an item.
    public func tap(at indexPath: IndexPath) {
        guard let delegate, delegate.collectionView(self, shouldHighlightItemAt: indexPath) else { return }
        delegate.collectionView(self, didHighlightItemAt: indexPath)
        delegate.collectionView(self, didUnhighlightItemAt: indexPath)
        guard delegate.collectionView(self, shouldSelectItemAt: indexPath) else { return }
        indexPathsForSelectedItems = [indexPath]
        delegate.collectionView(self, didSelectItemAt: indexPath)
    }
}
