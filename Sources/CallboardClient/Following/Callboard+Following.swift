extension Callboard {
    /// Follows a director's list for an app that shows it.
    ///
    /// - Parameters:
    ///   - name: The director's name.
    ///   - selection: What to follow of the list.
    ///   - options: The options of the stream.
    ///   - store: Keeps the list for the next start; nil does not keep it.
    ///   - reports: The queue that takes the list's reports; nil makes one in memory.
    @MainActor
    public func follow(
        _ name: String, selecting selection: ListSelection = ListSelection(),
        options: StreamOptions = StreamOptions(), store: ListStore? = nil, reports: ReportQueue? = nil
    ) -> FollowedList {
        FollowedList(director(name), selection, options, store, reports ?? ReportQueue(inMemoryFor: self))
    }
}
