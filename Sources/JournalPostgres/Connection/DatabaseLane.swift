import Dispatch
import Synchronization

/// A connection that is used for one thing after the other, on a thread of its own: no commit and no look waits for it.
///
/// The connection is made when it is first needed, and again after a failure.
final class DatabaseLane: Sendable {
    private struct State {
        var connection: Connection?
        /// Counts what the connection was used for.
        var uses = 0
        /// Whether it will be looked whether the connection is used any more.
        var isWatched = false
    }

    private let address: DatabaseAddress
    private let session: Statement
    private let node: Int
    private let deadline: Duration
    private let idleLimit: Duration?
    private let whenOpened: @Sendable (Connection) throws -> Void
    private let queue: DispatchQueue
    private let state = Mutex(State())
    private let isStopped = Atomic<Bool>(false)

    /// Makes a lane that has no connection yet.
    ///
    /// - Parameters:
    ///   - name: What its thread is called.
    ///   - session: Sets what the connection is used with.
    ///   - node: The node whose connection it is.
    ///   - deadline: How long a connection may take to be made, for each host.
    ///   - idleLimit: How long a connection that is not used stays open, until up to twice that time; nil for ever.
    ///   - whenOpened: Done with a new connection before anything else.
    init(
        _ name: String, _ address: DatabaseAddress, session: Statement, node: Int, deadline: Duration,
        idleLimit: Duration? = nil, whenOpened: @escaping @Sendable (Connection) throws -> Void = { _ in }
    ) {
        self.address = address
        self.session = session
        self.node = node
        self.deadline = deadline
        self.idleLimit = idleLimit
        self.whenOpened = whenOpened
        queue = DispatchQueue(label: "callboard.journal.\(name)", qos: .userInitiated)
    }

    /// Does something on the lane's thread, after what was begun before; nothing after ``stop(last:)``.
    func begin(after delay: Duration = .zero, _ body: @escaping @Sendable () -> Void) {
        queue.asyncAfter(deadline: .now() + .milliseconds(Int(delay / .milliseconds(1)))) { [self] in
            if !isStopped.load(ordering: .relaxed) { body() }
        }
    }

    /// Does something with the connection, on the caller's thread.
    ///
    /// - Throws: Any error; the connection is given up then.
    func use<Value: Sendable>(_ body: (Connection) throws -> Value) throws -> Value {
        try state.withLock { state in
            let open = try state.connection.flatMap { $0.checkIdle() ? $0 : nil } ?? connect()
            state.connection = nil
            let value = try body(open)
            if idleLimit != .zero { state.connection = open }
            state.uses &+= 1
            watch(&state)
            return value
        }
    }

    /// Closes the connection once it has not been used for a while.
    private func watch(_ state: inout State) {
        guard let idleLimit, state.connection != nil, !state.isWatched else { return }
        state.isWatched = true
        let uses = state.uses
        begin(after: idleLimit) { [self] in
            self.state.withLock { state in
                state.isWatched = false
                if state.uses == uses { state.connection = nil } else { watch(&state) }
            }
        }
    }

    private func connect() throws -> Connection {
        let open = try Connection.open(address, within: deadline, session: session, node: node)
        try whenOpened(open)
        return open
    }

    /// Ends what is under way early, since nobody waits for it any more.
    func checkStopped() throws(DatabaseFault) {
        if isStopped.load(ordering: .relaxed) { throw .unreachable("the journal is closed") }
    }

    /// Waits for what is under way, and closes the connection.
    ///
    /// - Parameter last: Done before that, on the lane's thread.
    func stop(last: () -> Void = {}) {
        isStopped.store(true, ordering: .relaxed)
        queue.sync {
            last()
            state.withLock { $0.connection = nil }
        }
    }

    /// Waits for what was begun before.
    func wait() { queue.sync {} }
}
