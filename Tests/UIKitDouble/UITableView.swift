// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, AlwaysUseLowerCamelCase
// The declarations are UIKit's, and have its documentation.

import Foundation

@MainActor
open class UITableViewCell: UIView {
    public enum EditingStyle: Int, Sendable {
        case none
        case delete
        case insert
    }

    public enum CellStyle: Int, Sendable {
        case `default`
    }

    public private(set) var reuseIdentifier: String?

    public required init() { super.init() }

    public convenience init(style: CellStyle, reuseIdentifier: String?) {
        self.init()
        self.reuseIdentifier = reuseIdentifier
    }
}

@MainActor
open class UITableViewHeaderFooterView: UIView {}

@MainActor
public protocol UITableViewDataSource: AnyObject {
    func numberOfSections(in tableView: UITableView) -> Int
    func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int
    func tableView(_ tableView: UITableView, cellForRowAt indexPath: IndexPath) -> UITableViewCell
    func tableView(_ tableView: UITableView, titleForHeaderInSection section: Int) -> String?
    func tableView(_ tableView: UITableView, titleForFooterInSection section: Int) -> String?
    func sectionIndexTitles(for tableView: UITableView) -> [String]?
    func tableView(_ tableView: UITableView, sectionForSectionIndexTitle title: String, at index: Int) -> Int
    func tableView(_ tableView: UITableView, canEditRowAt indexPath: IndexPath) -> Bool
    func tableView(_ tableView: UITableView, canMoveRowAt indexPath: IndexPath) -> Bool
    func tableView(
        _ tableView: UITableView, commit editingStyle: UITableViewCell.EditingStyle, forRowAt indexPath: IndexPath)
    func tableView(
        _ tableView: UITableView, moveRowAt sourceIndexPath: IndexPath, to destinationIndexPath: IndexPath)
}

@MainActor
public protocol UITableViewDataSourcePrefetching: AnyObject {
    func tableView(_ tableView: UITableView, prefetchRowsAt indexPaths: [IndexPath])
    func tableView(_ tableView: UITableView, cancelPrefetchingForRowsAt indexPaths: [IndexPath])
}

