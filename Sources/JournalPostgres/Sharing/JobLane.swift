import Dispatch
import Journal
import Synchronization

/// Does a node's jobs of one lane, one after the other, on a thread and a connection of its own; see
/// `FollowerMachine.Job`.
final class JobLane: Sendable {
    private let lane: FollowerMachine.Lane
    private let address: DatabaseAddress
    private let settings: PostgresSettings
    private let node: Int
    private let queue: DispatchQueue
    private let connection = Mutex<Connection?>(nil)
    private let isStopped = Atomic<Bool>(false)

    /// Makes a lane that has no connection yet.
    init(_ lane: FollowerMachine.Lane, _ address: DatabaseAddress, _ settings: PostgresSettings, node: Int) {
        self.lane = lane
        self.address = address
        self.settings = settings
        self.node = node
        queue = DispatchQueue(label: "callboard.journal.\(lane)", qos: .userInitiated)
    }

    /// Does something after what was begun before.
    ///
    /// - Parameter body: What is done, on the lane's thread.
    func begin(_ body: @escaping @Sendable () -> Void) {
        queue.async { [self] in if !isStopped.load(ordering: .relaxed) { body() } }
    }

    /// Does something with the connection, on the caller's thread; a new connection is made where there is none that works.
    ///
    /// The connection for reading stays: a new one has to wait for the standbys, which may be missing when something has to
    /// be read. The one for taking is closed at once, since it is seldom needed.
    func use<Value: Sendable>(_ body: (Connection) throws -> Value) throws -> Value {
        try connection.withLock { connection in
            let open = try connection.flatMap { $0.checkIdle() ? $0 : nil } ?? connect()
            connection = nil
            let value = try body(open)
            if lane == .loading, !open.isLost { connection = open }
            return value
        }
    }

    private func connect() throws -> Connection {
        let open = try Connection.open(
            address, within: settings.connectDeadline, session: Statements.session, node: node)
        if lane == .loading { try FollowerDriver.waitForStandbys(open, node: node, within: settings.deadline) }
        return open
    }

    /// Ends a job under way early, since nobody waits for it any more.
    func checkStopped() throws(DatabaseFault) {
        if isStopped.load(ordering: .relaxed) { throw .unreachable("the journal is closed") }
    }

    /// Waits for what is under way, and closes the connection.
    func stop() {
        isStopped.store(true, ordering: .relaxed)
        queue.sync { connection.withLock { $0 = nil } }
    }
}
