extension EventCatalog {
    /// The events of a table's cell adapter.
    static let tableCellEvents: [EventDefinition] =
        tableRowEvents + tableEditingEvents + tableSelectionEvents + tableMenuEvents
        + table.contextMenuEvents("tableView", asking: "tableView(_:contextMenuConfigurationForRowAt:point:)")
        + table.multipleSelectionEvents("tableView", "Row") + table.dragEvents("tableView")

    private static let table = EventTable(source: .tableCell)

    private static let tableRowEvents: [EventDefinition] = [
        table.notification(
            "dequeue", .element, isBatchable: true, "tableView(_:cellForRowAt:)",
            "a cell has been dequeued and is to be filled with the element"),
        table.notification(
            "willDisplay", .element, isBatchable: true, "tableView(_:willDisplay:forRowAt:)",
            "the row comes into sight"),
        table.question(
            "rowHeight", .element, isBatchable: true, .height, default: .size(.rowHeight), parameters: [.size],
            "tableView(_:heightForRowAt:)", "how high the row is"),
        table.question(
            "rowHeightEstimated", .element, isBatchable: true, .height, default: .estimate(.rowHeight),
            parameters: [.size],
            "tableView(_:estimatedHeightForRowAt:)", "how high the row may be, until its height is needed"),
        table.question(
            "indentLevel", .element, isBatchable: true, .integer, default: .zero,
            "tableView(_:indentationLevelForRowAt:)", "how many levels the row is indented"),
        table.notification(
            "prefetch", .element, isBatchable: true, "tableView(_:prefetchRowsAt:)",
            "the rows may soon come into sight and their data be needed"),
        table.notification(
            "cancelPrefetch", .element, isBatchable: true, "tableView(_:cancelPrefetchingForRowsAt:)",
            "data that was fetched ahead for the rows is not needed after all"),
        table.question(
            "shouldSpringLoad", .element, .boolean, default: .yes, "tableView(_:shouldSpringLoadRowAt:with:)",
            "whether the row opens when something is dragged over it"),
        table.notification(
            "endDisplay", .element, isBatchable: true, "tableView(_:didEndDisplaying:forRowAt:)",
            "the row has gone out of sight"),
        table.question(
            "canFocus", .element, isBatchable: true, .boolean, default: .yes, "tableView(_:canFocusRowAt:)",
            "whether the row can have the focus"),
    ]

    private static let tableEditingEvents: [EventDefinition] = [
        table.question(
            "canEditRow", .element, isBatchable: true, .boolean, default: .yes, "tableView(_:canEditRowAt:)",
            "whether the row can be edited: deleted, or something inserted at it"),
        table.notification(
            "commitEdit", .element,
            parameters: [EventParameter("style", .editStyle, isRequired: true, "what the user has asked for")],
            "tableView(_:commit:forRowAt:)", "the user has asked to delete the row or to insert one"),
        table.question(
            "editActions", .element, .actions, default: .null, "tableView(_:editActionsForRowAt:)",
            "which actions the row shows when it is swiped; null for UIKit's own, to delete"),
        table.question(
            "canMoveRow", .element, isBatchable: true, .boolean, default: .isHooked("moveRow"),
            "tableView(_:canMoveRowAt:)", "whether the row can be moved to another place"),
        table.notification(
            "moveRow", .element,
            parameters: [EventParameter("to", .indexPath, isRequired: true, "where it stands now")],
            "tableView(_:moveRowAt:to:)", "the user has moved the row"),
        table.notification(
            "willBeginEdit", .element, "tableView(_:willBeginEditingRowAt:)",
            "a swipe is about to let the row be edited"),
        table.notification(
            "didEndEdit", .element, "tableView(_:didEndEditingRowAt:)", "the row is no longer being edited"),
        table.question(
            "editStyle", .element, isBatchable: true, .editStyle, default: .delete,
            "tableView(_:editingStyleForRowAt:)", "which control the row shows while the table is edited"),
        table.question(
            "deleteConfirmTitle", .element, .optionalString, default: .null,
            "tableView(_:titleForDeleteConfirmationButtonForRowAt:)",
            "what the button says that deletes the row; null for UIKit's own word"),
        table.question(
            "editShouldIndent", .element, isBatchable: true, .boolean, default: .yes,
            "tableView(_:shouldIndentWhileEditingRowAt:)", "whether the row is indented while the table is edited"),
        table.question(
            "moveAdjustDestination", .element, .indexPath, default: .parameter("proposed"), parameters: [.proposedPath],
            "tableView(_:targetIndexPathForMoveFromRowAt:toProposedIndexPath:)",
            "where the row goes that the user drags to a place"),
    ]

    private static let tableSelectionEvents: [EventDefinition] = [
        table.notification(
            "tapOnAccessory", .element, "tableView(_:accessoryButtonTappedForRowWith:)",
            "the user has tapped the button at the row's edge"),
        table.question(
            "willSelect", .element, .optionalIndexPath, default: .indexPath, "tableView(_:willSelectRowAt:)",
            "which row is selected when this one is tapped; null for none"),
        table.notification("didSelect", .element, "tableView(_:didSelectRowAt:)", "the user has selected the row"),
        table.question(
            "willDeselect", .element, .optionalIndexPath, default: .indexPath, "tableView(_:willDeselectRowAt:)",
            "which row is deselected instead of this one; null for none"),
        table.notification(
            "didDeselect", .element, "tableView(_:didDeselectRowAt:)", "the row is no longer selected"),
        table.question(
            "shouldHighlight", .element, .boolean, default: .yes, "tableView(_:shouldHighlightRowAt:)",
            "whether the row is highlighted while it is touched; without, it is not selected either"),
        table.notification(
            "didHighlight", .element, "tableView(_:didHighlightRowAt:)", "the row has been highlighted"),
        table.notification(
            "didUnhighlight", .element, "tableView(_:didUnhighlightRowAt:)", "the row is no longer highlighted"),
    ]

    private static let tableMenuEvents: [EventDefinition] = [
        table.question(
            "shouldShowMenu", .element, .boolean, default: .no, "tableView(_:shouldShowMenuForRowAt:)",
            "whether a long press shows the editing menu"),
        table.question(
            "canPerformMenuAction", .element, .boolean, default: .no, parameters: [.action, .sender],
            "tableView(_:canPerformAction:forRowAt:withSender:)", "whether the menu offers an action"),
        table.notification(
            "performMenuAction", .element, parameters: [.action, .sender],
            "tableView(_:performAction:forRowAt:withSender:)",
            "the user has chosen an action of the menu"),
        table.question(
            "leadingSwipeActions", .element, .swipeActions, default: .null,
            "tableView(_:leadingSwipeActionsConfigurationForRowAt:)",
            "which actions a swipe from the leading edge shows; null for none"),
        table.question(
            "trailingSwipeActions", .element, .swipeActions, default: .null,
            "tableView(_:trailingSwipeActionsConfigurationForRowAt:)",
            "which actions a swipe from the trailing edge shows; null for UIKit's own, to delete"),
    ]
}