@MainActor
public protocol UITableViewDelegate: UIScrollViewDelegate {
    func tableView(_ tableView: UITableView, willDisplay cell: UITableViewCell, forRowAt indexPath: IndexPath)
    func tableView(_ tableView: UITableView, didEndDisplaying cell: UITableViewCell, forRowAt indexPath: IndexPath)
    func tableView(_ tableView: UITableView, heightForRowAt indexPath: IndexPath) -> CGFloat
    func tableView(_ tableView: UITableView, estimatedHeightForRowAt indexPath: IndexPath) -> CGFloat
    func tableView(_ tableView: UITableView, heightForHeaderInSection section: Int) -> CGFloat
    func tableView(_ tableView: UITableView, heightForFooterInSection section: Int) -> CGFloat
    func tableView(_ tableView: UITableView, viewForHeaderInSection section: Int) -> UIView?
    func tableView(_ tableView: UITableView, viewForFooterInSection section: Int) -> UIView?
    func tableView(_ tableView: UITableView, shouldHighlightRowAt indexPath: IndexPath) -> Bool
    func tableView(_ tableView: UITableView, didHighlightRowAt indexPath: IndexPath)
    func tableView(_ tableView: UITableView, didUnhighlightRowAt indexPath: IndexPath)
    func tableView(_ tableView: UITableView, willSelectRowAt indexPath: IndexPath) -> IndexPath?
    func tableView(_ tableView: UITableView, didSelectRowAt indexPath: IndexPath)
    func tableView(_ tableView: UITableView, willDeselectRowAt indexPath: IndexPath) -> IndexPath?
    func tableView(_ tableView: UITableView, didDeselectRowAt indexPath: IndexPath)
    func tableView(_ tableView: UITableView, estimatedHeightForHeaderInSection section: Int) -> CGFloat
    func tableView(_ tableView: UITableView, estimatedHeightForFooterInSection section: Int) -> CGFloat
    func tableView(_ tableView: UITableView, willDisplayHeaderView view: UIView, forSection section: Int)
    func tableView(_ tableView: UITableView, willDisplayFooterView view: UIView, forSection section: Int)
    func tableView(_ tableView: UITableView, didEndDisplayingHeaderView view: UIView, forSection section: Int)
    func tableView(_ tableView: UITableView, didEndDisplayingFooterView view: UIView, forSection section: Int)
    func tableView(_ tableView: UITableView, indentationLevelForRowAt indexPath: IndexPath) -> Int
    func tableView(
        _ tableView: UITableView, shouldSpringLoadRowAt indexPath: IndexPath,
        with context: any UISpringLoadedInteractionContext
    ) -> Bool
    func tableView(_ tableView: UITableView, canFocusRowAt indexPath: IndexPath) -> Bool
    func tableView(_ tableView: UITableView, shouldIndentWhileEditingRowAt indexPath: IndexPath) -> Bool
    func tableView(
        _ tableView: UITableView, titleForDeleteConfirmationButtonForRowAt indexPath: IndexPath
    ) -> String?
    func tableView(_ tableView: UITableView, accessoryButtonTappedForRowWith indexPath: IndexPath)
    func tableView(_ tableView: UITableView, willBeginEditingRowAt indexPath: IndexPath)
    func tableView(_ tableView: UITableView, didEndEditingRowAt indexPath: IndexPath?)
    func tableView(_ tableView: UITableView, shouldShowMenuForRowAt indexPath: IndexPath) -> Bool
    func tableView(
        _ tableView: UITableView, canPerformAction action: Selector, forRowAt indexPath: IndexPath,
        withSender sender: Any?
    ) -> Bool
    func tableView(
        _ tableView: UITableView, performAction action: Selector, forRowAt indexPath: IndexPath,
        withSender sender: Any?)
    func tableView(
        _ tableView: UITableView, editingStyleForRowAt indexPath: IndexPath
    ) -> UITableViewCell.EditingStyle
    func tableView(
        _ tableView: UITableView, trailingSwipeActionsConfigurationForRowAt indexPath: IndexPath
    ) -> UISwipeActionsConfiguration?
    func tableView(
        _ tableView: UITableView, leadingSwipeActionsConfigurationForRowAt indexPath: IndexPath
    ) -> UISwipeActionsConfiguration?
    func tableView(
        _ tableView: UITableView, targetIndexPathForMoveFromRowAt sourceIndexPath: IndexPath,
        toProposedIndexPath proposedDestinationIndexPath: IndexPath
    ) -> IndexPath
    func tableView(
        _ tableView: UITableView, contextMenuConfigurationForRowAt indexPath: IndexPath, point: CGPoint
    ) -> UIContextMenuConfiguration?
    func tableView(
        _ tableView: UITableView, willDisplayContextMenu configuration: UIContextMenuConfiguration,
        animator: (any UIContextMenuInteractionAnimating)?)
    func tableView(
        _ tableView: UITableView, willPerformPreviewActionForMenuWith configuration: UIContextMenuConfiguration,
        animator: any UIContextMenuInteractionCommitAnimating)
    func tableView(_ tableView: UITableView, performPrimaryActionForRowAt indexPath: IndexPath)
    func tableView(
        _ tableView: UITableView, shouldBeginMultipleSelectionInteractionAt indexPath: IndexPath
    ) -> Bool
    func tableView(_ tableView: UITableView, didBeginMultipleSelectionInteractionAt indexPath: IndexPath)
}

/// A table that a test drives: ``layoutIfNeeded()``, ``tap(at:)``, ``scroll(to:)`` and the others call what UIKit
/// calls.
@MainActor
open class UITableView: UIScrollView {
    public enum RowAnimation: Int, Sendable {
        case fade
        case right
        case left
        case top
        case bottom
        case none
        case middle
        case automatic
    }

    public static let automaticDimension: CGFloat = -1

    public weak var dataSource: (any UITableViewDataSource)?
    public weak var delegate: (any UITableViewDelegate)?
    public weak var dragDelegate: (any UITableViewDragDelegate)?
    public weak var dropDelegate: (any UITableViewDropDelegate)?
    public var dragInteractionEnabled = false
    public weak var prefetchDataSource: (any UITableViewDataSourcePrefetching)?
    public var rowHeight: CGFloat = UITableView.automaticDimension
    public var estimatedRowHeight: CGFloat = UITableView.automaticDimension
    public var sectionHeaderHeight: CGFloat = UITableView.automaticDimension
    public var sectionFooterHeight: CGFloat = UITableView.automaticDimension

    /// What UIKit would have ended the program for.
    public private(set) var violations: [String] = []
    /// How many rows are in sight at once.
    public var visibleRows = 8
    /// How many batch updates there have been.
    public private(set) var batches = 0
    /// How many times everything was loaded anew.
    public private(set) var reloads = 0
    /// The row that is selected.
    public private(set) var indexPathForSelectedRow: IndexPath?
    /// The heights that the delegate has answered for the rows in sight, at the last layout.
    public private(set) var heights: [IndexPath: CGFloat] = [:]

