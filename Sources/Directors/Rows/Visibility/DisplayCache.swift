/// The adapters that the elements of one row refer to, one for each of the last few things that they show.
///
/// Elements that show the same share an adapter: it costs them no memory, and a comparison of them looks no further.
struct DisplayCache: Sendable {
    private final class Entry: Sendable {
        let common: EvaluatedMembers
        let registered: CellAdapter
        let adapter: CellAdapter

        init(common: EvaluatedMembers, registered: CellAdapter, adapter: CellAdapter) {
            self.common = common
            self.registered = registered
            self.adapter = adapter
        }
    }

    /// How many are kept; more are made anew where they are needed again.
    private static let capacity = 16

    private var entries: [Entry] = []

    /// The adapter for an element.
    ///
    /// - Parameters:
    ///   - common: What the element shows of its row.
    ///   - registered: The element's adapter as it is registered.
    ///   - settings: The row's settings.
    /// - Complexity: O(1): a comparison with each of those that are kept.
    mutating func adapter(
        for common: EvaluatedMembers, _ registered: CellAdapter, _ settings: RowSettings
    ) -> CellAdapter {
        if let entry = entries.first(where: { $0.registered === registered && $0.common == common }) {
            return entry.adapter
        }
        let adapter = registered.showing(common.display(settings, registered))
        if entries.count == DisplayCache.capacity { entries.removeFirst() }
        entries.append(Entry(common: common, registered: registered, adapter: adapter))
        return adapter
    }
}
