import Foundation
import ListDiff

/// A question of UIKit's that an adapter's closure or a hook may answer.
public struct ListQuestion<Answer: EventValue>: Sendable {
    /// The name on the wire.
    let name: String
    /// Whether the server takes the question for several elements at once.
    let isAskedTogether: Bool
    /// Whether the question can be asked before UIKit does: it needs no parameter that only UIKit knows.
    let isAskedAhead: Bool

    init(_ name: String, together isAskedTogether: Bool = false, ahead isAskedAhead: Bool = true) {
        (self.name, self.isAskedTogether, self.isAskedAhead) = (name, isAskedTogether, isAskedAhead)
    }
}

/// An event of UIKit's that an adapter's closure takes, or else is reported to the server.
public struct ListNotification: Sendable {
    /// The name on the wire.
    let name: String

    init(_ name: String) { self.name = name }
}

/// The events of a cell adapter of any view, by FlowKit's names.
public protocol CellEventNames: EventNames {}

extension CellEventNames {
    /// A cell was dequeued and is to be filled.
    public var dequeue: ListNotification { .init("dequeue") }
    /// The cell comes into sight.
    public var willDisplay: ListNotification { .init("willDisplay") }
    /// The cell has gone out of sight.
    public var endDisplay: ListNotification { .init("endDisplay") }
    /// The element may soon come into sight.
    public var prefetch: ListNotification { .init("prefetch") }
    /// The element will not come into sight after all.
    public var cancelPrefetch: ListNotification { .init("cancelPrefetch") }
    /// Whether the element opens when something is dragged over it.
    public var shouldSpringLoad: ListQuestion<Bool> { .init("shouldSpringLoad") }
    /// Whether the cell can have the focus.
    public var canFocus: ListQuestion<Bool> { .init("canFocus", together: true) }
    /// The user has selected the cell.
    public var didSelect: ListNotification { .init("didSelect") }
    /// The cell is no longer selected.
    public var didDeselect: ListNotification { .init("didDeselect") }
    /// Whether the cell is highlighted while it is touched; one that is not is not selected either.
    public var shouldHighlight: ListQuestion<Bool> { .init("shouldHighlight") }
    /// The cell is highlighted.
    public var didHighlight: ListNotification { .init("didHighlight") }
    /// The cell is no longer highlighted.
    public var didUnhighlight: ListNotification { .init("didUnhighlight") }

    /// The actions that a long press shows in a menu; nil for no menu. The context has the ``CellContext/point``.
    public var contextMenu: ListQuestion<[MenuAction]?> { .init("contextMenu") }
    /// The menu of a long press comes into sight.
    public var willDisplayContextMenu: ListNotification { .init("willDisplayContextMenu") }
    /// The user has chosen an action of the context menu: the context has its ``CellContext/action``, which is nil for
    /// a tap on the menu's preview.
    public var performContextAction: ListNotification { .init("performContextAction") }
    /// Whether a pan with two fingers that begins here selects several.
    public var shouldBeginMultipleSelection: ListQuestion<Bool> { .init("shouldBeginMultipleSelection") }
    /// The user begins to select several with two fingers.
    public var didBeginMultipleSelection: ListNotification { .init("didBeginMultipleSelection") }
    /// The user has tapped while nothing is being selected or edited, or has pressed Return.
    public var performPrimaryAction: ListNotification { .init("performPrimaryAction") }
    /// The items of a drag that begins here; none for no drag.
    public var prepareItemForDrag: ListQuestion<[DragItem]> { .init("prepareItemForDrag") }
    /// The items that a tap adds to a drag; none for nothing. The context has the ``CellContext/point`` and what is
    /// dragged already as ``CellContext/items``.
    public var addItemToDragSession: ListQuestion<[DragItem]> { .init("addItemToDragSession") }
}

/// The events of a table's cell adapter, by FlowKit's names.
public struct TableCellEvents: CellEventNames {
    /// Makes the names.
    public init() {}

