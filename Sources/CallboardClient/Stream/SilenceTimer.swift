/// Closes a connection that has brought nothing for too long.
///
/// However many pieces come, one task sleeps at a time: a sleep that is cancelled is kept by the system until it would have
/// ended, so one for each piece would pile up. Any task may call its methods.
final class SilenceTimer: Sendable {
    /// A wait for the next piece.
    private struct Wait {
        /// Sleeps until it has taken too long.
        let sleep: @Sendable () async throws -> Void
        /// Ends it.
        let close: @Sendable () -> Void
        /// The time since it began.
        let elapsed: @Sendable () -> Duration
    }

    private struct State {
        var wait: (number: Int, Wait)?
        var waits = 0
        var isSleeping = false
        var isOver = false
        var hasExpired = false
        var task: Task<Void, Never>?
    }

    private let clock: any Clock<Duration>
    private let limit: Duration
    private let state = Locked(State())

    /// Makes a timer that nothing waits on yet.
    init(clock: any Clock<Duration>, limit: Duration) {
        self.clock = clock
        self.limit = limit
    }

    deinit { stop() }

    /// Whether a wait took too long.
    var hasExpired: Bool { state.withLock { $0.hasExpired } }

    /// How long the present wait has taken; zero if nothing is waited for.
    var quietTime: Duration { state.withLock { $0.wait?.1 }?.elapsed() ?? .zero }

    /// Begins a wait.
    ///
    /// - Parameter close: Called once, from any thread, if the wait takes too long.
    func begin(_ close: @escaping @Sendable () -> Void) {
        let wait = wait(on: clock, close)
        state.withLock { state in
            guard !state.isOver else { return }
            state.waits += 1
            state.wait = (state.waits, wait)
            guard !state.isSleeping else { return }
            state.isSleeping = true
            state.task = Task { [weak self] in
                // The timer is not kept by a sleep.
                while let (number, sleep) = self?.next() {
                    guard (try? await sleep()) != nil else { return }
                    self?.expire(number)
                }
            }
        }
    }

    /// Ends the present wait.
    func end() {
        state.withLock { $0.wait = nil }
    }

    /// Ends the timer.
    func stop() {
        let task = state.withLock { state in
            state.isOver = true
            state.wait = nil
            return state.task.take()
        }
        task?.cancel()
    }

    private func wait<C: Clock>(
        on clock: C, _ close: @escaping @Sendable () -> Void
    ) -> Wait where C.Duration == Duration {
        let start = clock.now
        let deadline = start.advanced(by: limit)
        return Wait(
            sleep: { try await clock.sleep(until: deadline, tolerance: nil) }, close: close,
            elapsed: { start.duration(to: clock.now) })
    }

    /// The wait to sleep for; nil where there is none, and the next one begins another task.
    private func next() -> (Int, @Sendable () async throws -> Void)? {
        state.withLock { state in
            guard let (number, wait) = state.wait else {
                state.isSleeping = false
                return nil
            }
            return (number, wait.sleep)
        }
    }

    private func expire(_ number: Int) {
        let close = state.withLock { state -> (@Sendable () -> Void)? in
            guard let (present, wait) = state.wait, present == number else { return nil }
            state.wait = nil
            state.hasExpired = true
            return wait.close
        }
        close?()
    }
}
