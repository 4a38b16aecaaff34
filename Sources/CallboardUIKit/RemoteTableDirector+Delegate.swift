import CallboardClient
import Foundation
import ListDiff
import ListDiffUIKit

#if canImport(UIKit) && !os(watchOS)
    import UIKit
#else
    import UIKitDouble
#endif

extension RemoteTableDirector: UITableViewDelegate {
    // MARK: Rows

    /// Tells of `willDisplay`, and asks ahead what a tap will ask.
    public func tableView(
        _ tableView: UITableView, willDisplay cell: UITableViewCell, forRowAt indexPath: IndexPath
    ) {
        let path = ElementPath(indexPath)
        delegate.tell(\TableCellEvents.willDisplay, at: path, cell: cell)
        delegate.prepareForTouch(ofRowAt: path)
    }

    /// Tells of `endDisplay`.
    public func tableView(
        _ tableView: UITableView, didEndDisplaying cell: UITableViewCell, forRowAt indexPath: IndexPath
    ) {
        delegate.tell(\TableCellEvents.endDisplay, at: ElementPath(indexPath), cell: cell)
    }

    /// Answers `rowHeight`; by itself, the table's.
    public func tableView(_ tableView: UITableView, heightForRowAt indexPath: IndexPath) -> CGFloat {
        delegate.answer(\TableCellEvents.rowHeight, at: ElementPath(indexPath)) ?? tableView.rowHeight
    }

    /// Answers `rowHeightEstimated`; by itself, the table's estimate.
    public func tableView(_ tableView: UITableView, estimatedHeightForRowAt indexPath: IndexPath) -> CGFloat {
        delegate.answer(\TableCellEvents.rowHeightEstimated, at: ElementPath(indexPath)) ?? tableView.estimatedRowHeight
    }

    /// Answers `indentLevel`; by itself, 0.
    public func tableView(_ tableView: UITableView, indentationLevelForRowAt indexPath: IndexPath) -> Int {
        delegate.answer(\TableCellEvents.indentLevel, at: ElementPath(indexPath)) ?? 0
    }

    /// Answers `shouldSpringLoad`; by itself, true.
    public func tableView(
        _ tableView: UITableView, shouldSpringLoadRowAt indexPath: IndexPath,
        with context: any UISpringLoadedInteractionContext
    ) -> Bool {
        delegate.answer(\TableCellEvents.shouldSpringLoad, at: ElementPath(indexPath)) ?? true
    }

    /// Answers `canFocus`; by itself, true.
    public func tableView(_ tableView: UITableView, canFocusRowAt indexPath: IndexPath) -> Bool {
        delegate.answer(\TableCellEvents.canFocus, at: ElementPath(indexPath)) ?? true
    }

    // MARK: Selection

    /// Answers `shouldHighlight`; by itself, true.
    public func tableView(_ tableView: UITableView, shouldHighlightRowAt indexPath: IndexPath) -> Bool {
        delegate.answer(\TableCellEvents.shouldHighlight, at: ElementPath(indexPath)) ?? true
    }

    /// Tells of `didHighlight`.
    public func tableView(_ tableView: UITableView, didHighlightRowAt indexPath: IndexPath) {
        tell(\.didHighlight, tableView, indexPath)
    }

    /// Tells of `didUnhighlight`.
    public func tableView(_ tableView: UITableView, didUnhighlightRowAt indexPath: IndexPath) {
        tell(\.didUnhighlight, tableView, indexPath)
    }

    /// Answers `willSelect`; by itself, the row that was tapped.
    public func tableView(_ tableView: UITableView, willSelectRowAt indexPath: IndexPath) -> IndexPath? {
        (delegate.answer(\TableCellEvents.willSelect, at: ElementPath(indexPath)) ?? ElementPath(indexPath))?.indexPath
    }

    /// Tells of `didSelect`, and deselects the row where its `afterSelection` says so.
    public func tableView(_ tableView: UITableView, didSelectRowAt indexPath: IndexPath) {
        tell(\.didSelect, tableView, indexPath)
        switch delegate.afterSelection(at: ElementPath(indexPath)) {
        case .none: break
        case .deselect: tableView.deselectRow(at: indexPath, animated: false)
        case .deselectAnimated: tableView.deselectRow(at: indexPath, animated: true)
        }
    }

    /// Answers `willDeselect`; by itself, the row that is selected.
    public func tableView(_ tableView: UITableView, willDeselectRowAt indexPath: IndexPath) -> IndexPath? {
        (delegate.answer(\TableCellEvents.willDeselect, at: ElementPath(indexPath)) ?? ElementPath(indexPath))?
            .indexPath
    }

    /// Tells of `didDeselect`.
    public func tableView(_ tableView: UITableView, didDeselectRowAt indexPath: IndexPath) {
        tell(\.didDeselect, tableView, indexPath)
    }

    /// Tells of `tapOnAccessory`.
    public func tableView(_ tableView: UITableView, accessoryButtonTappedForRowWith indexPath: IndexPath) {
        tell(\.tapOnAccessory, tableView, indexPath)
    }

    func tell(
        _ event: KeyPath<TableCellEvents, ListNotification>, _ tableView: UITableView, _ indexPath: IndexPath
    ) {
        delegate.tell(event, at: ElementPath(indexPath), cell: tableView.cellForRow(at: indexPath))
    }
}
