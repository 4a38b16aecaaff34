// Methods that UIKit has got after FlowKit was written; those of tables and collections differ in names alone.

extension EventTable {
    /// The events of a cell's context menu.
    ///
    /// - Parameters:
    ///   - view: How the delegate's methods begin, `tableView` or `collectionView`.
    ///   - methods: The methods that ask for the menu's configuration.
    func contextMenuEvents(_ view: String, asking methods: String) -> [EventDefinition] {
        [
            question(
                "contextMenu", .element, .actions, default: .null,
                parameters: [EventParameter("point", .point, "where it is pressed")], methods,
                "which actions a long press shows in a menu; null for no menu"),
            notification(
                "willDisplayContextMenu", .element, "\(view)(_:willDisplayContextMenu:animator:)",
                "the menu of a long press comes into sight"),
            notification(
                "performContextAction", .element,
                parameters: [
                    EventParameter(
                        "action", .optionalString, isRequired: true,
                        "the action's identifier, or its title where it has none; null for a tap on the preview")
                ],
                "UIAction.init(title:image:identifier:discoverabilityTitle:attributes:state:handler:), "
                    + "\(view)(_:willPerformPreviewActionForMenuWith:animator:)",
                "the user has chosen an action of the context menu, or tapped its preview"),
        ].map { $0.since(ContentVersion.views) }
    }

    /// The events of selecting several cells, and of the cell's primary action.
    ///
    /// - Parameters:
    ///   - view: How the delegate's methods begin, `tableView` or `collectionView`.
    ///   - cell: How its methods name a cell, `Row` or `Item`.
    func multipleSelectionEvents(_ view: String, _ cell: String) -> [EventDefinition] {
        [
            question(
                "shouldBeginMultipleSelection", .element, .boolean, default: .no,
                "\(view)(_:shouldBeginMultipleSelectionInteractionAt:)",
                "whether a pan with two fingers that begins here selects several"),
            notification(
                "didBeginMultipleSelection", .element, "\(view)(_:didBeginMultipleSelectionInteractionAt:)",
                "the user begins to select several with two fingers"),
            notification(
                "performPrimaryAction", .element, "\(view)(_:performPrimaryActionFor\(cell)At:)",
                "the user has tapped while nothing is being selected or edited, or pressed Return"),
        ].map { $0.since(ContentVersion.views) }
    }

    /// The events of an item that has others below it in an outline.
    func outlineEvents() -> [EventDefinition] {
        func handler(_ name: String) -> String {
            "UICollectionViewDiffableDataSource.SectionSnapshotHandlers.\(name)"
        }
        return [
            question(
                "shouldExpand", .element, .boolean, default: .yes, handler("shouldExpandItem"),
                "whether the items below the item are shown when the user asks for them"),
            notification(
                "willExpand", .element, handler("willExpandItem"), "the items below the item are about to be shown"),
            question(
                "shouldCollapse", .element, .boolean, default: .yes, handler("shouldCollapseItem"),
                "whether the items below the item are hidden when the user asks for it"),
            notification(
                "willCollapse", .element, handler("willCollapseItem"),
                "the items below the item are about to be hidden"),
        ].map { $0.since(ContentVersion.views) }
    }
}
