/// The newest streams of which something is known, at most 64: an older one is forgotten.
struct RecentStreams {
    /// How many streams are remembered.
    static let limit = 64

    private var ids: [Int32] = []
    private var next = 0

    /// Whether a stream is among them. Complexity: O(limit).
    func contains(_ id: Int32) -> Bool { ids.contains(id) }

    /// Remembers a stream, in place of the oldest one where there are too many.
    mutating func insert(_ id: Int32) {
        guard !contains(id) else { return }
        if ids.count < Self.limit {
            ids.append(id)
        } else {
            ids[next] = id
            next = (next + 1) % Self.limit
        }
    }
}
