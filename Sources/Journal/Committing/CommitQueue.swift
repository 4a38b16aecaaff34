import DequeModule
import Notation
import Synchronization

/// The queue of the writing thread: units to commit, in order, and background jobs.
///
/// The units are bounded by number and bytes. Beyond the bound a unit is dropped at once and only its refusal waits in
/// line, so that results come in the order of the appends. Jobs come from the journal itself, a few at a time.
package final class CommitQueue: Sendable {
    /// Takes an index and the results of the units from there on.
    package typealias Completion = @Sendable (_ first: Int, [Result<Void, JournalError>]) -> Void

    /// One append of several units: who receives their results.
    package final class Append: Sendable {
        /// Takes the results.
        package let completion: Completion

        package init(completion: @escaping Completion) {
            self.completion = completion
        }
    }

    /// A unit that waits, or why it was refused, and who receives its result.
    package struct Waiting: Sendable {
        /// The name of the director whose results must come in order; empty for units of no life.
        package let director: String
        /// The name of the other director of a pair of records; nil for every other unit.
        package let partner: String?
        /// The unit, or why it was refused.
        package private(set) var content: Result<CommitUnit, JournalError>
        /// The append that it came with.
        package let append: Append
        /// Which unit of that append it is.
        package let index: Int

        package init(_ unit: CommitUnit, of append: Append, at index: Int) {
            director = unit.director
            partner = unit.partner
            content = .success(unit)
            self.append = append
            self.index = index
        }

        /// The unit; nil for one that has been refused.
        package var unit: CommitUnit? {
            if case .success(let unit) = content { unit } else { nil }
        }

        /// The bytes that count for the bounds; nil for one that has been refused.
        package var size: Int? {
            if case .success(let unit) = content { unit.size } else { nil }
        }

        /// Whether its result must come in order with those of some directors.
        package func belongs(to directors: Set<Name>) -> Bool {
            directors.contains(director) || partner.map { directors.contains($0) } ?? false
        }

        /// The same without its unit.
        func refused(_ error: JournalError) -> Waiting {
            var waiting = self
            waiting.content = .failure(error)
            return waiting
        }
    }

    /// The result of a unit.
    package struct Outcome: Sendable {
        /// The unit.
        package let waiting: Waiting
        /// What became of it.
        package let result: Result<Void, JournalError>

        /// Makes an outcome.
        package init(waiting: Waiting, result: Result<Void, JournalError>) {
            self.waiting = waiting
            self.result = result
        }
    }

    /// A piece of work for the writing thread, short enough for a commit to wait for it.
    package struct Job: Sendable {
        /// Does it, and reports the end of it.
        package let run: @Sendable () -> Void
        /// Reports that it will not be done.
        package let refuse: @Sendable (JournalError) -> Void

        /// Makes a job; one of the two is called.
        package init(run: @escaping @Sendable () -> Void, refuse: @escaping @Sendable (JournalError) -> Void) {
            self.run = run
            self.refuse = refuse
        }
    }

    /// What the writer does next.
    package enum Turn {
        /// To commit what has gathered.
        case units([Waiting])
        /// To run a job.
        case job(Job)
        /// To end until something is put into the queue.
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
    private let bound: CommitBound
    private let maximumUnit: Int
    private let medium: String

    /// Makes an empty queue.
    ///
    /// - Parameters:
    ///   - bound: The largest number of waiting units; further units are refused as unavailable.
    ///   - maximumUnit: The largest unit, in bytes; a larger one is refused as full.
    ///   - medium: The medium's name in messages.
    package init(bound: CommitBound, maximumUnit: Int, medium: String) {
        self.bound = bound
        self.maximumUnit = maximumUnit
        self.medium = medium
    }

    /// How many units wait.
    package var count: Int { state.withLock { $0.units.count } }

    /// Adds units; those beyond the bound, and those that come after the queue was closed, are refused in line.
    ///
    /// - Returns: Whether the writer has to be started.
    /// - Throws: That the queue is closed and no earlier unit waits for its result.
    package func put(_ units: [CommitUnit], _ completion: @escaping Completion) throws(JournalError) -> Bool {
        let append = Append(completion: completion)
        return try state.withLock { (state) throws(JournalError) -> Bool in
            guard !state.isClosed || state.isRunning else { throw .closed }
            for (index, unit) in units.enumerated() {
                let waiting = Waiting(unit, of: append, at: index)
                let size = unit.size
                if let refusal = refusal(of: size, state) {
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
    package func put(_ job: Job) throws(JournalError) -> Bool {
        try state.withLock { (state) throws(JournalError) -> Bool in
            guard !state.isClosed else { throw .closed }
            state.jobs.append(job)
            defer { state.isRunning = true }
            return !state.isRunning
        }
    }

    /// Takes what comes next: the units that have gathered or, after units, one job.
    package func take(_ batch: CommitBound) -> Turn {
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

    private func refusal(of size: Int, _ state: State) -> JournalError? {
        if state.isClosed { return .closed }
        if size > maximumUnit { return .full("a change of \(size) bytes; one may have \(maximumUnit)") }
        guard state.count >= bound.count || state.bytes > 0 && state.bytes + size > bound.bytes else { return nil }
        return .unavailable(
            "\(state.count) changes with \(state.bytes) bytes wait for \(medium), and no more can wait")
    }

    /// Refuses everything from now on.
    ///
    /// - Returns: The jobs that will not run.
    package func close() -> [Job] {
        state.withLock { state in
            state.isClosed = true
            defer { state.jobs = [] }
            return state.jobs
        }
    }
}

extension Set<Name> {
    /// The directors whose results must come in order with those of some units.
    package init(directorsOf units: some Sequence<CommitQueue.Waiting>) {
        self.init()
        for unit in units { formUnion(directorsOf: unit) }
    }

    /// Adds the directors of a unit.
    package mutating func formUnion(directorsOf unit: CommitQueue.Waiting) {
        insert(Name(unit.director))
        if let partner = unit.partner { insert(Name(partner)) }
    }
}

extension CommitQueue.Waiting {
    /// The outcome of a failure.
    package func failed(_ error: JournalError) -> CommitQueue.Outcome {
        // An earlier refusal is the better reason.
        if case .failure(let earlier) = content {
            return CommitQueue.Outcome(waiting: self, result: .failure(earlier))
        }
        return CommitQueue.Outcome(waiting: refused(error), result: .failure(error))
    }
}

extension CommitQueue {
    /// Calls the completions of settled units, once for neighbouring units of one append.
    package static func tell(_ settled: [Outcome]) {
        var next = 0
        while next < settled.count {
            let (append, first) = (settled[next].waiting.append, settled[next].waiting.index)
            var results: [Result<Void, JournalError>] = []
            while next < settled.count, settled[next].waiting.append === append,
                settled[next].waiting.index == first + results.count
            {
                results.append(settled[next].result)
                next += 1
            }
            append.completion(first, results)
        }
    }
}

extension CommitQueue.State {
    fileprivate mutating func takeUnits(_ batch: CommitBound) -> [CommitQueue.Waiting] {
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
