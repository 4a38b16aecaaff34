import JSONValues

// UIKit's drag and drop delegates have the same methods for tables and collections, but for the view's name.

extension EventTable {
    /// The events of a cell that is dragged.
    ///
    /// - Parameter view: How the delegate's methods begin, `tableView` or `collectionView`.
    func dragEvents(_ view: String) -> [EventDefinition] {
        [
            question(
                "prepareItemForDrag", .element, .dragItems, default: .noItems, "\(view)(_:itemsForBeginning:at:)",
                "what is dragged that begins here; an empty list for nothing"),
            question(
                "addItemToDragSession", .element, .dragItems, default: .noItems,
                parameters: [EventParameter("point", .point, "where the user has tapped"), .dragged],
                "\(view)(_:itemsForAddingTo:at:point:)",
                "what a tap adds to what is being dragged; an empty list for nothing"),
        ].map { $0.since(ContentVersion.views) }
    }

    /// The events of a list that is dragged from, and of one that is dropped on.
    ///
    /// - Parameter view: How the delegates' methods begin, `tableView` or `collectionView`.
    func dragAndDropEvents(_ view: String) -> [EventDefinition] {
        [
            notification(
                "willBeginDragSession", .list, parameters: [.dragged], "\(view)(_:dragSessionWillBegin:)",
                "the user begins to drag items of the list"),
            notification(
                "didEndDragSession", .list, parameters: [.dragged], "\(view)(_:dragSessionDidEnd:)",
                "items of the list are no longer being dragged, dropped or not"),
            question(
                "dragSessionRestrictedToApp", .list, .boolean, default: .no, parameters: [.dragged],
                "\(view)(_:dragSessionIsRestrictedToDraggingApplication:)",
                "whether items of the list cannot be dropped in another app"),
            question(
                "dragSessionAllowsMoveOperation", .list, .boolean, default: .yes, parameters: [.dragged],
                "\(view)(_:dragSessionAllowsMoveOperation:)",
                "whether items of the list can be moved to where they are dropped, and not only copied"),
            question(
                "acceptDropSession", .list, .boolean, default: .yes, parameters: [.dragged],
                "\(view)(_:canHandle:)", "whether items may be dropped on the list"),
            notification(
                "performDrop", .list, parameters: [.destination, .proposal, .dragged],
                "\(view)(_:performDropWith:)", "the user has dropped items on the list"),
            question(
                "dropSessionDidUpdate", .list, .dropProposal, default: .cancelled,
                parameters: [.destination, .dragged], "\(view)(_:dropSessionDidUpdate:withDestinationIndexPath:)",
                "what a drop would do where the items are now"),
            notification(
                "dropSessionDidEnter", .list, parameters: [.dragged], "\(view)(_:dropSessionDidEnter:)",
                "items are dragged over the list"),
            notification(
                "dropSessionDidExit", .list, parameters: [.dragged], "\(view)(_:dropSessionDidExit:)",
                "items are no longer over the list"),
            notification(
                "dropSessionDidEnd", .list, parameters: [.dragged], "\(view)(_:dropSessionDidEnd:)",
                "items that were over the list are no longer being dragged, dropped or not"),
        ].map { $0.since(ContentVersion.views) }
    }
}

extension EventDefault {
    fileprivate static let noItems = EventDefault.value(JSONValue { $0.array { _ in } })
    fileprivate static let cancelled = EventDefault.value(
        JSONValue { $0.object { $0.member("operation", AnswerType.DropOperation.cancel.rawValue) } })
}

extension EventParameter {
    fileprivate static let dragged = EventParameter("items", .dragItems, "what is dragged")
    fileprivate static let destination = EventParameter(
        "destination", .optionalIndexPath, "where it would go; null for no place")
    fileprivate static let proposal = EventParameter("proposal", .dropProposal, "what was proposed for the place")
}
