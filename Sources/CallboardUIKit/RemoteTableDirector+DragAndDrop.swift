import CallboardClient
import Foundation
import ListDiff
import ListDiffUIKit

#if canImport(UIKit) && !os(watchOS)
    import UIKit
#else
    import UIKitDouble
#endif

extension RemoteTableDirector: UITableViewDragDelegate {
    /// Answers `prepareItemForDrag`; by itself, nothing is dragged.
    public func tableView(
        _ tableView: UITableView, itemsForBeginning session: any UIDragSession, at indexPath: IndexPath
    ) -> [UIDragItem] {
        delegate.dragItems(at: ElementPath(indexPath)).map { UIDragItem($0) }
    }

    /// Answers `addItemToDragSession`; by itself, nothing is added.
    public func tableView(
        _ tableView: UITableView, itemsForAddingTo session: any UIDragSession, at indexPath: IndexPath, point: CGPoint
    ) -> [UIDragItem] {
        delegate.dragItems(at: ElementPath(indexPath), point: point, addedTo: session.dragged).map { UIDragItem($0) }
    }

    /// Tells of `willBeginDragSession`.
    public func tableView(_ tableView: UITableView, dragSessionWillBegin session: any UIDragSession) {
        delegate.tell(\.willBeginDragSession, of: session.dragged)
    }

    /// Tells of `didEndDragSession`.
    public func tableView(_ tableView: UITableView, dragSessionDidEnd session: any UIDragSession) {
        delegate.tell(\.didEndDragSession, of: session.dragged)
    }

    /// Answers `dragSessionAllowsMoveOperation`; by itself, true.
    public func tableView(
        _ tableView: UITableView, dragSessionAllowsMoveOperation session: any UIDragSession
    ) -> Bool {
        delegate.answer(\.dragSessionAllowsMoveOperation, ofDrag: session.dragged) ?? true
    }

    /// Answers `dragSessionRestrictedToApp`; by itself, false.
    public func tableView(
        _ tableView: UITableView, dragSessionIsRestrictedToDraggingApplication session: any UIDragSession
    ) -> Bool {
        delegate.answer(\.dragSessionRestrictedToApp, ofDrag: session.dragged) ?? false
    }
}

extension RemoteTableDirector: UITableViewDropDelegate {
    /// Answers `acceptDropSession`; by itself, true.
    public func tableView(_ tableView: UITableView, canHandle session: any UIDropSession) -> Bool {
        delegate.acceptsDrop(of: session.dragged)
    }

    /// Tells of `dropSessionDidEnter`.
    public func tableView(_ tableView: UITableView, dropSessionDidEnter session: any UIDropSession) {
        delegate.tell(\.dropSessionDidEnter, of: session.dragged)
    }

    /// Answers `dropSessionDidUpdate`; by itself, a drop has no effect.
    public func tableView(
        _ tableView: UITableView, dropSessionDidUpdate session: any UIDropSession,
        withDestinationIndexPath destinationIndexPath: IndexPath?
    ) -> UITableViewDropProposal {
        let destination = destinationIndexPath.map { ElementPath($0) }
        return UITableViewDropProposal(delegate.dropProposal(for: session.dragged, at: destination))
    }

    /// Tells of `dropSessionDidExit`.
    public func tableView(_ tableView: UITableView, dropSessionDidExit session: any UIDropSession) {
        delegate.tell(\.dropSessionDidExit, of: session.dragged)
    }

    /// Tells of `dropSessionDidEnd`.
    public func tableView(_ tableView: UITableView, dropSessionDidEnd session: any UIDropSession) {
        delegate.tell(\.dropSessionDidEnd, of: session.dragged)
    }

    /// Tells of `performDrop`. The list stays as it is until the server's next version.
    public func tableView(_ tableView: UITableView, performDropWith coordinator: any UITableViewDropCoordinator) {
        delegate.drop(
            coordinator.session.dragged, at: coordinator.destinationIndexPath.map { ElementPath($0) },
            coordinator.proposal.proposal)
    }
}