    /// How high the row is, in points; -1 is UIKit's `automaticDimension`.
    public var rowHeight: ListQuestion<CGFloat> { .init("rowHeight", together: true) }
    /// How high the row may be until its height is needed, in points.
    public var rowHeightEstimated: ListQuestion<CGFloat> { .init("rowHeightEstimated", together: true) }
    /// How far the row is indented, in levels.
    public var indentLevel: ListQuestion<Int> { .init("indentLevel", together: true) }

    /// Whether the row can be edited.
    public var canEditRow: ListQuestion<Bool> { .init("canEditRow", together: true) }
    /// The user has asked to delete the row or to insert one; the context has the ``CellContext/editStyle``.
    public var commitEdit: ListNotification { .init("commitEdit") }
    /// The actions that the row shows when it is swiped; nil for UIKit's own.
    public var editActions: ListQuestion<SwipeActions?> { .init("editActions") }
    /// Whether the row can be moved.
    public var canMoveRow: ListQuestion<Bool> { .init("canMoveRow", together: true) }
    /// The user has moved the row; the context has the ``CellContext/destination``.
    public var moveRow: ListNotification { .init("moveRow") }
    /// The place for a row that the user drags; the context has the ``CellContext/proposed`` one.
    public var moveAdjustDestination: ListQuestion<ElementPath> { .init("moveAdjustDestination", ahead: false) }
    /// A swipe is about to let the row be edited.
    public var willBeginEdit: ListNotification { .init("willBeginEdit") }
    /// The row is no longer being edited.
    public var didEndEdit: ListNotification { .init("didEndEdit") }
    /// The control that the row shows while the table is edited.
    public var editStyle: ListQuestion<EditStyle> { .init("editStyle", together: true) }
    /// The text of the button that deletes the row; nil for UIKit's own.
    public var deleteConfirmTitle: ListQuestion<String?> { .init("deleteConfirmTitle") }
    /// Whether the row is indented while the table is edited.
    public var editShouldIndent: ListQuestion<Bool> { .init("editShouldIndent", together: true) }

    /// The user has tapped the button at the row's edge.
    public var tapOnAccessory: ListNotification { .init("tapOnAccessory") }
    /// The row that is selected when this one is tapped; nil for none.
    public var willSelect: ListQuestion<ElementPath?> { .init("willSelect") }
    /// The row that is deselected instead of this one; nil for none.
    public var willDeselect: ListQuestion<ElementPath?> { .init("willDeselect") }

    /// Whether a long press shows the editing menu.
    public var shouldShowMenu: ListQuestion<Bool> { .init("shouldShowMenu") }
    /// Whether the menu offers an action; the context has its ``CellContext/action``.
    public var canPerformMenuAction: ListQuestion<Bool> { .init("canPerformMenuAction", ahead: false) }
    /// The user has chosen an action; the context has its ``CellContext/action``.
    public var performMenuAction: ListNotification { .init("performMenuAction") }
    /// The actions that a swipe from the leading edge shows; nil for none.
    public var leadingSwipeActions: ListQuestion<SwipeActions?> { .init("leadingSwipeActions") }
    /// The actions that a swipe from the trailing edge shows; nil for UIKit's own.
    public var trailingSwipeActions: ListQuestion<SwipeActions?> { .init("trailingSwipeActions") }
}

/// The events of a collection's cell adapter, by FlowKit's names.
public struct CollectionCellEvents: CellEventNames {
    /// Makes the names.
    public init() {}

    /// How large the item is, in points.
    public var itemSize: ListQuestion<CGSize> { .init("itemSize", together: true) }
    /// Whether the item is selected when it is tapped.
    public var shouldSelect: ListQuestion<Bool> { .init("shouldSelect") }
    /// Whether the item is deselected when it is tapped again.
    public var shouldDeselect: ListQuestion<Bool> { .init("shouldDeselect") }
    /// Whether a long press shows the editing menu.
    public var shouldShowEditMenu: ListQuestion<Bool> { .init("shouldShowEditMenu") }
    /// Whether the menu offers an action; the context has its ``CellContext/action``.
    public var canPerformEditAction: ListQuestion<Bool> { .init("canPerformEditAction", ahead: false) }
    /// The user has chosen an action; the context has its ``CellContext/action``.
    public var performEditAction: ListNotification { .init("performEditAction") }
}

