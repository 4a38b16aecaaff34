extension EventCatalog {
    /// The events of a table director.
    static let tableDirectorEvents: [EventDefinition] = tableListEvents + table.dragAndDropEvents("tableView")

    /// The events of a collection director.
    static let collectionDirectorEvents: [EventDefinition] =
        collectionListEvents + collection.dragAndDropEvents("collectionView")

    private static let tableListEvents: [EventDefinition] = [
        table.question(
            "sectionForSectionIndex", .list, .integer, default: .indexedSection,
            parameters: [
                EventParameter("title", .string, isRequired: true, "the index title that was tapped"),
                EventParameter("index", .integer, isRequired: true, "its position among the index titles"),
            ], "tableView(_:sectionForSectionIndexTitle:at:)", "which section an entry of the index leads to"),
        table.notification(
            "willDisplayHeader", .header, "tableView(_:willDisplayHeaderView:forSection:)",
            "a header comes into sight, a view or a title"),
        table.notification(
            "willDisplayFooter", .footer, "tableView(_:willDisplayFooterView:forSection:)",
            "a footer comes into sight, a view or a title"),
        table.notification(
            "endDisplayHeader", .header, "tableView(_:didEndDisplayingHeaderView:forSection:)",
            "a header has gone out of sight"),
        table.notification(
            "endDisplayFooter", .footer, "tableView(_:didEndDisplayingFooterView:forSection:)",
            "a footer has gone out of sight"),
    ]

    private static let collectionListEvents: [EventDefinition] = [
        collection.question(
            "layoutDidChange", .list, .optionalString, default: .null,
            parameters: [
                EventParameter("old", .string, "the name of the layout that is left"),
                EventParameter("new", .string, "the name of the layout that comes"),
            ], "collectionView(_:transitionLayoutForOldLayout:newLayout:)",
            "which layout shows the way from one to the other, by its name; null for UIKit's own"),
        collection.question(
            "targetOffset", .list, .point, default: .parameter("proposed"),
            parameters: [
                EventParameter("proposed", .point, isRequired: true, "where the content would stand by itself")
            ],
            "collectionView(_:targetContentOffsetForProposedContentOffset:)",
            "where the content stands after a change of the layout"),
        collection.question(
            "moveItemPath", .element, .indexPath, default: .parameter("proposed"), parameters: [.proposedPath],
            "collectionView(_:targetIndexPathForMoveFromItemAt:toProposedIndexPath:)",
            "where the item goes that the user drags to a place"),
        collection.question(
            "shouldUpdateFocus", .list, .boolean, default: .yes, parameters: [.previous, .next, .heading],
            "collectionView(_:shouldUpdateFocusIn:)", "whether the focus may move"),
        collection.notification(
            "didUpdateFocus", .list, parameters: [.previous, .next, .heading],
            "collectionView(_:didUpdateFocusIn:with:)",
            "the focus has moved"),
        collection.notification(
            "willDisplayHeader", .header, "collectionView(_:willDisplaySupplementaryView:forElementKind:at:)",
            "a header comes into sight"),
        collection.notification(
            "willDisplayFooter", .footer, "collectionView(_:willDisplaySupplementaryView:forElementKind:at:)",
            "a footer comes into sight"),
        collection.notification(
            "endDisplayHeader", .header, "collectionView(_:didEndDisplayingSupplementaryView:forElementOfKind:at:)",
            "a header has gone out of sight"),
        collection.notification(
            "endDisplayFooter", .footer, "collectionView(_:didEndDisplayingSupplementaryView:forElementOfKind:at:)",
            "a footer has gone out of sight"),
    ]

    private static let table = EventTable(source: .tableDirector)
    private static let collection = EventTable(source: .collectionDirector)
}
