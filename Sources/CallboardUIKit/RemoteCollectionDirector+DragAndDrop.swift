import CallboardClient
import Foundation
import ListDiff
import ListDiffUIKit

#if canImport(UIKit) && !os(watchOS)
    import UIKit
#else
    import UIKitDouble
#endif

extension RemoteCollectionDirector: UICollectionViewDragDelegate {
    /// Answers `prepareItemForDrag`; by itself, nothing is dragged.
    public func collectionView(
        _ collectionView: UICollectionView, itemsForBeginning session: any UIDragSession, at indexPath: IndexPath
    ) -> [UIDragItem] {
        delegate.dragItems(at: ElementPath(indexPath)).map { UIDragItem($0) }
    }

    /// Answers `addItemToDragSession`; by itself, nothing is added.
    public func collectionView(
        _ collectionView: UICollectionView, itemsForAddingTo session: any UIDragSession, at indexPath: IndexPath,
        point: CGPoint
    ) -> [UIDragItem] {
        delegate.dragItems(at: ElementPath(indexPath), point: point, addedTo: session.dragged).map { UIDragItem($0) }
    }

    /// Tells of `willBeginDragSession`.
    public func collectionView(
        _ collectionView: UICollectionView, dragSessionWillBegin session: any UIDragSession
    ) {
        delegate.tell(\.willBeginDragSession, of: session.dragged)
    }

    /// Tells of `didEndDragSession`.
    public func collectionView(_ collectionView: UICollectionView, dragSessionDidEnd session: any UIDragSession) {
        delegate.tell(\.didEndDragSession, of: session.dragged)
    }

    /// Answers `dragSessionAllowsMoveOperation`; by itself, true.
    public func collectionView(
        _ collectionView: UICollectionView, dragSessionAllowsMoveOperation session: any UIDragSession
    ) -> Bool {
        delegate.answer(\.dragSessionAllowsMoveOperation, ofDrag: session.dragged) ?? true
    }

    /// Answers `dragSessionRestrictedToApp`; by itself, false.
    public func collectionView(
        _ collectionView: UICollectionView, dragSessionIsRestrictedToDraggingApplication session: any UIDragSession
    ) -> Bool {
        delegate.answer(\.dragSessionRestrictedToApp, ofDrag: session.dragged) ?? false
    }
}

extension RemoteCollectionDirector: UICollectionViewDropDelegate {
    /// Answers `acceptDropSession`; by itself, true.
    public func collectionView(_ collectionView: UICollectionView, canHandle session: any UIDropSession) -> Bool {
        delegate.acceptsDrop(of: session.dragged)
    }

    /// Tells of `dropSessionDidEnter`.
    public func collectionView(_ collectionView: UICollectionView, dropSessionDidEnter session: any UIDropSession) {
        delegate.tell(\.dropSessionDidEnter, of: session.dragged)
    }

    /// Answers `dropSessionDidUpdate`; by itself, a drop has no effect.
    public func collectionView(
        _ collectionView: UICollectionView, dropSessionDidUpdate session: any UIDropSession,
        withDestinationIndexPath destinationIndexPath: IndexPath?
    ) -> UICollectionViewDropProposal {
        let destination = destinationIndexPath.map { ElementPath($0) }
        return UICollectionViewDropProposal(delegate.dropProposal(for: session.dragged, at: destination))
    }

    /// Tells of `dropSessionDidExit`.
    public func collectionView(_ collectionView: UICollectionView, dropSessionDidExit session: any UIDropSession) {
        delegate.tell(\.dropSessionDidExit, of: session.dragged)
    }

    /// Tells of `dropSessionDidEnd`.
    public func collectionView(_ collectionView: UICollectionView, dropSessionDidEnd session: any UIDropSession) {
        delegate.tell(\.dropSessionDidEnd, of: session.dragged)
    }

    /// Tells of `performDrop`. The list stays as it is until the server's next version.
    public func collectionView(
        _ collectionView: UICollectionView, performDropWith coordinator: any UICollectionViewDropCoordinator
    ) {
        delegate.drop(
            coordinator.session.dragged, at: coordinator.destinationIndexPath.map { ElementPath($0) },
            coordinator.proposal.proposal)
    }
}
