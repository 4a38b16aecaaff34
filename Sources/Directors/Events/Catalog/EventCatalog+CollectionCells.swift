extension EventCatalog {
    /// The events of a collection's cell adapter.
    static let collectionCellEvents: [EventDefinition] =
        collectionItemEvents + collectionSelectionEvents
        + table.contextMenuEvents(
            "collectionView",
            asking: "collectionView(_:contextMenuConfigurationForItemsAt:point:), "
                + "collectionView(_:contextMenuConfigurationForItemAt:point:)")
        + table.multipleSelectionEvents("collectionView", "Item") + table.outlineEvents()
        + table.dragEvents("collectionView")

    private static let table = EventTable(source: .collectionCell)

    private static let collectionItemEvents: [EventDefinition] = [
        table.notification(
            "dequeue", .element, isBatchable: true, "collectionView(_:cellForItemAt:)",
            "a cell has been dequeued and is to be filled with the element"),
        table.notification(
            "willDisplay", .element, isBatchable: true, "collectionView(_:willDisplay:forItemAt:)",
            "the item comes into sight"),
        table.notification(
            "endDisplay", .element, isBatchable: true, "collectionView(_:didEndDisplaying:forItemAt:)",
            "the item has gone out of sight"),
        table.question(
            "itemSize", .element, isBatchable: true, .size, default: .size(.itemSize), parameters: [.size],
            "collectionView(_:layout:sizeForItemAt:)", "how large the item is"),
        table.notification(
            "prefetch", .element, isBatchable: true, "collectionView(_:prefetchItemsAt:)",
            "the items may soon come into sight and their data be needed"),
        table.notification(
            "cancelPrefetch", .element, isBatchable: true, "collectionView(_:cancelPrefetchingForItemsAt:)",
            "data that was fetched ahead for the items is not needed after all"),
        table.question(
            "shouldSpringLoad", .element, .boolean, default: .yes, "collectionView(_:shouldSpringLoadItemAt:with:)",
            "whether the item opens when something is dragged over it"),
        table.question(
            "canFocus", .element, isBatchable: true, .boolean, default: .yes, "collectionView(_:canFocusItemAt:)",
            "whether the item can have the focus"),
    ]

    private static let collectionSelectionEvents: [EventDefinition] = [
        table.question(
            "shouldSelect", .element, .boolean, default: .yes, "collectionView(_:shouldSelectItemAt:)",
            "whether the item is selected when it is tapped"),
        table.question(
            "shouldDeselect", .element, .boolean, default: .yes, "collectionView(_:shouldDeselectItemAt:)",
            "whether the item is deselected when it is tapped again"),
        table.notification(
            "didSelect", .element, "collectionView(_:didSelectItemAt:)", "the user has selected the item"),
        table.notification(
            "didDeselect", .element, "collectionView(_:didDeselectItemAt:)", "the item is no longer selected"),
        table.question(
            "shouldHighlight", .element, .boolean, default: .yes, "collectionView(_:shouldHighlightItemAt:)",
            "whether the item is highlighted while it is touched; without, it is not selected either"),
        table.notification(
            "didHighlight", .element, "collectionView(_:didHighlightItemAt:)", "the item has been highlighted"),
        table.notification(
            "didUnhighlight", .element, "collectionView(_:didUnhighlightItemAt:)", "the item is no longer highlighted"),
        table.question(
            "shouldShowEditMenu", .element, .boolean, default: .no, "collectionView(_:shouldShowMenuForItemAt:)",
            "whether a long press shows the editing menu"),
        table.question(
            "canPerformEditAction", .element, .boolean, default: .no, parameters: [.action, .sender],
            "collectionView(_:canPerformAction:forItemAt:withSender:)", "whether the menu offers an action"),
        table.notification(
            "performEditAction", .element, parameters: [.action, .sender],
            "collectionView(_:performAction:forItemAt:withSender:)", "the user has chosen an action of the menu"),
    ]
}
