import CallboardClient
import Foundation
import ListDiff
import ListDiffUIKit

#if canImport(UIKit) && !os(watchOS)
    import UIKit
#else
    import UIKitDouble
#endif

extension RemoteTableDirector: UITableViewDataSource, UITableViewDataSourcePrefetching {
    /// The number of sections.
    public func numberOfSections(in tableView: UITableView) -> Int { delegate.sections.count }

    /// The number of a section's rows.
    public func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int {
        delegate.sections.indices.contains(section) ? delegate.sections[section].elements.count : 0
    }

    /// The cell of a row, filled by `dequeue`; an empty one where none is known, which `FollowedList.faults` names.
    public func tableView(_ tableView: UITableView, cellForRowAt indexPath: IndexPath) -> UITableViewCell {
        delegate.size = tableView.bounds.size
        let path = ElementPath(indexPath)
        guard let identifier = delegate.reuseIdentifier(at: path) else {
            return UITableViewCell(style: .default, reuseIdentifier: nil)
        }
        let cell = tableView.dequeueReusableCell(withIdentifier: identifier, for: indexPath)
        delegate.fill(cell, at: path)
        return cell
    }

    /// The title above a section.
    public func tableView(_ tableView: UITableView, titleForHeaderInSection section: Int) -> String? {
        delegate.sections.indices.contains(section) ? delegate.sections[section].headerTitle : nil
    }

    /// The title below a section.
    public func tableView(_ tableView: UITableView, titleForFooterInSection section: Int) -> String? {
        delegate.sections.indices.contains(section) ? delegate.sections[section].footerTitle : nil
    }

    /// The entries of the index at the side; nil where no section has one.
    public func sectionIndexTitles(for tableView: UITableView) -> [String]? {
        let titles = delegate.sections.compactMap(\.indexTitle)
        return titles.isEmpty ? nil : titles
    }

    /// The section of an entry of the index.
    public func tableView(_ tableView: UITableView, sectionForSectionIndexTitle title: String, at index: Int) -> Int {
        let titled = delegate.sections.indices.filter { delegate.sections[$0].indexTitle != nil }
        return titled.indices.contains(index) ? titled[index] : 0
    }

    /// Answers `canEditRow`; by itself, whether anybody takes an edit or shows actions.
    public func tableView(_ tableView: UITableView, canEditRowAt indexPath: IndexPath) -> Bool {
        let path = ElementPath(indexPath)
        return delegate.answer(\TableCellEvents.canEditRow, at: path)
            ?? (delegate.listens(to: \TableCellEvents.commitEdit, at: path)
                || delegate.listens(to: \TableCellEvents.leadingSwipeActions, at: path)
                || delegate.listens(to: \TableCellEvents.trailingSwipeActions, at: path)
                || delegate.listens(to: \TableCellEvents.editActions, at: path))
    }

    /// Answers `canMoveRow`; by itself, whether anybody takes the move.
    public func tableView(_ tableView: UITableView, canMoveRowAt indexPath: IndexPath) -> Bool {
        let path = ElementPath(indexPath)
        return delegate.answer(\TableCellEvents.canMoveRow, at: path)
            ?? delegate.listens(to: \TableCellEvents.moveRow, at: path)
    }

    /// Tells of `commitEdit`.
    public func tableView(
        _ tableView: UITableView, commit editingStyle: UITableViewCell.EditingStyle, forRowAt indexPath: IndexPath
    ) {
        delegate.tell(
            \TableCellEvents.commitEdit, at: ElementPath(indexPath), cell: tableView.cellForRow(at: indexPath),
            parameters: ["style": .string(EditStyle(editingStyle).rawValue)])
    }

    /// Tells of `moveRow`, and shows the row where it was moved to until the server says where it stands.
    public func tableView(
        _ tableView: UITableView, moveRowAt sourceIndexPath: IndexPath, to destinationIndexPath: IndexPath
    ) {
        let (source, target) = (ElementPath(sourceIndexPath), ElementPath(destinationIndexPath))
        delegate.tell(
            \TableCellEvents.moveRow, at: source,
            parameters: ["to": [.number(JSONNumber(target.section)), .number(JSONNumber(target.element))]])
        moved(from: source, to: target)
    }

    /// Asks ahead how high rows are, and tells of `prefetch`.
    public func tableView(_ tableView: UITableView, prefetchRowsAt indexPaths: [IndexPath]) {
        let paths = indexPaths.map { ElementPath($0) }
        delegate.prepare(\TableCellEvents.rowHeight, at: paths)
        for path in paths { delegate.tell(\TableCellEvents.prefetch, at: path) }
    }

    /// Tells of `cancelPrefetch`.
    public func tableView(_ tableView: UITableView, cancelPrefetchingForRowsAt indexPaths: [IndexPath]) {
        for path in indexPaths { delegate.tell(\TableCellEvents.cancelPrefetch, at: ElementPath(path)) }
    }
}

extension EditStyle {
    /// UIKit's style by its name.
    init(_ style: UITableViewCell.EditingStyle) {
        switch style {
        case .delete: self = .delete
        case .insert: self = .insert
        default: self = .none
        }
    }

    /// The style as UIKit has it.
    var uiKit: UITableViewCell.EditingStyle {
        switch self {
        case .none: .none
        case .delete: .delete
        case .insert: .insert
        }
    }
}
