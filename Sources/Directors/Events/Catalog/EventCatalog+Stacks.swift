// The events of a stack: those of ScrollStackController's rows and of its delegate.

extension EventCatalog {
    /// The events of a stack's cell adapter.
    static let stackCellEvents: [EventDefinition] = [
        cell.notification(
            "dequeue", .element, isBatchable: true,
            "ScrollStackContainableController.reloadContentFromStackView(stackView:row:animated:)",
            "a row is to be filled with the element"),
        cell.notification(
            "willDisplay", .element, isBatchable: true,
            "ScrollStackControllerDelegate.scrollStackRowDidBecomeVisible(_:row:index:state:)",
            "the row comes into sight"),
        cell.notification(
            "endDisplay", .element, isBatchable: true,
            "ScrollStackControllerDelegate.scrollStackRowDidBecomeHidden(_:row:index:state:)",
            "the row has gone out of sight"),
        cell.question(
            "rowHeight", .element, isBatchable: true, .height, default: .size(.rowLength), parameters: [.size],
            "ScrollStackContainableController.scrollStackRowSizeForAxis(_:row:in:)",
            "how long the row is in the direction of the stack; -1 for as long as its content"),
        cell.notification("onTap", .element, "ScrollStackRow.onTap", "the user has tapped the row"),
        cell.question(
            "shouldHighlight", .element, .boolean, default: .yes, "ScrollStackRowHighlightable.isHighlightable",
            "whether the row is highlighted while it is touched"),
        cell.notification(
            "didHighlight", .element, "ScrollStackRowHighlightable.setIsHighlighted(_:)",
            "the row has been highlighted"),
        cell.notification(
            "didUnhighlight", .element, "ScrollStackRowHighlightable.setIsHighlighted(_:)",
            "the row is no longer highlighted"),
    ].map { $0.since(ContentVersion.views) }

    /// The events of a stack's header/footer adapter.
    static let stackHeaderFooterEvents: [EventDefinition] = [
        headerFooter.notification(
            "dequeue", .headerOrFooter,
            "ScrollStackContainableController.reloadContentFromStackView(stackView:row:animated:)",
            "a view is to be filled"),
        headerFooter.notification(
            "willDisplay", .headerOrFooter,
            "ScrollStackControllerDelegate.scrollStackRowDidBecomeVisible(_:row:index:state:)",
            "the view comes into sight"),
        headerFooter.notification(
            "endDisplay", .headerOrFooter,
            "ScrollStackControllerDelegate.scrollStackRowDidBecomeHidden(_:row:index:state:)",
            "the view has gone out of sight"),
    ].map { $0.since(ContentVersion.views) }

    /// The events of a stack director.
    static let stackDirectorEvents: [EventDefinition] = [
        director.notification(
            "didUpdateLayout", .list, "ScrollStackControllerDelegate.scrollStackDidUpdateLayout(_:)",
            "the rows have been laid out"),
        director.notification(
            "contentSizeDidChange", .list,
            parameters: [
                EventParameter("old", .size, "how large the content was"),
                EventParameter("new", .size, "how large the content is"),
            ], "ScrollStackControllerDelegate.scrollStackContentSizeDidChange(_:from:to:)",
            "the content takes more or less room than before"),
    ].map { $0.since(ContentVersion.views) }

    private static let cell = EventTable(source: .stackCell)
    private static let headerFooter = EventTable(source: .stackHeaderFooter)
    private static let director = EventTable(source: .stackDirector)
}
