/// Keeps something that listens in place for as long as it is held.
public final class ListListening: Sendable {
    private let end: @Sendable () -> Void

    init(_ end: @escaping @Sendable () -> Void) { self.end = end }

    deinit { end() }
}

/// Events that are handed over in their order; the sequence ends once the outbox is let go of.
final class Outbox: Sendable {
    let events: AsyncStream<ListEvent>
    private let continuation: AsyncStream<ListEvent>.Continuation

    init() { (events, continuation) = AsyncStream<ListEvent>.makeStream() }

    deinit { continuation.finish() }

    func add(_ event: ListEvent) { continuation.yield(event) }
}

/// Cancels a task when it is let go of.
final class TaskHolder: Sendable {
    private let task: Task<Void, Never>

    init(_ task: Task<Void, Never>) { self.task = task }

    deinit { task.cancel() }
}