    private var makers: [String: @MainActor () -> UITableViewCell?] = [:]
    private var viewMakers: [String: @MainActor () -> UITableViewHeaderFooterView?] = [:]
    private var counts: [Int]?
    private var shown: [IndexPath: UITableViewCell] = [:]
    private var first = 0
    private var batch: BatchUpdates?

    public func register(_ type: AnyClass?, forCellReuseIdentifier identifier: String) {
        let type = type as? UITableViewCell.Type
        makers[identifier] = { type?.init() }
    }

    public func register(_ nib: UINib?, forCellReuseIdentifier identifier: String) {
        makers[identifier] = { nib?.view() }
    }

    public func register(_ type: AnyClass?, forHeaderFooterViewReuseIdentifier identifier: String) {
        let type = type as? UITableViewHeaderFooterView.Type
        viewMakers[identifier] = { type?.init() }
    }

    public func register(_ nib: UINib?, forHeaderFooterViewReuseIdentifier identifier: String) {
        viewMakers[identifier] = { nib?.view() }
    }

    public func dequeueReusableCell(withIdentifier identifier: String, for indexPath: IndexPath) -> UITableViewCell {
        guard let cell = makers[identifier]?() else {
            violations.append("no cell is registered for \(identifier)")
            return UITableViewCell()
        }
        return cell
    }

    public func dequeueReusableHeaderFooterView(withIdentifier identifier: String) -> UITableViewHeaderFooterView? {
        viewMakers[identifier]?()
    }

    public func cellForRow(at indexPath: IndexPath) -> UITableViewCell? { shown[indexPath] }

    public var indexPathsForVisibleRows: [IndexPath]? { shown.keys.sorted() }

    public func deselectRow(at indexPath: IndexPath, animated: Bool) {
        if indexPathForSelectedRow == indexPath { indexPathForSelectedRow = nil }
    }

    // MARK: Changes

    public func reloadData() {
        if batch != nil { violations.append("reloadData inside a batch update") }
        endDisplay(shown)
        (counts, shown, heights) = (nil, [:], [:])
        reloads += 1
    }

    public func performBatchUpdates(_ updates: (() -> Void)?, completion: ((Bool) -> Void)? = nil) {
        if batch != nil { violations.append("a batch update inside another") }
        // UIKit loads what it does not know before it compares.
        let before = counts ?? currentCounts()
        batch = BatchUpdates()
        updates?()
        let made = batch ?? BatchUpdates()
        batch = nil
        batches += 1
        let after = currentCounts()
        violations += made.violations(from: before, to: after)
        let destinations = made.destinations(from: before, to: after)
        var staying: [IndexPath: UITableViewCell] = [:]
        var leaving: [IndexPath: UITableViewCell] = [:]
        for (path, cell) in shown {
            if let place = destinations[path] { staying[place] = cell } else { leaving[path] = cell }
        }
        endDisplay(leaving)
        (counts, shown) = (after, staying)
        layout()
        completion?(true)
    }

    public func insertSections(_ sections: IndexSet, with animation: RowAnimation) {
        batch?.insertedSections += sections
    }
    public func deleteSections(_ sections: IndexSet, with animation: RowAnimation) {
        batch?.deletedSections += sections
    }
    public func reloadSections(_ sections: IndexSet, with animation: RowAnimation) {
        batch?.reloadedSections += sections
    }
    public func moveSection(_ section: Int, toSection newSection: Int) {
        batch?.movedSections.append((section, newSection))
    }
    public func insertRows(at indexPaths: [IndexPath], with animation: RowAnimation) { batch?.inserted += indexPaths }
    public func deleteRows(at indexPaths: [IndexPath], with animation: RowAnimation) { batch?.deleted += indexPaths }
    public func moveRow(at indexPath: IndexPath, to newIndexPath: IndexPath) {
        batch?.moved.append((indexPath, newIndexPath))
    }

    public func reloadRows(at indexPaths: [IndexPath], with animation: RowAnimation) {
        if batch != nil {
            batch?.reloaded += indexPaths
        } else {
            performBatchUpdates { self.batch?.reloaded += indexPaths }
        }
    }

    private func currentCounts() -> [Int] {
        guard let dataSource else { return [] }
        return (0..<dataSource.numberOfSections(in: self)).map {
            dataSource.tableView(self, numberOfRowsInSection: $0)
        }
    }

    // MARK: Driving

    /// Loads and lays out what is in sight.
    override public func layoutIfNeeded() {
        if counts == nil { counts = currentCounts() }
        layout()
    }

    public enum ScrollPosition: Int, Sendable {
        case none
        case top
        case middle
        case bottom
    }

