import Directors
import Dispatch
import Foundation
import ListDiff
import Synchronization

/// Makes elements on all processors while the next ones are being read.
///
/// One thread adds jobs, and works on them itself when many wait or when it needs the results; threads of the system's
/// pool help. So few jobs wait, and nothing depends on the number of threads.
final class ElementMaker: Sendable {
    typealias Part = PersistentListPart<Element>

    /// The unit of one thread's work.
    private struct Job {
        let make: @Sendable () throws -> [Part]
        /// Which job it is of those whose parts have not been taken.
        let number: Int
    }

    private struct State {
        /// Few, because of `bound`.
        var waiting: [Job] = []
        var made: [[Part]] = []
        var error: (any Error)?
        var running = 0
        var helpers = 0
        var isAwaited = false
    }

    /// Jobs that may wait before the adding thread works on one itself; enough to keep all helpers busy.
    private static let bound = 8
    private let state = Mutex(State())
    private let helpers = ProcessInfo.processInfo.activeProcessorCount - 1
    private let idle = DispatchSemaphore(value: 0)

    /// Adds a job.
    ///
    /// - Parameter make: Makes some parts, on any thread.
    /// - Throws: The error of an earlier job.
    func add(_ make: @escaping @Sendable () throws -> [Part]) throws {
        let (isCrowded, needsHelper) = try state.withLock { state in
            if let error = state.error { throw error }
            state.waiting.append(Job(make: make, number: state.made.count))
            state.made.append([])
            let needsHelper = state.helpers < helpers
            if needsHelper { state.helpers += 1 }
            return (state.waiting.count > Self.bound, needsHelper)
        }
        if needsHelper { DispatchQueue.global(qos: .userInitiated).async { self.help() } }
        if isCrowded { _ = workOnce() }
    }

    /// Waits for all jobs since the last call.
    ///
    /// - Returns: Their parts, in order.
    /// - Throws: The error of one of them.
    func takeParts() throws -> [Part] {
        while workOnce() {}
        let mustWait = state.withLock { state in
            state.isAwaited = state.running > 0
            return state.isAwaited
        }
        if mustWait { idle.wait() }
        return try state.withLock { state in
            defer { state.made = [] }
            if let error = state.error { throw error }
            return state.made.flatMap { $0 }
        }
    }

    private func help() {
        while workOnce(asHelper: true) {}
    }

    /// Runs the job that has waited longest; false where none waits, and then a helper is no longer counted.
    private func workOnce(asHelper: Bool = false) -> Bool {
        let job = state.withLock { state -> Job? in
            guard !state.waiting.isEmpty else {
                if asHelper { state.helpers -= 1 }
                return nil
            }
            state.running += 1
            return state.waiting.removeFirst()
        }
        guard let job else { return false }
        let made = Result { try job.make() }
        let isAwaited = state.withLock { state in
            state.running -= 1
            switch made {
            case .success(let parts): state.made[job.number] = parts
            case .failure(let error):
                state.error = state.error ?? error
                state.waiting = []
            }
            defer { if state.running == 0 { state.isAwaited = false } }
            return state.isAwaited && state.running == 0
        }
        if isAwaited { idle.signal() }
        return true
    }
}
