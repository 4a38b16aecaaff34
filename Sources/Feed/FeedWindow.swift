import DequeModule

/// The newest entries of a feed, bounded by count and bytes; the oldest give way.
///
/// Sequences in it are contiguous, so an entry is found by subtraction.
struct FeedWindow {
    private var entries = Deque<FeedEntry>()
    private var bytes = 0
    private let maxEntries: Int
    private let maxBytes: Int

    /// The sequence that the next entry will have.
    private(set) var end: Int

    /// Makes an empty window that begins at a sequence.
    init(startingAt sequence: Int, maxEntries: Int, maxBytes: Int) {
        end = sequence
        self.maxEntries = max(1, maxEntries)
        self.maxBytes = maxBytes
    }

    /// The oldest sequence that is still here.
    var start: Int { end - entries.count }

    /// What stands at a position.
    enum Lookup: Sendable {
        /// The entry.
        case entry(FeedEntry)
        /// The entry, which is the newest one.
        case newest(FeedEntry)
        /// Nothing yet: the position is the feed's end.
        case pending
        /// Gone: the window has moved past the position.
        case passed
    }

    /// Looks a position up. O(1).
    func lookup(_ position: Int) -> Lookup {
        if position >= end { return .pending }
        if position < start { return .passed }
        let entry = entries[position - start]
        return position + 1 == end ? .newest(entry) : .entry(entry)
    }

    /// Adds the next entry and drops the oldest ones beyond the bounds; the newest always stays.
    mutating func append(_ entry: FeedEntry) {
        if entry.sequence != end {
            entries.removeAll()
            bytes = 0
        }
        end = entry.sequence + 1
        entries.append(entry)
        bytes += entry.frame.bytes.count
        while entries.count > 1, entries.count > maxEntries || bytes > maxBytes {
            bytes -= entries.removeFirst().frame.bytes.count
        }
    }

    /// Forgets all entries, since everyone has read them.
    mutating func drain() {
        entries.removeAll()
        bytes = 0
    }
}
