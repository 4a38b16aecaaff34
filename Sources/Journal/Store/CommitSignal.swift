import Synchronization

/// Wakes those who wait for records to be stored.
final class CommitSignal: Sendable {
    private struct State {
        var latest = JournalSequence(0)
        var isClosed = false
        var waiters: [Int: (after: JournalSequence, continuation: CheckedContinuation<Bool, Never>)] = [:]
        var nextWaiter = 0
        var cancelled: Set<Int> = []
    }

    private let state = Mutex(State())

    /// Says that everything up to a sequence is stored.
    func reached(_ sequence: JournalSequence) {
        let woken = state.withLock { state in
            state.latest = max(state.latest, sequence)
            guard !state.waiters.isEmpty else { return [CheckedContinuation<Bool, Never>]() }
            let ready = state.waiters.filter { $0.value.after < sequence }
            for key in ready.keys { state.waiters[key] = nil }
            return ready.values.map(\.continuation)
        }
        for continuation in woken { continuation.resume(returning: true) }
    }

    /// Says that nothing more will come.
    func close() {
        let woken = state.withLock { state in
            state.isClosed = true
            defer { state.waiters.removeAll() }
            return state.waiters.values.map(\.continuation)
        }
        for continuation in woken { continuation.resume(returning: false) }
    }

    /// Waits for a record after one; false where none will come or the task is cancelled.
    func wait(after sequence: JournalSequence) async -> Bool {
        let key = state.withLock { state in
            state.nextWaiter += 1
            return state.nextWaiter
        }
        // A task that is cancelled just after it was woken leaves its key behind.
        defer { _ = state.withLock { $0.cancelled.remove(key) } }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let answer: Bool? = state.withLock { state in
                    if state.cancelled.remove(key) != nil { return false }
                    if state.latest > sequence { return true }
                    if state.isClosed { return false }
                    state.waiters[key] = (sequence, continuation)
                    return nil
                }
                if let answer { continuation.resume(returning: answer) }
            }
        } onCancel: {
            let continuation = state.withLock { state -> CheckedContinuation<Bool, Never>? in
                if let waiter = state.waiters.removeValue(forKey: key) { return waiter.continuation }
                state.cancelled.insert(key)
                return nil
            }
            continuation?.resume(returning: false)
        }
    }
}
