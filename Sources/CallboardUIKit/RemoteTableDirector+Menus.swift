import CallboardClient
import Foundation
import ListDiff
import ListDiffUIKit

#if canImport(UIKit) && !os(watchOS)
    import UIKit
#else
    import UIKitDouble
#endif

extension RemoteTableDirector {
    /// Answers `contextMenu`; by itself, no menu.
    public func tableView(
        _ tableView: UITableView, contextMenuConfigurationForRowAt indexPath: IndexPath, point: CGPoint
    ) -> UIContextMenuConfiguration? {
        menuConfiguration(at: [indexPath], point: point)
    }

    /// Tells of `willDisplayContextMenu`.
    public func tableView(
        _ tableView: UITableView, willDisplayContextMenu configuration: UIContextMenuConfiguration,
        animator: (any UIContextMenuInteractionAnimating)?
    ) {
        configuration.menu?.willDisplay()
    }

    /// Tells of `performContextAction`, without an action.
    public func tableView(
        _ tableView: UITableView, willPerformPreviewActionForMenuWith configuration: UIContextMenuConfiguration,
        animator: any UIContextMenuInteractionCommitAnimating
    ) {
        configuration.menu?.performPreview()
    }

    /// Tells of `performPrimaryAction`.
    public func tableView(_ tableView: UITableView, performPrimaryActionForRowAt indexPath: IndexPath) {
        tell(\.performPrimaryAction, tableView, indexPath)
    }

    /// Answers `shouldBeginMultipleSelection`; by itself, false.
    public func tableView(
        _ tableView: UITableView, shouldBeginMultipleSelectionInteractionAt indexPath: IndexPath
    ) -> Bool {
        delegate.answer(\TableCellEvents.shouldBeginMultipleSelection, at: ElementPath(indexPath)) ?? false
    }

    /// Tells of `didBeginMultipleSelection`.
    public func tableView(
        _ tableView: UITableView, didBeginMultipleSelectionInteractionAt indexPath: IndexPath
    ) {
        tell(\.didBeginMultipleSelection, tableView, indexPath)
    }

    // MARK: The editing menu

    /// Answers `shouldShowMenu`; by itself, false.
    public func tableView(_ tableView: UITableView, shouldShowMenuForRowAt indexPath: IndexPath) -> Bool {
        delegate.answer(\TableCellEvents.shouldShowMenu, at: ElementPath(indexPath)) ?? false
    }

    /// Answers `canPerformMenuAction`; by itself, false.
    public func tableView(
        _ tableView: UITableView, canPerformAction action: Selector, forRowAt indexPath: IndexPath,
        withSender sender: Any?
    ) -> Bool {
        delegate.answer(
            \TableCellEvents.canPerformMenuAction, at: ElementPath(indexPath),
            parameters: ["action": .string(NSStringFromSelector(action))]) ?? false
    }

    /// Tells of `performMenuAction`.
    public func tableView(
        _ tableView: UITableView, performAction action: Selector, forRowAt indexPath: IndexPath,
        withSender sender: Any?
    ) {
        delegate.tell(
            \TableCellEvents.performMenuAction, at: ElementPath(indexPath),
            cell: tableView.cellForRow(at: indexPath),
            parameters: ["action": .string(NSStringFromSelector(action))])
    }
}