    public func scrollToRow(at indexPath: IndexPath, at scrollPosition: ScrollPosition, animated: Bool) {
        let counts = currentCounts()
        guard counts.indices.contains(indexPath.section), (0..<counts[indexPath.section]).contains(indexPath.row) else {
            return violations.append("scrolled to \(indexPath), which is not there")
        }
        let row = counts.prefix(indexPath.section).reduce(0, +) + indexPath.row
        let offset = [.none: 0, .top: 0, .middle: visibleRows / 2, .bottom: visibleRows - 1][scrollPosition] ?? 0
        if scrollPosition == .none, shown[indexPath] != nil { return }
        scroll(to: row - offset)
    }

    /// Brings other rows into sight.
    public func scroll(to row: Int) {
        first = max(0, row)
        delegate?.scrollViewDidScroll(self)
        layoutIfNeeded()
    }

    private func layout() {
        guard let dataSource, let counts else { return }
        let all = counts.enumerated().flatMap { section, count in
            (0..<count).map { IndexPath(row: $0, section: section) }
        }
        first = min(first, max(0, all.count - 1))
        let visible = all.dropFirst(first).prefix(visibleRows)
        endDisplay(shown.filter { !visible.contains($0.key) })
        shown = shown.filter { visible.contains($0.key) }
        heights = [:]
        for section in Set(visible.map(\.section)).sorted() {
            _ = delegate?.tableView(self, heightForHeaderInSection: section)
            _ = delegate?.tableView(self, viewForHeaderInSection: section)
        }
        for path in visible {
            _ = delegate?.tableView(self, estimatedHeightForRowAt: path)
            if shown[path] == nil {
                let cell = dataSource.tableView(self, cellForRowAt: path)
                shown[path] = cell
                delegate?.tableView(self, willDisplay: cell, forRowAt: path)
            }
            heights[path] = delegate?.tableView(self, heightForRowAt: path)
        }
        let ahead = all.dropFirst(first + visibleRows).prefix(visibleRows / 2)
        if isPrefetchingEnabled, !ahead.isEmpty {
            prefetchDataSource?.tableView(self, prefetchRowsAt: Array(ahead))
        }
    }

    private func endDisplay(_ cells: [IndexPath: UITableViewCell]) {
        for (path, cell) in cells.sorted(by: { $0.key < $1.key }) {
            delegate?.tableView(self, didEndDisplaying: cell, forRowAt: path)
        }
    }

    /// Taps a row.
    public func tap(at indexPath: IndexPath) {
        guard let delegate, delegate.tableView(self, shouldHighlightRowAt: indexPath) else { return }
        delegate.tableView(self, didHighlightRowAt: indexPath)
        delegate.tableView(self, didUnhighlightRowAt: indexPath)
        guard let target = delegate.tableView(self, willSelectRowAt: indexPath) else { return }
        if let selected = indexPathForSelectedRow, selected != target,
            let leaving = delegate.tableView(self, willDeselectRowAt: selected)
        {
            indexPathForSelectedRow = nil
            delegate.tableView(self, didDeselectRowAt: leaving)
        }
        indexPathForSelectedRow = target
        delegate.tableView(self, didSelectRowAt: target)
    }

    /// Swipes a row to delete it; false where the row cannot be edited, or shows actions of its own.
    public func swipeToDelete(at indexPath: IndexPath) -> Bool {
        guard let dataSource, dataSource.tableView(self, canEditRowAt: indexPath),
            delegate?.tableView(self, editingStyleForRowAt: indexPath) == .delete,
            delegate?.tableView(self, trailingSwipeActionsConfigurationForRowAt: indexPath) == nil
        else { return false }
        dataSource.tableView(self, commit: .delete, forRowAt: indexPath)
        return true
    }

    /// Drags a row to another place; false where it cannot be moved.
    public func drag(from source: IndexPath, to proposed: IndexPath) -> Bool {
        guard let dataSource, let delegate, dataSource.tableView(self, canMoveRowAt: source) else { return false }
        let target = delegate.tableView(
            self, targetIndexPathForMoveFromRowAt: source, toProposedIndexPath: proposed)
        let before = counts ?? currentCounts()
        dataSource.tableView(self, moveRowAt: source, to: target)
        // UIKit has moved the row by itself: the data source has to say the same from now on.
        let after = currentCounts()
        var made = BatchUpdates()
        made.moved = [(source, target)]
        violations += made.violations(from: before, to: after)
        let destinations = made.destinations(from: before, to: after)
        shown = Dictionary(
            uniqueKeysWithValues: shown.compactMap { path, cell in destinations[path].map { ($0, cell) } })
        counts = after
        layout()
        return true
    }
}
