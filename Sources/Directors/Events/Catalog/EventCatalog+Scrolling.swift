extension EventCatalog {
    /// The events of a director's scroll view.
    static let scrollEvents: [EventDefinition] = [
        table.notification(
            "didScroll", .list, parameters: [.offset], "scrollViewDidScroll(_:)", "the content has moved"),
        table.notification(
            "endScrollingAnimation", .list, parameters: [.offset], "scrollViewDidEndScrollingAnimation(_:)",
            "an animation that a program began has brought the content to its place"),
        table.question(
            "shouldScrollToTop", .list, .boolean, default: .yes, "scrollViewShouldScrollToTop(_:)",
            "whether a tap on the status bar brings the content to its beginning"),
        table.notification(
            "didScrollToTop", .list, parameters: [.offset], "scrollViewDidScrollToTop(_:)",
            "the content stands at its beginning"),
        table.notification(
            "willBeginDragging", .list, parameters: [.offset], "scrollViewWillBeginDragging(_:)",
            "the user begins to drag"),
        table.notification(
            "willEndDragging", .list,
            parameters: [
                EventParameter("velocity", .point, "how fast the content moves, in points a millisecond"),
                EventParameter("targetOffset", .point, "where it will come to rest"),
            ], "scrollViewWillEndDragging(_:withVelocity:targetContentOffset:)", "the user lets go"),
        table.notification(
            "endDragging", .list,
            parameters: [EventParameter("willDecelerate", .boolean, "whether the content goes on by itself"), .offset],
            "scrollViewDidEndDragging(_:willDecelerate:)", "the user has let go"),
        table.notification(
            "willBeginDecelerating", .list, parameters: [.offset], "scrollViewWillBeginDecelerating(_:)",
            "the content goes on by itself and slows down"),
        table.notification(
            "endDecelerating", .list, parameters: [.offset], "scrollViewDidEndDecelerating(_:)",
            "the content has come to rest"),
        table.question(
            "viewForZooming", .list, .optionalString, default: .null, "viewForZooming(in:)",
            "which view is zoomed, by its name; null for none"),
        table.notification(
            "willBeginZooming", .list, parameters: [.view], "scrollViewWillBeginZooming(_:with:)",
            "the user begins to zoom"),
        table.notification(
            "endZooming", .list, parameters: [.view, .scale], "scrollViewDidEndZooming(_:with:atScale:)",
            "the zooming has come to its end"),
        table.notification(
            "didZoom", .list, parameters: [.scale], "scrollViewDidZoom(_:)", "the content is enlarged or reduced"),
        table.notification(
            "didChangeAdjustedContentInset", .list,
            parameters: [EventParameter("inset", .insets, "the margins around the content, safe area included")],
            "scrollViewDidChangeAdjustedContentInset(_:)", "the margins around the content have changed"),
    ]

    private static let table = EventTable(source: .scroll)
}
