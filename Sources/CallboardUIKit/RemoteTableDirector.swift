import CallboardClient
import Foundation
import ListDiff
import ListDiffUIKit

#if canImport(UIKit) && !os(watchOS)
    import UIKit
#else
    import UIKitDouble
#endif

/// Shows a followed list in a table: its data source, its delegate, and what animates its changes.
///
/// ```swift
/// let director = RemoteTableDirector(table: tableView, list: callboard.follow("contacts"))
/// director.registerCellAdapter(TableCellAdapter<Contact, ContactCell> { adapter in
///     adapter.events.dequeue = { context in context.cell?.contact = context.element }
///     adapter.events.didSelect = { context in show(context.element) }
/// })
/// ```
///
/// The table is held weakly; the app holds the director for as long as the table is shown.
public final class RemoteTableDirector: RemoteListDirector {
    /// The table.
    public private(set) weak var table: UITableView?

    /// Makes a director, which becomes the table's data source and delegate.
    public init(table: UITableView, list: FollowedList) {
        self.table = table
        super.init(list)
        table.dataSource = self
        table.delegate = self
        table.prefetchDataSource = self
        apply(list.definition)
        reloadAll()
    }

    /// Registers a cell adapter, and its cell's class where the director's adapter does not say that a storyboard has
    /// it.
    ///
    /// - Parameters:
    ///   - adapter: The adapter.
    ///   - registersClass: Whether the table makes cells of the class; false for a prototype of a storyboard.
    public func registerCellAdapter<Model, Cell: UITableViewCell>(
        _ adapter: TableCellAdapter<Model, Cell>, registersClass: Bool = true
    ) {
        guard registersClass else { return delegate.register(adapter) }
        register(adapter) { table?.register(Cell.self, forCellReuseIdentifier: $0) }
    }

    /// Registers a cell adapter, and the nib that its cells are loaded from.
    public func registerCellAdapter<Model, Cell: UITableViewCell>(
        _ adapter: TableCellAdapter<Model, Cell>, nib: UINib
    ) {
        register(adapter) { table?.register(nib, forCellReuseIdentifier: $0) }
    }

    /// Registers a header or footer adapter, and its view's class.
    public func registerHeaderFooterAdapter<View: UITableViewHeaderFooterView>(_ adapter: HeaderFooterAdapter<View>) {
        register(adapter) { table?.register(View.self, forHeaderFooterViewReuseIdentifier: $0) }
    }

    /// Registers a header or footer adapter, and the nib that its views are loaded from.
    public func registerHeaderFooterAdapter<View: UITableViewHeaderFooterView>(
        _ adapter: HeaderFooterAdapter<View>, nib: UINib
    ) {
        register(adapter) { table?.register(nib, forHeaderFooterViewReuseIdentifier: $0) }
    }

    override func reloadView() { table?.reloadData() }

    override func animate(
        _ stages: StagedChangeset<RemoteSection>, from sections: [RemoteSection], _ animations: ListAnimations
    ) throws {
        let delegate = delegate
        try table?.reload(using: stages, from: sections, animations: RowAnimations(animations)) {
            delegate.show($0)
        }
    }

    override var shownPaths: [ElementPath] { table?.visiblePaths ?? [] }

    override func prepareForTouch(at path: ElementPath) { delegate.prepareForTouch(ofRowAt: path) }

    override func shownCell(at path: ElementPath) -> AnyObject? { table?.cellForRow(at: path.indexPath) }

    override func layOutAgain(_ paths: [ElementPath]) { table?.performBatchUpdates(nil) }

    override func scroll(to path: ElementPath, at position: ScrollCommand.Position, isAnimated: Bool) {
        let position: UITableView.ScrollPosition =
            switch position {
            case .none: .none
            case .top: .top
            case .middle: .middle
            case .bottom: .bottom
            }
        table?.scrollToRow(at: path.indexPath, at: position, animated: isAnimated)
    }

    override func apply(_ definition: ListDefinition?) {
        guard let table, let definition else { return }
        table.rowHeight = size(definition.properties["rowHeight"]) ?? UITableView.automaticDimension
        table.isPrefetchingEnabled = definition.properties["isPrefetchingEnabled"]?.boolValue ?? true
        table.dragInteractionEnabled = list.isDragged
        table.dragDelegate = list.isDragged ? self : nil
        table.dropDelegate = list.isDragged ? self : nil
    }

    private func size(_ policy: JSON?) -> CGFloat? { policy?["explicit"]?.doubleValue.map { CGFloat($0) } }
}
