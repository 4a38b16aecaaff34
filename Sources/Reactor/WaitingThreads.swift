import Synchronization

/// A few threads for calls that wait and cannot be watched by a loop, such as the resolver's.
///
/// A thread exists while there is something to do, so that nothing has to be shut down; starting one costs some ten
/// microseconds. Bounded in threads and in what waits for one.
package final class WaitingThreads: Sendable {
    private struct State {
        var running = 0
        /// The calls that wait for a thread; `next` is the place of the first that is still to run.
        var waiting: [(@Sendable () -> Void)?] = []
        var next = 0

        mutating func take() -> (@Sendable () -> Void)? {
            guard next < waiting.count else { return nil }
            let work = waiting[next].take()
            next += 1
            // Half of it is empty: moving the rest up costs each call a constant share.
            if next * 2 >= waiting.count {
                waiting.removeFirst(next)
                next = 0
            }
            return work
        }
    }

    private let name: String
    private let limit: Int
    private let maxWaiting: Int
    private let state = Mutex(State())

    /// Makes room for `limit` threads of that name at a time, and for as many calls as `maxWaiting` to wait for one.
    package init(name: String, limit: Int, maxWaiting: Int) {
        self.name = name
        self.limit = max(1, limit)
        self.maxWaiting = maxWaiting
    }

    /// How many threads there are at this moment.
    package var count: Int { state.withLock { $0.running } }

    /// Runs `work` on one of the threads, in the order of the calls; from any thread.
    ///
    /// Returns false, and never runs it, where too much waits already or the system has no thread for it.
    package func run(_ work: @escaping @Sendable () -> Void) -> Bool {
        let needsThread: Bool? = state.withLock { state in
            if state.running < limit {
                state.running += 1
                return true
            }
            guard state.waiting.count - state.next < maxWaiting else { return nil }
            state.waiting.append(work)
            return false
        }
        guard let needsThread else { return false }
        guard needsThread else { return true }
        do throws(SystemError) {
            try LoopThread.start(name: name) { [self] in runAll(from: work) }
            return true
        } catch {
            state.withLock { $0.running -= 1 }
            return false
        }
    }

    private func runAll(from first: @escaping @Sendable () -> Void) {
        var next: (@Sendable () -> Void)? = first
        while let work = next {
            work()
            next = state.withLock { state in
                let next = state.take()
                if next == nil { state.running -= 1 }
                return next
            }
        }
    }
}
