import CallboardClient
import Foundation
import ListDiff
import ListDiffUIKit

#if canImport(UIKit) && !os(watchOS)
    import UIKit
#else
    import UIKitDouble
#endif

extension RemoteCollectionDirector: UICollectionViewDelegate {
    /// Tells of `willDisplay`, and asks ahead what a tap will ask.
    public func collectionView(
        _ collectionView: UICollectionView, willDisplay cell: UICollectionViewCell, forItemAt indexPath: IndexPath
    ) {
        let path = ElementPath(indexPath)
        delegate.tell(\CollectionCellEvents.willDisplay, at: path, cell: cell)
        delegate.prepareForTouch(ofItemAt: path)
    }

    /// Tells of `endDisplay`.
    public func collectionView(
        _ collectionView: UICollectionView, didEndDisplaying cell: UICollectionViewCell,
        forItemAt indexPath: IndexPath
    ) {
        delegate.tell(\CollectionCellEvents.endDisplay, at: ElementPath(indexPath), cell: cell)
    }

    /// Tells of the view's `willDisplay` and `didDisplay`, and of the director's `willDisplayHeader` or
    /// `willDisplayFooter`.
    public func collectionView(
        _ collectionView: UICollectionView, willDisplaySupplementaryView view: UICollectionReusableView,
        forElementKind elementKind: String, at indexPath: IndexPath
    ) {
        let isHeader = elementKind == UICollectionView.elementKindSectionHeader
        delegate.tell(\.willDisplay, ofSection: indexPath.section, isHeader: isHeader, view: view)
        delegate.tell(\.didDisplay, ofSection: indexPath.section, isHeader: isHeader, view: view)
        delegate.tellDirector(
            isHeader ? \.willDisplayHeader : \.willDisplayFooter, ofSection: indexPath.section, isHeader: isHeader)
    }

    /// Tells of the view's `endDisplay`, and of the director's `endDisplayHeader` or `endDisplayFooter`.
    public func collectionView(
        _ collectionView: UICollectionView, didEndDisplayingSupplementaryView view: UICollectionReusableView,
        forElementOfKind elementKind: String, at indexPath: IndexPath
    ) {
        let isHeader = elementKind == UICollectionView.elementKindSectionHeader
        delegate.tell(\.endDisplay, ofSection: indexPath.section, isHeader: isHeader, view: view)
        delegate.tellDirector(
            isHeader ? \.endDisplayHeader : \.endDisplayFooter, ofSection: indexPath.section, isHeader: isHeader)
    }

    /// Answers `shouldHighlight`; by itself, true.
    public func collectionView(
        _ collectionView: UICollectionView, shouldHighlightItemAt indexPath: IndexPath
    ) -> Bool {
        delegate.answer(\CollectionCellEvents.shouldHighlight, at: ElementPath(indexPath)) ?? true
    }

    /// Tells of `didHighlight`.
    public func collectionView(_ collectionView: UICollectionView, didHighlightItemAt indexPath: IndexPath) {
        tell(\.didHighlight, collectionView, indexPath)
    }

    /// Tells of `didUnhighlight`.
    public func collectionView(_ collectionView: UICollectionView, didUnhighlightItemAt indexPath: IndexPath) {
        tell(\.didUnhighlight, collectionView, indexPath)
    }

    /// Answers `shouldSelect`; by itself, true.
    public func collectionView(_ collectionView: UICollectionView, shouldSelectItemAt indexPath: IndexPath) -> Bool {
        delegate.answer(\CollectionCellEvents.shouldSelect, at: ElementPath(indexPath)) ?? true
    }

    /// Answers `shouldDeselect`; by itself, true.
    public func collectionView(_ collectionView: UICollectionView, shouldDeselectItemAt indexPath: IndexPath) -> Bool {
        delegate.answer(\CollectionCellEvents.shouldDeselect, at: ElementPath(indexPath)) ?? true
    }

    /// Tells of `didSelect`, and deselects the item where its `afterSelection` says so.
    public func collectionView(_ collectionView: UICollectionView, didSelectItemAt indexPath: IndexPath) {
        tell(\.didSelect, collectionView, indexPath)
        switch delegate.afterSelection(at: ElementPath(indexPath)) {
        case .none: break
        case .deselect: collectionView.deselectItem(at: indexPath, animated: false)
        case .deselectAnimated: collectionView.deselectItem(at: indexPath, animated: true)
        }
    }

    /// Tells of `didDeselect`.
    public func collectionView(_ collectionView: UICollectionView, didDeselectItemAt indexPath: IndexPath) {
        tell(\.didDeselect, collectionView, indexPath)
    }

    /// Answers `shouldSpringLoad`; by itself, true.
    public func collectionView(
        _ collectionView: UICollectionView, shouldSpringLoadItemAt indexPath: IndexPath,
        with context: any UISpringLoadedInteractionContext
    ) -> Bool {
        delegate.answer(\CollectionCellEvents.shouldSpringLoad, at: ElementPath(indexPath)) ?? true
    }

    /// Answers `canFocus`; by itself, true.
    public func collectionView(_ collectionView: UICollectionView, canFocusItemAt indexPath: IndexPath) -> Bool {
        delegate.answer(\CollectionCellEvents.canFocus, at: ElementPath(indexPath)) ?? true
    }

    func tell(
        _ event: KeyPath<CollectionCellEvents, ListNotification>, _ collectionView: UICollectionView,
        _ indexPath: IndexPath
    ) {
        delegate.tell(event, at: ElementPath(indexPath), cell: collectionView.cellForItem(at: indexPath))
    }
}
