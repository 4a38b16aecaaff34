import DequeModule
import Journal
import Synchronization

/// The queue of the writing thread: units to commit, in order, and background jobs.
///
/// The units are bounded by number and bytes. Beyond the bound a unit is dropped at once and only its refusal waits in
/// line, so that results come in the order of the appends. Jobs come from the journal itself, a few at a time.
final class CommitQueue: Sendable {
    /// Takes an index and the results of the units from there on.
    typealias Completion = @Sendable (_ first: Int, [Result<Void, JournalError>]) -> Void

    /// One append of several units: who receives their results.
    final class Append: Sendable {
        let completion: Completion

        init(completion: @escaping Completion) {
            self.completion = completion
        }
    }

    /// A unit that waits, or why it was refused, and who receives its result.
    struct Waiting: Sendable {
        let director: String
        private(set) var content: Result<CommitUnit, JournalError>
        let append: Append
        let index: Int

        init(_ unit: CommitUnit, of append: Append, at index: Int) {
            director = unit.director
            content = .success(unit)
            self.append = append
            self.index = index
        }

        /// The unit; nil for one that has been refused.
        var unit: CommitUnit? {
            if case .success(let unit) = content { unit } else { nil }
        }

        /// The bytes that count for the bounds; nil for one that has been refused.
        var size: Int? {
            if case .success(let unit) = content { unit.size } else { nil }
        }

        /// The same without its unit.
        func refused(_ error: JournalError) -> Waiting {
            var waiting = self
            waiting.content = .failure(error)
            return waiting
        }
    }

    /// The result of a unit.
    struct Outcome: Sendable {
        let waiting: Waiting
        let result: Result<Void, JournalError>
    }

    /// A piece of work for the writing thread, short enough for a commit to wait for it.
    struct Job: Sendable {
        let work: @Sendable (inout Committer) throws -> Void
        let completion: @Sendable (Result<Void, JournalError>) -> Void
    }

    /// What the writer does next.
    enum Turn {
        case units([Waiting])
        case job(Job)
        case nothing
    }

    fileprivate struct State {
        // Taking a batch from the front must not move what waits behind it while the loops wait for the lock.
        var units = Deque<Waiting>()
        /// How many of them have not been refused, and their bytes.
        var count = 0
        var bytes = 0
        var jobs: [Job] = []
        var isRunning = false
        var isClosed = false
        var wasUnits = false
    }

    private let state = Mutex(State())
    private let bound: SQLiteSettings.Bound

    init(bound: SQLiteSettings.Bound) {
        self.bound = bound
    }

    /// How many units wait.
    var count: Int { state.withLock { $0.units.count } }

    /// Adds units; those beyond the bound, and those that come after the queue was closed, are refused in line.
    ///
    /// - Returns: Whether the writer has to be started.
    /// - Throws: That the queue is closed and no earlier unit waits for its result.
    func put(_ units: [CommitUnit], _ completion: @escaping Completion) throws(JournalError) -> Bool {
        let append = Append(completion: completion)
        return try state.withLock { (state) throws(JournalError) -> Bool in
            guard !state.isClosed || state.isRunning else { throw .closed }
            for (index, unit) in units.enumerated() {
                let waiting = Waiting(unit, of: append, at: index)
                let size = unit.size
                if let refusal = state.refusal(of: size, bound: bound) {
                    state.units.append(waiting.refused(refusal))
                } else {
                    state.units.append(waiting)
                    state.count += 1
                    state.bytes += size
                }
            }
            defer { state.isRunning = state.isRunning || !units.isEmpty }
            return !state.isRunning && !units.isEmpty
        }
    }

    /// Adds a job behind those that wait.
    ///
    /// - Returns: Whether the writer has to be started.
    /// - Throws: That the queue is closed.
    func put(_ job: Job) throws(JournalError) -> Bool {
        try state.withLock { (state) throws(JournalError) -> Bool in
            guard !state.isClosed else { throw .closed }
            state.jobs.append(job)
            defer { state.isRunning = true }
            return !state.isRunning
        }
    }

    /// Takes what comes next: the units that have gathered or, after units, one job.
    func take(_ batch: SQLiteSettings.Bound) -> Turn {
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

    /// Refuses everything from now on.
    ///
    /// - Returns: The jobs that will not run.
    func close() -> [Job] {
        state.withLock { state in
            state.isClosed = true
            defer { state.jobs = [] }
            return state.jobs
        }
    }
}

extension CommitQueue.Waiting {
    /// The outcome of a failure.
    func failed(_ error: JournalError) -> CommitQueue.Outcome {
        // An earlier refusal is the better reason.
        if case .failure(let earlier) = content {
            return CommitQueue.Outcome(waiting: self, result: .failure(earlier))
        }
        return CommitQueue.Outcome(waiting: refused(error), result: .failure(error))
    }
}

extension CommitQueue.State {
    fileprivate func refusal(of size: Int, bound: SQLiteSettings.Bound) -> JournalError? {
        if isClosed { return .closed }
        if size > SQLiteSettings.maximumRecord {
            return .full("a change of \(size) bytes; one may have \(SQLiteSettings.maximumRecord)")
        }
        guard count >= bound.count || bytes > 0 && bytes + size > bound.bytes else { return nil }
        return .unavailable("\(count) changes with \(bytes) bytes wait for the disk, and no more can wait")
    }

    fileprivate mutating func takeUnits(_ batch: SQLiteSettings.Bound) -> [CommitQueue.Waiting] {
        var taken = 0
        var size = 0
        while taken < units.count {
            let next = units[taken].size
            if taken > 0, taken >= batch.count || size + (next ?? 0) > batch.bytes { break }
            if next != nil { count -= 1 }
            taken += 1
            size += next ?? 0
        }
        bytes -= size
        defer { units.removeFirst(taken) }
        return Array(units.prefix(taken))
    }
}
