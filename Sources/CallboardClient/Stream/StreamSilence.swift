/// The error of a wait that took longer than `duration`.
struct StreamSilence: Error {
    let duration: Duration
}

extension Clock where Duration == Swift.Duration {
    /// Runs `work`, cancelling it where it takes longer than `limit`.
    ///
    /// - Throws: ``StreamSilence`` then, else what `work` throws.
    func within<Value: Sendable>(
        _ limit: Duration, _ work: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        try await withThrowingTaskGroup(of: Value?.self) { group in
            group.addTask { try await work() }
            group.addTask {
                try await sleep(for: limit)
                return nil
            }
            defer { group.cancelAll() }
            guard let first = try await group.next(), let value = first else { throw StreamSilence(duration: limit) }
            return value
        }
    }
}
