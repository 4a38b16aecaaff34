import Synchronization

/// What waits for the writer: units in their order, and work that can wait.
///
/// Bounded by number and bytes of the units. Work that can wait is put in by the store itself, a few pieces at a time.
final class Inbox: Sendable {
    /// A unit and whom to tell.
    struct Waiting: Sendable {
        let unit: StoredUnit
        let completion: @Sendable (Result<JournalSequence, StoreError>) -> Void
    }

    /// A piece of work on the writer's thread, short enough for a commit to wait for it.
    struct Job: Sendable {
        let work: @Sendable (inout Committer) throws -> Void
        let completion: @Sendable (Result<Void, StoreError>) -> Void
    }

    /// What the writer does next.
    enum Turn {
        case units([Waiting])
        case job(Job)
        case nothing
    }

    fileprivate struct State {
        var units: [Waiting] = []
        var bytes = 0
        var jobs: [Job] = []
        var isRunning = false
        var isClosed = false
        var wasUnits = false
    }

    private let state = Mutex(State())
    private let bound: StoreSettings.Bound

    init(bound: StoreSettings.Bound) {
        self.bound = bound
    }

    /// How many units wait.
    var count: Int { state.withLock { $0.units.count } }

    /// Puts a unit in.
    ///
    /// - Returns: Whether the writer has to be started.
    /// - Throws: That there is no more room, or that the store is closed.
    func put(_ waiting: Waiting) throws(StoreError) -> Bool {
        let size = waiting.unit.size
        return try state.withLock { (state) throws(StoreError) -> Bool in
            guard !state.isClosed else { throw .closed }
            let isFull = state.units.count >= bound.count || state.bytes > 0 && state.bytes + size > bound.bytes
            guard !isFull else {
                throw .unavailable(
                    "\(state.units.count) changes with \(state.bytes) bytes wait for the disk, and no more can wait")
            }
            state.units.append(waiting)
            state.bytes += size
            defer { state.isRunning = true }
            return !state.isRunning
        }
    }

    /// Puts a job in, behind those that are there.
    ///
    /// - Returns: Whether the writer has to be started.
    /// - Throws: That the store is closed.
    func put(_ job: Job) throws(StoreError) -> Bool {
        try state.withLock { (state) throws(StoreError) -> Bool in
            guard !state.isClosed else { throw .closed }
            state.jobs.append(job)
            defer { state.isRunning = true }
            return !state.isRunning
        }
    }

    /// Takes what comes next: what has gathered, and between two commits one job.
    func take(_ batch: StoreSettings.Bound) -> Turn {
        state.withLock { state in
            if !state.jobs.isEmpty, state.units.isEmpty || state.wasUnits {
                state.wasUnits = false
                return .job(state.jobs.removeFirst())
            }
            guard !state.units.isEmpty else {
                state.isRunning = false
                return .nothing
            }
            state.wasUnits = true
            return .units(state.takeUnits(batch))
        }
    }

    /// Refuses whatever comes from now on.
    ///
    /// - Returns: The jobs that will not be done.
    func close() -> [Job] {
        state.withLock { state in
            state.isClosed = true
            defer { state.jobs = [] }
            return state.jobs
        }
    }
}

extension Inbox.State {
    fileprivate mutating func takeUnits(_ batch: StoreSettings.Bound) -> [Inbox.Waiting] {
        var size = 0
        var count = 0
        for waiting in units {
            let next = waiting.unit.size
            if count > 0, count >= batch.count || size + next > batch.bytes { break }
            count += 1
            size += next
        }
        bytes -= size
        if count == units.count {
            defer { units = [] }
            return units
        }
        let taken = Array(units[..<count])
        units.removeFirst(count)
        return taken
    }
}
