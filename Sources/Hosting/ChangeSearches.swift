import Feed

/// The searches for changesets over many versions that go on: each is made once, for all who ask meanwhile.
struct ChangeSearches {
    /// Told of the changeset.
    typealias Completion = @Sendable (Opening.Event.Content) -> Void

    private var waiting: [Range<Int>: [Completion]] = [:]

    /// Has a caller wait for the changeset over a span of versions; returns whether it is to be searched for.
    mutating func add(_ completion: @escaping Completion, over span: Range<Int>) -> Bool {
        waiting[span, default: []].append(completion)
        return waiting[span]?.count == 1
    }

    /// Takes those who wait for a changeset that was found.
    mutating func take(over span: Range<Int>) -> [Completion] { waiting.removeValue(forKey: span) ?? [] }
}
