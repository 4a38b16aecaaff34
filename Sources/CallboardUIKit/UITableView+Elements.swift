import CallboardClient
import Foundation
import ListDiff
import ListDiffUIKit

#if canImport(UIKit) && !os(watchOS)
    import UIKit
#else
    import UIKitDouble
#endif

extension UITableView {
    /// Dequeues the cell of an element and has it show the element, where it is an `ElementCell`.
    ///
    /// The cells have to be registered by the reuse identifiers of the director's adapters and rows. An element
    /// without a known reuse identifier gets an empty cell.
    public func dequeueCell(
        showing element: RemoteElement, of definition: ListDefinition, for indexPath: IndexPath
    ) -> UITableViewCell {
        guard let identifier = definition.reuseIdentifier(for: element) else { return UITableViewCell() }
        let cell = dequeueReusableCell(withIdentifier: identifier, for: indexPath)
        (cell as? any ElementCell)?.show(element)
        return cell
    }

    /// The height for a delegate's `tableView(_:heightForRowAt:)`: the one that a row sets, else the table's
    /// `rowHeight`.
    public func height(at indexPath: IndexPath, in sections: [some ListSection]) -> CGFloat {
        sections.rowHeight(at: ElementPath(indexPath)).map { CGFloat($0) } ?? rowHeight
    }

    /// The height for a delegate's `tableView(_:estimatedHeightForRowAt:)`: the estimated height that a row sets, else
    /// the height that it sets, else the table's `estimatedRowHeight`.
    public func estimatedHeight(at indexPath: IndexPath, in sections: [some ListSection]) -> CGFloat {
        let path = ElementPath(indexPath)
        let height = sections.estimatedRowHeight(at: path) ?? sections.rowHeight(at: path)
        return height.map { CGFloat($0) } ?? estimatedRowHeight
    }
}

extension UICollectionView {
    /// Dequeues the cell of an element and has it show the element, where it is an `ElementCell`.
    ///
    /// The cells have to be registered by the reuse identifiers of the director's adapters and rows.
    ///
    /// - Returns: nil where the element has no known reuse identifier.
    public func dequeueCell(
        showing element: RemoteElement, of definition: ListDefinition, for indexPath: IndexPath
    ) -> UICollectionViewCell? {
        guard let identifier = definition.reuseIdentifier(for: element) else { return nil }
        let cell = dequeueReusableCell(withReuseIdentifier: identifier, for: indexPath)
        (cell as? any ElementCell)?.show(element)
        return cell
    }
}