/// The events of a stack's cell adapter, after ScrollStackController.
public struct StackCellEvents: EventNames {
    /// Makes the names.
    public init() {}

    /// A row is to be filled.
    public var dequeue: ListNotification { .init("dequeue") }
    /// The row comes into sight.
    public var willDisplay: ListNotification { .init("willDisplay") }
    /// The row has gone out of sight.
    public var endDisplay: ListNotification { .init("endDisplay") }
    /// How long the row is in the direction of the stack, in points; -1 for as long as its content.
    public var rowHeight: ListQuestion<CGFloat> { .init("rowHeight", together: true) }
    /// The user has tapped the row.
    public var onTap: ListNotification { .init("onTap") }
    /// Whether the row is highlighted while it is touched.
    public var shouldHighlight: ListQuestion<Bool> { .init("shouldHighlight") }
    /// The row is highlighted.
    public var didHighlight: ListNotification { .init("didHighlight") }
    /// The row is no longer highlighted.
    public var didUnhighlight: ListNotification { .init("didUnhighlight") }
}

/// The events of a header or footer adapter, of a table, a collection or a stack.
public struct HeaderFooterEvents: EventNames {
    /// Makes the names.
    public init() {}

    /// A view was dequeued and is to be filled.
    public var dequeue: ListNotification { .init("dequeue") }
    /// How high a table's header is, in points.
    public var headerHeight: ListQuestion<CGFloat> { .init("headerHeight") }
    /// How high a table's footer is, in points.
    public var footerHeight: ListQuestion<CGFloat> { .init("footerHeight") }
    /// How high a table's header may be until its height is needed, in points.
    public var estHeaderHeight: ListQuestion<CGFloat> { .init("estHeaderHeight") }
    /// How high a table's footer may be until its height is needed, in points.
    public var estFooterHeight: ListQuestion<CGFloat> { .init("estFooterHeight") }
    /// How large a collection's header or footer is, in points.
    public var referenceSize: ListQuestion<CGSize> { .init("referenceSize") }
    /// The view comes into sight.
    public var willDisplay: ListNotification { .init("willDisplay") }
    /// The view of a collection has come into sight.
    public var didDisplay: ListNotification { .init("didDisplay") }
    /// The view has gone out of sight.
    public var endDisplay: ListNotification { .init("endDisplay") }
}

/// A table of events: one property for each.
public protocol EventNames: Sendable {
    /// Makes the table.
    init()
}

/// The closures of an adapter, by the properties of its table of events.
///
/// ```swift
/// events.didSelect = { context in show(context.element) }
/// events.rowHeight = { context in context.element.isLong ? 80 : 44 }
/// ```
@MainActor @dynamicMemberLookup
public struct EventHandlers<Names: EventNames, Context> {
    private var closures: [String: Any] = [:]

    init() {}

    /// The closure that takes an event; nil has it reported to the server where a hook is registered for it.
    public subscript(dynamicMember event: KeyPath<Names, ListNotification>) -> ((Context) -> Void)? {
        get { closure(for: Names()[keyPath: event]) }
        set { closures[Names()[keyPath: event].name] = newValue }
    }

    /// The closure that answers a question; nil leaves it to what the list publishes, a hook, or UIKit.
    public subscript<Answer>(
        dynamicMember event: KeyPath<Names, ListQuestion<Answer>>
    ) -> ((Context) -> Answer)? {
        get { closure(for: Names()[keyPath: event]) }
        set { closures[Names()[keyPath: event].name] = newValue }
    }

    func closure(for event: ListNotification) -> ((Context) -> Void)? { closures[event.name] as? (Context) -> Void }

    func closure<Answer>(for event: ListQuestion<Answer>) -> ((Context) -> Answer)? {
        closures[event.name] as? (Context) -> Answer
    }

    /// Whether an event of a name has a closure.
    func handles(_ name: String) -> Bool { closures[name] != nil }
}
