/// The pages of a sparse list that are to be loaded, and how many requests are under way.
///
/// The page that was asked for last is loaded first, since it is the one that somebody looks at.
struct PageQueue {
    struct Page: Hashable {
        let section: Int
        let rows: Range<Int>
    }

    private let limits: LiveSparseList.Limits
    private var waiting: [Page] = []
    private(set) var inFlight: Set<Int> = []
    /// The number of the newest load.
    private(set) var newest = 0

    init(limits: LiveSparseList.Limits) { self.limits = limits }

    /// Whether another request may be sent while a number of updates have not been taken.
    func hasRoom(ready: Int) -> Bool { !waiting.isEmpty && inFlight.count + ready < max(limits.requests, 1) }

    /// Has the pages of a part wait, the first of them to be loaded before the others.
    mutating func add(_ rows: Range<Int>, inSection section: Int) {
        let size = max(limits.page, 1)
        let first = rows.lowerBound / size
        let pages = (first...(rows.upperBound - 1) / size).prefix(limits.waiting).map { page in
            Page(section: section, rows: page * size..<(page + 1) * size)
        }
        waiting.removeAll { pages.contains($0) }
        waiting += pages.reversed()
        waiting.removeFirst(max(waiting.count - limits.waiting, 0))
    }

    /// Takes the next page to load.
    mutating func next() -> Page? { waiting.popLast() }

    /// The number of a load that begins.
    mutating func begin() -> Int {
        newest += 1
        inFlight.insert(newest)
        return newest
    }

    /// A load is over.
    mutating func end(_ load: Int) { inFlight.remove(load) }
}
