import Hosting
import Reactor
import Synchronization

/// The collected answers of several directors' loops.
final class Gathering<Part: Sendable>: Sendable {
    private struct State {
        var parts: [Part?]
        var missing: Int
    }

    private let state: Mutex<State>

    private init(count: Int) {
        state = Mutex(State(parts: Array(repeating: nil, count: count), missing: count))
    }

    /// Asks each director on its own loop; the last one's loop completes, or the caller where there is none to ask.
    ///
    /// - Parameters:
    ///   - ask: What a director says; not called where it was deleted meanwhile, or is not stored yet.
    ///   - completion: Called once with what was said, in the directors' order.
    /// - Complexity: One task on a loop for each director.
    static func ask(
        _ hosts: [DirectorHost], _ ask: @escaping @Sendable (isolated DirectorHost) -> Part,
        completion: @escaping @Sendable ([Part]) -> Void
    ) {
        guard !hosts.isEmpty else { return completion([]) }
        let gathering = Gathering(count: hosts.count)
        for (index, host) in hosts.enumerated() {
            host.send { host in
                let part = host.refusal(isRead: true) == nil ? ask(host) : nil
                if let parts = gathering.put(part, at: index) { completion(parts) }
            }
        }
    }

    /// Puts in what a director says, once for each.
    ///
    /// - Returns: All answers, if this was the last missing one.
    private func put(_ part: Part?, at index: Int) -> [Part]? {
        state.withLock { state in
            state.parts[index] = part
            state.missing -= 1
            return state.missing == 0 ? state.parts.compactMap(\.self) : nil
        }
    }
}
