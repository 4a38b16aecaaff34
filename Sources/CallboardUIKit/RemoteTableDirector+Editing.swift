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
    /// Answers `editStyle`; by itself, that which deletes, where the row can be edited.
    public func tableView(
        _ tableView: UITableView, editingStyleForRowAt indexPath: IndexPath
    ) -> UITableViewCell.EditingStyle {
        delegate.answer(\TableCellEvents.editStyle, at: ElementPath(indexPath))?.uiKit ?? .delete
    }

    /// Answers `editShouldIndent`; by itself, true.
    public func tableView(_ tableView: UITableView, shouldIndentWhileEditingRowAt indexPath: IndexPath) -> Bool {
        delegate.answer(\TableCellEvents.editShouldIndent, at: ElementPath(indexPath)) ?? true
    }

    /// Answers `deleteConfirmTitle`; by itself, UIKit's own.
    public func tableView(
        _ tableView: UITableView, titleForDeleteConfirmationButtonForRowAt indexPath: IndexPath
    ) -> String? {
        delegate.answer(\TableCellEvents.deleteConfirmTitle, at: ElementPath(indexPath)) ?? nil
    }

    /// Answers `moveAdjustDestination`; by itself, the proposed place.
    public func tableView(
        _ tableView: UITableView, targetIndexPathForMoveFromRowAt sourceIndexPath: IndexPath,
        toProposedIndexPath proposedDestinationIndexPath: IndexPath
    ) -> IndexPath {
        let proposed = ElementPath(proposedDestinationIndexPath)
        let place: ElementPath? = delegate.answer(
            \TableCellEvents.moveAdjustDestination, at: ElementPath(sourceIndexPath),
            parameters: ["proposed": [.number(JSONNumber(proposed.section)), .number(JSONNumber(proposed.element))]])
        return place?.indexPath ?? proposedDestinationIndexPath
    }

    /// Tells of `willBeginEdit`.
    public func tableView(_ tableView: UITableView, willBeginEditingRowAt indexPath: IndexPath) {
        delegate.tell(\TableCellEvents.willBeginEdit, at: ElementPath(indexPath))
    }

    /// Tells of `didEndEdit`.
    public func tableView(_ tableView: UITableView, didEndEditingRowAt indexPath: IndexPath?) {
        guard let indexPath else { return }
        delegate.tell(\TableCellEvents.didEndEdit, at: ElementPath(indexPath))
    }

    /// Answers `trailingSwipeActions`, else `editActions`; by itself, UIKit's own.
    public func tableView(
        _ tableView: UITableView, trailingSwipeActionsConfigurationForRowAt indexPath: IndexPath
    ) -> UISwipeActionsConfiguration? {
        let path = ElementPath(indexPath)
        let actions =
            delegate.answer(\TableCellEvents.trailingSwipeActions, at: path)
            ?? delegate.answer(\TableCellEvents.editActions, at: path) ?? nil
        return actions.map { configuration($0, at: path) }
    }

    /// Answers `leadingSwipeActions`; by itself, none.
    public func tableView(
        _ tableView: UITableView, leadingSwipeActionsConfigurationForRowAt indexPath: IndexPath
    ) -> UISwipeActionsConfiguration? {
        let path = ElementPath(indexPath)
        return (delegate.answer(\TableCellEvents.leadingSwipeActions, at: path) ?? nil)
            .map { configuration($0, at: path) }
    }

    private func configuration(_ actions: SwipeActions, at path: ElementPath) -> UISwipeActionsConfiguration {
        let configuration = UISwipeActionsConfiguration(
            actions: actions.actions.map { action in
                let shown = UIContextualAction(
                    style: action.isDestructive ? .destructive : .normal, title: action.title
                ) { [weak self] _, _, done in
                    self?.perform(action, at: path)
                    done(true)
                }
                shown.image = action.image.flatMap { UIImage(named: $0) }
                if let color = action.backgroundColor.flatMap(UIColor.init(callboard:)) {
                    shown.backgroundColor = color
                }
                return shown
            })
        configuration.performsFirstActionWithFullSwipe = actions.performsFirstActionWithFullSwipe
        return configuration
    }

    private func perform(_ action: SwipeActions.Action, at path: ElementPath) {
        if let perform = action.perform { return perform() }
        delegate.tell(\TableCellEvents.performMenuAction, at: path, parameters: ["action": .string(action.name)])
    }
}
