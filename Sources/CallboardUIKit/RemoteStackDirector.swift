import CallboardClient
import Foundation
import ListDiff
import ListDiffUIKit

#if canImport(UIKit) && !os(watchOS)
    import UIKit
#else
    import UIKitDouble
#endif

/// Shows a followed list in a scroll view, with its rows one behind the other.
///
/// ```swift
/// let director = RemoteStackDirector(scrollView: scrollView, list: callboard.follow("form"))
/// director.registerCellAdapter(StackCellAdapter<Contact, ContactView> { adapter in
///     adapter.events.dequeue = { context in context.cell?.contact = context.element }
///     adapter.events.onTap = { context in show(context.element) }
/// })
/// ```
///
/// Each row has a view of its own, which is kept for as long as its element is in the list. The director's `axis` says
/// in which direction the rows follow each other. The scroll view is held weakly; the app holds the director for as
/// long as the list is shown. The headers and footers of sections are not shown.
public final class RemoteStackDirector: RemoteListDirector {
    /// The scroll view.
    public private(set) weak var scrollView: UIScrollView?
    private let stack = StackView()
    private var rows = StackRows<StackRowView>()
    private var makers: [String: @MainActor () -> UIView] = [:]
    private var contentSize = CGSize.zero

    /// Makes a director, which becomes the scroll view's delegate and fills it with its rows.
    public init(scrollView: UIScrollView, list: FollowedList) {
        self.scrollView = scrollView
        super.init(list)
        scrollView.delegate = self
        stack.fill(scrollView)
        stack.onLayout = { [weak self] in self?.didLayOut() }
        apply(list.definition)
        reloadAll()
    }

    /// Registers a cell adapter, whose views are made by their class.
    public func registerCellAdapter<Model, Cell: UIView>(_ adapter: StackCellAdapter<Model, Cell>) {
        registerCellAdapter(adapter) { Cell() }
    }

    /// Registers a cell adapter, and what makes its views.
    public func registerCellAdapter<Model, Cell: UIView>(
        _ adapter: StackCellAdapter<Model, Cell>, make: @escaping @MainActor () -> Cell
    ) {
        register(adapter) { makers[$0] = make }
    }

    /// Registers a cell adapter, and the nib that its views are loaded from.
    public func registerCellAdapter<Model, Cell: UIView>(_ adapter: StackCellAdapter<Model, Cell>, nib: UINib) {
        registerCellAdapter(adapter) { nib.instantiate(withOwner: nil).first as? Cell ?? Cell() }
    }

    override func reloadView() {
        arrange()
        for row in rows.rows { fill(row) }
    }

    override func animate(
        _ stages: StagedChangeset<RemoteSection>, from sections: [RemoteSection], _ animations: ListAnimations
    ) throws {
        let states = try stages.states(from: sections)
        for row in rows.leaving(for: states.last ?? sections) { tell(\.endDisplay, row) }
        for state in states { delegate.show(state) }
        arrange()
        UIView.animate(withDuration: 0.25) { [stack] in stack.superview?.layoutIfNeeded() }
    }

    /// Makes the rows those of the list, and fills those that are new or have changed.
    private func arrange() {
        let change = rows.take(
            delegate.sections, identifier: { delegate.reuseIdentifier(at: $0) ?? "" }, make: { makeRow(at: $0) })
        for row in change.gone { row.removeFromSuperview() }
        for (index, row) in rows.rows.enumerated() { stack.insertArrangedSubview(row, at: index) }
        for row in change.changed { fill(row) }
        styleRows()
    }

    private func makeRow(at path: ElementPath) -> StackRowView {
        let row = StackRowView()
        row.hold(delegate.reuseIdentifier(at: path).flatMap { makers[$0] }?() ?? UIView())
        row.onTouch = { [weak self, weak row] touch in row.map { self?.take(touch, $0) } }
        return row
    }

    private func fill(_ row: StackRowView) {
        delegate.size = scrollView?.bounds.size ?? .zero
        for path in place(of: row) { delegate.fill(row.cell, at: path) }
    }

    private func styleRows() {
        for row in rows.rows {
            for path in place(of: row) {
                row.show(
                    delegate.style(at: path), delegate.separator(at: path), length: delegate.rowLength(at: path),
                    isHorizontal: delegate.isHorizontal)
            }
        }
    }

    private func take(_ touch: RowTouch, _ row: StackRowView) {
        for path in place(of: row) {
            row.isHighlighted = delegate.take(touch, at: path, cell: row.cell, isHighlighted: row.isHighlighted)
        }
    }

    private func tell(_ event: KeyPath<StackCellEvents, ListNotification>, _ row: StackRowView) {
        for path in place(of: row) { delegate.tell(event, at: path, cell: row.cell) }
    }

    /// The place of a row; none where it has gone.
    private func place(of row: StackRowView) -> [ElementPath] { rows.path(of: row).map { [$0] } ?? [] }

    private func didLayOut() {
        let size = stack.frame.size
        delegate.tellLayout(from: contentSize, to: size)
        contentSize = size
        viewDidScroll()
    }

    override func viewDidScroll() {
        let bounds = scrollView?.bounds ?? .zero
        let sight = rows.look { !$0.frame.intersection(bounds).isEmpty }
        for row in sight.leaving { tell(\.endDisplay, row) }
        for row in sight.coming {
            tell(\.willDisplay, row)
            for path in place(of: row) { prepareForTouch(at: path) }
        }
    }

    override var shownPaths: [ElementPath] { rows.rows.compactMap { rows.path(of: $0) } }

    override func prepareForTouch(at path: ElementPath) { delegate.prepareForTouch(ofStackRowAt: path) }

    override func shownCell(at path: ElementPath) -> AnyObject? { rows.row(at: path)?.cell }

    override func layOutAgain(_ paths: [ElementPath]) { styleRows() }

    override func scroll(to path: ElementPath, at position: ScrollCommand.Position, isAnimated: Bool) {
        guard let scrollView, let row = rows.row(at: path) else { return }
        scrollView.layoutIfNeeded()
        let offset = scrollView.offset(of: row.frame, at: position, isHorizontal: delegate.isHorizontal)
        scrollView.setContentOffset(offset, animated: isAnimated)
    }

    override func apply(_ definition: ListDefinition?) {
        stack.setDirection(isHorizontal: delegate.isHorizontal)
        styleRows()
    }
}
