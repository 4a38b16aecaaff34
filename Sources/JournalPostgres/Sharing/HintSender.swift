import Journal
import Synchronization

/// Notifies the other nodes of changes that are stored. It uses the lane that renews the lease: no commit waits for it.
///
/// A notification inside of a commit's transaction would have all nodes' commits wait for each other: PostgreSQL holds
/// one lock from there to the end of the commit. A lost hint is made up for by the look that comes every second.
final class HintSender: Sendable {
    private struct State {
        var lives: Set<Int> = []
        /// Whether everything is to be looked at: tokens have changed.
        var isAll = false
        var isQueued = false
        var isStopped = false
    }

    /// The longest text of a notification, in bytes; PostgreSQL takes fewer than 8000.
    private static let maximumText = 7500
    /// Nothing waits for a notification's commit.
    private static let withoutWaiting = Statement(
        "hint-without-waiting", "SELECT set_config('synchronous_commit', 'off', true)")
    /// Notifies the nodes of what is to be looked at; see `LifeFollower.note(_:)`.
    static let notify = Statement("hint", [.text], "SELECT pg_notify('callboard', $1)")

    private let lane: DatabaseLane
    private let deadline: Duration
    private let node: Int
    private let state = Mutex(State())

    /// Makes a sender.
    ///
    /// - Parameter deadline: How long sending may take.
    init(_ lane: DatabaseLane, within deadline: Duration, node: Int) {
        (self.lane, self.deadline, self.node) = (lane, deadline, node)
    }

    /// Has lives notified soon; any thread.
    func send(_ lives: [Int]) {
        guard !lives.isEmpty else { return }
        let isFirst = state.withLock { state in
            guard !state.isStopped else { return false }
            state.lives.formUnion(lives)
            defer { state.isQueued = true }
            return !state.isQueued
        }
        if isFirst { lane.begin { [self] in flush() } }
    }

    /// Has everything looked at soon; any thread.
    func sendAll() {
        let isTaken = state.withLock { state in
            state.isAll = !state.isStopped
            return state.isAll
        }
        if isTaken { lane.begin { [self] in flush() } }
    }

    private func flush() {
        let (lives, isAll) = state.withLock { state in
            defer { (state.lives, state.isQueued, state.isAll) = ([], false, false) }
            return (state.lives, state.isAll)
        }
        guard isAll || !lives.isEmpty else { return }
        // A node need not look at what it has stored itself.
        let begin = "n\(node) "
        var texts = [isAll ? begin + "all " : begin]
        for life in lives {
            if texts[texts.count - 1].utf8.count > Self.maximumText { texts.append(begin) }
            texts[texts.count - 1] += "\(life) "
        }
        // The others look by themselves where it fails.
        let calls = [Self.withoutWaiting()] + texts.map { Self.notify($0) }
        _ = try? lane.use { _ = try $0.run(calls, within: deadline) }
    }

    /// Sends what is left and nothing more.
    func stop() {
        state.withLock { $0.isStopped = true }
        lane.wait()
    }
}
