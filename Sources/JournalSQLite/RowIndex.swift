import Journal
import Notation

/// An in-memory index of a journal's rows: the lives that go on, the numbers that come next, and what can be deleted.
///
/// It changes with a transaction and is rolled back with it: `begin()` marks where the transaction begins.
package struct RowIndex {
    /// A life that goes on.
    package struct Life: LoggedLife {
        let id: Int
        package let director: String
        let epoch: String
        /// The number of its newest record.
        var number = 0
        /// The bytes of its records that no snapshot stands for.
        package var logBytes = 0
        /// The log's size at which a snapshot is tried again after one has failed.
        package var retryAt = 0
        package var isSnapshotting = false
        var snapshot: Snapshot?

        package var snapshotBytes: Int { snapshot?.bytes ?? 0 }

        /// Where the life stands.
        var head: LifeHead { LifeHead(epoch: epoch, number: number) }
    }

    /// A snapshot that is complete.
    struct Snapshot {
        let id: Int
        let number: Int
        let first: Int
        let chunks: Int
        let bytes: Int

        var range: Range<Int> { first..<(first + chunks) }
    }

    /// The numbers that come next, and sizes.
    struct Counters {
        var latest = 0
        var pruned = 0
        var life = 0
        var answer = 0
        var chunk = 0
        var snapshot = 0
        /// How many units have changed deliveries since the journal was made.
        var deliveries = 0
        /// How many units have changed tokens since the journal was made.
        var tokens = 0
        var logBytes = 0
        var superfluousBytes = 0
    }

    /// About how many bytes a row of the log takes besides its payload.
    static let rowOverhead = 32

    private(set) var lives: [Name: Life] = [:]
    var counters = Counters()
    /// The number up to which the records of a life are superfluous; the largest integer once it has ended.
    private(set) var floors: [Int: Int] = [:]
    /// Lives that have ended and still have rows.
    private(set) var ended: [Int] = []
    /// Rows of `chunks` that are no longer needed.
    var freed: [Range<Int>] = []

    private var earlier: [(String, Life?)] = []
    private var earlierFloors: [(id: Int, floor: Int?)] = []
    private var earlierEnded: [Int] = []
    private var earlierCounters = Counters()
    private var earlierFreed = 0

    /// Marks where a transaction begins.
    mutating func begin() {
        earlier.removeAll(keepingCapacity: true)
        earlierFloors.removeAll(keepingCapacity: true)
        earlierEnded.removeAll(keepingCapacity: true)
        earlierCounters = counters
        earlierFreed = freed.count
    }

    /// Whether a table has changed since the transaction began.
    func hasChanged(_ table: CountedTable) -> Bool { counters[table] != earlierCounters[table] }

    /// The lives that have ended since the transaction began.
    var endedNow: [Int] { earlierEnded }

    /// Undoes the changes since the transaction began.
    mutating func rollBack() {
        for (director, life) in earlier.reversed() { lives[director] = life }
        for (id, floor) in earlierFloors.reversed() { floors[id] = floor }
        for id in earlierEnded { ended.removeAll { $0 == id } }
        counters = earlierCounters
        freed.removeLast(max(0, freed.count - earlierFreed))
        begin()
    }

    /// Adds a life or replaces it.
    mutating func put(_ life: Life) {
        // The first value in a transaction is the one to restore.
        if !(earlier.last?.0).isVerbatim(life.director) { earlier.append((life.director, lives[life.director])) }
        lives[life.director] = life
    }

    /// Ends a life: all of its records become superfluous.
    mutating func end(_ life: Life) {
        earlier.append((life.director, lives[life.director]))
        earlierFloors.append((life.id, floors[life.id]))
        lives[life.director] = nil
        floors[life.id] = .max
        earlierEnded.append(life.id)
        ended.append(life.id)
        if let snapshot = life.snapshot, snapshot.chunks > 0 { freed.append(snapshot.range) }
        counters.superfluousBytes += life.logBytes
    }

    /// Sets a life's snapshot, which makes the records up to its number superfluous.
    mutating func keep(_ snapshot: Snapshot, of director: String, covering bytes: Int) {
        guard var life = lives[director] else { return }
        if let earlier = life.snapshot, earlier.chunks > 0 { freed.append(earlier.range) }
        life.snapshot = snapshot
        life.isSnapshotting = false
        life.retryAt = 0
        life.logBytes = max(0, life.logBytes - bytes)
        earlierFloors.append((life.id, floors[life.id]))
        floors[life.id] = snapshot.number
        counters.superfluousBytes += bytes
        put(life)
    }

    /// Removes an ended life whose rows were deleted.
    mutating func forget(_ id: Int) {
        floors[id] = nil
        ended.removeAll { $0 == id }
    }

    /// Whether a record is no longer needed.
    func isSuperfluous(life: Int, number: Int) -> Bool {
        floors[life].map { number <= $0 } ?? false
    }

    /// Why a snapshot does not fit the director's life.
    func conflict(_ head: SnapshotHead) -> JournalError {
        let place = RecordPlace(director: head.director, epoch: head.epoch, number: head.number, step: nil)
        return .superseded(place.conflict(with: lives[head.director]?.head))
    }
}
