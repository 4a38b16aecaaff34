/// The streams of a client that run now, so that all of them can be told that the network may be back. Any thread.
final class StreamRegistry: Sendable {
    private struct Entry {
        weak var connection: EventStreamConnection?
    }

    private struct State {
        var entries: [Int: Entry] = [:]
        var numbers = 0
    }

    private let state = Locked(State())

    /// How many streams run.
    var count: Int { state.withLock { $0.entries.count } }

    /// A number for a stream.
    func number() -> Int {
        state.withLock { state in
            state.numbers += 1
            return state.numbers
        }
    }

    /// Adds a stream, which removes itself when it goes.
    func add(_ connection: EventStreamConnection, _ number: Int) {
        state.withLock { $0.entries[number] = Entry(connection: connection) }
    }

    /// Removes a stream.
    func remove(_ number: Int) {
        state.withLock { _ = $0.entries.removeValue(forKey: number) }
    }

    /// All streams.
    var connections: [EventStreamConnection] {
        state.withLock { $0.entries.values.compactMap(\.connection) }
    }
}
