extension EventCatalog {
    /// The events of a table's header/footer adapter.
    static let tableHeaderFooterEvents: [EventDefinition] = [
        table.notification(
            "dequeue", .headerOrFooter, "tableView(_:viewForHeaderInSection:), tableView(_:viewForFooterInSection:)",
            "a view has been dequeued and is to be filled"),
        table.question(
            "headerHeight", .header, .height, default: .size(.headerHeight), parameters: [.size],
            "tableView(_:heightForHeaderInSection:)",
            "how high the header is"),
        table.question(
            "footerHeight", .footer, .height, default: .size(.footerHeight), parameters: [.size],
            "tableView(_:heightForFooterInSection:)",
            "how high the footer is"),
        table.question(
            "estHeaderHeight", .header, .height, default: .estimate(.headerHeight), parameters: [.size],
            "tableView(_:estimatedHeightForHeaderInSection:)",
            "how high the header may be, until its height is needed"),
        table.question(
            "estFooterHeight", .footer, .height, default: .estimate(.footerHeight), parameters: [.size],
            "tableView(_:estimatedHeightForFooterInSection:)",
            "how high the footer may be, until its height is needed"),
        table.notification(
            "endDisplay", .headerOrFooter,
            "tableView(_:didEndDisplayingHeaderView:forSection:), tableView(_:didEndDisplayingFooterView:forSection:)",
            "the view has gone out of sight"),
        table.notification(
            "willDisplay", .headerOrFooter,
            "tableView(_:willDisplayHeaderView:forSection:), tableView(_:willDisplayFooterView:forSection:)",
            "the view comes into sight"),
    ]

    /// The events of a collection's header/footer adapter.
    static let collectionHeaderFooterEvents: [EventDefinition] = [
        collection.notification(
            "dequeue", .headerOrFooter, "collectionView(_:viewForSupplementaryElementOfKind:at:)",
            "a view has been dequeued and is to be filled"),
        collection.question(
            "referenceSize", .headerOrFooter, .size, default: .supplementarySize, parameters: [.size],
            "collectionView(_:layout:referenceSizeForHeaderInSection:), "
                + "collectionView(_:layout:referenceSizeForFooterInSection:)",
            "how large the view is"),
        collection.notification(
            "didDisplay", .headerOrFooter, "collectionView(_:willDisplaySupplementaryView:forElementKind:at:)",
            "the view has come into sight; FlowKit's own, after UIKit's method"),
        collection.notification(
            "endDisplay", .headerOrFooter, "collectionView(_:didEndDisplayingSupplementaryView:forElementOfKind:at:)",
            "the view has gone out of sight"),
        collection.notification(
            "willDisplay", .headerOrFooter, "collectionView(_:willDisplaySupplementaryView:forElementKind:at:)",
            "the view comes into sight"),
    ]

    private static let table = EventTable(source: .tableHeaderFooter)
    private static let collection = EventTable(source: .collectionHeaderFooter)
}
