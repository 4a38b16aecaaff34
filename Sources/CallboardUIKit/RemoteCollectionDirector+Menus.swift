import CallboardClient
import Foundation
import ListDiff
import ListDiffUIKit

#if canImport(UIKit) && !os(watchOS)
    import UIKit
#else
    import UIKitDouble
#endif

extension RemoteCollectionDirector {
    /// Answers `contextMenu`, of several items for the first of them; by itself, no menu.
    public func collectionView(
        _ collectionView: UICollectionView, contextMenuConfigurationForItemsAt indexPaths: [IndexPath], point: CGPoint
    ) -> UIContextMenuConfiguration? {
        menuConfiguration(at: indexPaths, point: point)
    }

    /// Tells of `willDisplayContextMenu`.
    public func collectionView(
        _ collectionView: UICollectionView, willDisplayContextMenu configuration: UIContextMenuConfiguration,
        animator: (any UIContextMenuInteractionAnimating)?
    ) {
        configuration.menu?.willDisplay()
    }

    /// Tells of `performContextAction`, without an action.
    public func collectionView(
        _ collectionView: UICollectionView,
        willPerformPreviewActionForMenuWith configuration: UIContextMenuConfiguration,
        animator: any UIContextMenuInteractionCommitAnimating
    ) {
        configuration.menu?.performPreview()
    }

    /// Tells of `performPrimaryAction`.
    public func collectionView(_ collectionView: UICollectionView, performPrimaryActionForItemAt indexPath: IndexPath) {
        tell(\.performPrimaryAction, collectionView, indexPath)
    }

    /// Answers `shouldBeginMultipleSelection`; by itself, false.
    public func collectionView(
        _ collectionView: UICollectionView, shouldBeginMultipleSelectionInteractionAt indexPath: IndexPath
    ) -> Bool {
        delegate.answer(\CollectionCellEvents.shouldBeginMultipleSelection, at: ElementPath(indexPath)) ?? false
    }

    /// Tells of `didBeginMultipleSelection`.
    public func collectionView(
        _ collectionView: UICollectionView, didBeginMultipleSelectionInteractionAt indexPath: IndexPath
    ) {
        tell(\.didBeginMultipleSelection, collectionView, indexPath)
    }

    // MARK: The editing menu

    /// Answers `shouldShowEditMenu`; by itself, false.
    public func collectionView(
        _ collectionView: UICollectionView, shouldShowMenuForItemAt indexPath: IndexPath
    ) -> Bool {
        delegate.answer(\CollectionCellEvents.shouldShowEditMenu, at: ElementPath(indexPath)) ?? false
    }

    /// Answers `canPerformEditAction`; by itself, false.
    public func collectionView(
        _ collectionView: UICollectionView, canPerformAction action: Selector, forItemAt indexPath: IndexPath,
        withSender sender: Any?
    ) -> Bool {
        delegate.answer(
            \CollectionCellEvents.canPerformEditAction, at: ElementPath(indexPath),
            parameters: ["action": .string(NSStringFromSelector(action))]) ?? false
    }

    /// Tells of `performEditAction`.
    public func collectionView(
        _ collectionView: UICollectionView, performAction action: Selector, forItemAt indexPath: IndexPath,
        withSender sender: Any?
    ) {
        delegate.tell(
            \CollectionCellEvents.performEditAction, at: ElementPath(indexPath),
            cell: collectionView.cellForItem(at: indexPath),
            parameters: ["action": .string(NSStringFromSelector(action))])
    }
}
