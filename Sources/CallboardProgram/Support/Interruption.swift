import Dispatch
import Foundation

/// Cancels the work at SIGINT and SIGTERM, which lets it undo its unfinished changes.
enum Interruption {
    /// Runs `work` on a task of its own, which the signals cancel.
    ///
    /// - Parameter onInterruption: The error to throw in place of the cancellation.
    static func run<Value: Sendable>(
        _ work: @escaping @Sendable () async throws -> Value, onInterruption: () -> ProgramError
    ) async throws -> Value {
        let task = Task { try await work() }
        let sources = [SIGINT, SIGTERM].map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler { task.cancel() }
            source.resume()
            return source
        }
        defer {
            for source in sources { source.cancel() }
            for number in [SIGINT, SIGTERM] { signal(number, SIG_DFL) }
        }
        do {
            return try await task.value
        } catch  where task.isCancelled {
            throw onInterruption()
        }
    }

    /// A signal each time that it comes, in place of what it does by default.
    static func signals(_ number: Int32) -> AsyncStream<Void> {
        AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            // SAFETY: a source may be cancelled from every thread.
            nonisolated(unsafe) let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler { continuation.yield() }
            continuation.onTermination = { _ in
                source.cancel()
                signal(number, SIG_DFL)
            }
            source.resume()
        }
    }
}
