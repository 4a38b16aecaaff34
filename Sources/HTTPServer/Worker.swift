import Glibc
import HTTPWire
import Reactor
import Synchronization

/// The connections of one event loop, and what they share.
///
/// An actor on the loop: what the loop calls enters it without a hop, and the compiler proves that connections, which
/// are part of its state, are touched on the loop's thread only.
actor Worker {
    nonisolated let loop: EventLoop
    nonisolated let counters = Counters()
    nonisolated let buffers: BufferBudget
    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    let configuration: ServerConfiguration
    let deadlines: Deadlines
    let application: any HTTPApplication
    let readBuffer = ReadBuffer()
    /// Whether the server is shutting down: every answer closes its connection.
    private(set) var isClosing = false
    private var isCutOff = false

    private let budget: ConnectionBudget
    private let reporter: AcceptFailureReporter
    private let accept: Acceptor
    private var listeners: [Listener] = []
    private var connections = ConnectionTable()
    private var checks = DeadlineHeap<UInt64>()
    private var checkTimer: ScheduledTimer?
    private var nextCheck = LoopInstant.max
    private var output: [UInt8] = []
    private var currentDate = HTTPDate(secondsSince1970: 0)
    private var dateEnds: LoopInstant = 0
    private var lastRequestID: UInt64
    private var onEmpty: [CheckedContinuation<Bool, Never>] = []

    init(
        loop: EventLoop, index: Int, configuration: ServerConfiguration, application: any HTTPApplication,
        budget: ConnectionBudget, buffers: BufferBudget, reporter: AcceptFailureReporter, accept: @escaping Acceptor
    ) {
        self.loop = loop
        self.configuration = configuration
        deadlines = Deadlines(configuration)
        self.application = application
        self.budget = budget
        self.buffers = buffers
        self.reporter = reporter
        self.accept = accept
        lastRequestID = UInt64(index) << 48
    }

    // MARK: What connections share

    func nextRequestID() -> UInt64 {
        lastRequestID += 1
        return lastRequestID
    }

    /// The `Date` line of this second.
    func date() -> HTTPDate {
        if loop.now >= dateEnds {
            var time = timespec()
            // SAFETY: the kernel fills in the structure during the call.
            clock_gettime(CLOCK_REALTIME, &time)
            currentDate = HTTPDate(secondsSince1970: time.tv_sec)
            dateEnds = loop.now + 1_000_000_000 - UInt64(time.tv_nsec)
        }
        return currentDate
    }

    /// Lends the connection memory to write its answers to, so that it needs none of its own unless it is blocked.
    func lendOutput(to connection: Connection) {
        guard connection.output.isEmpty else { return }
        swap(&output, &connection.output)
    }

    /// Takes the memory back; what the kernel did not take stays with the connection.
    func takeBackOutput(of connection: Connection) {
        var lent: [UInt8] = []
        swap(&lent, &connection.output)
        if connection.outputSent < lent.count {
            connection.output = Array(lent[connection.outputSent...])
        }
        connection.outputSent = 0
        guard lent.capacity <= 256 * 1024, lent.capacity > output.capacity else { return }
        lent.removeAll(keepingCapacity: true)
        output = lent
    }

    /// Goes on with the connection in a later turn, so that others get theirs.
    func scheduleDrive(of connection: Connection) {
        guard !connection.isRedriveScheduled else { return }
        connection.isRedriveScheduled = true
        let ticket = connection.ticket
        loop.execute { [self] in
            assumeIsolated { worker in
                guard let connection = worker.connections[ticket] else { return }
                connection.isRedriveScheduled = false
                connection.drive(on: worker)
            }
        }
    }

    // MARK: Deadlines

    /// Has the connection looked at no later than its deadline.
    ///
    /// An earlier look that is due anyway will do: it moves itself on to the deadline. So an ordinary request, which
    /// only ever moves the deadline back, costs nothing here.
    func watchDeadline(of connection: Connection) {
        guard connection.deadline < connection.nextCheck else { return }
        connection.nextCheck = connection.deadline
        checks.insert(connection.ticket, at: connection.deadline)
        if checks.count > 4 * connections.count + 1024 {
            // Closed connections leave their entries behind.
            checks.removeAll { connections[$0] == nil }
        }
        scheduleChecks(at: connection.deadline)
    }

    private func scheduleChecks(at deadline: LoopInstant) {
        guard deadline < nextCheck else { return }
        nextCheck = deadline
        checkTimer?.cancel()
        checkTimer = loop.schedule(at: deadline) { [self] in
            assumeIsolated { $0.checkDeadlines() }
        }
    }

    private func checkDeadlines() {
        nextCheck = .max
        let now = loop.now
        while let ticket = checks.popDue(at: now) {
            guard let connection = connections[ticket] else { continue }
            if connection.deadline <= now {
                connection.nextCheck = .max
                connection.expire(on: self)
                connection.drive(on: self)
            } else if connection.nextCheck <= now {
                connection.nextCheck = .max
                if connection.deadline != .max { watchDeadline(of: connection) }
            }
        }
        if let earliest = checks.earliest { scheduleChecks(at: earliest) }
    }

    // MARK: Connections

    private func add(_ accepted: AcceptedSocket) {
        let socket = Descriptor(owning: accepted.number)
        counters.accepted.add(1)
        guard !isClosing else {
            // Accepted by another loop before the end and handed over after it: closed as the listener's queue is.
            counters.closed.add(1)
            return
        }
        let admission = budget.admit()
        guard admission != .dropped else {
            counters.refused.add(1)
            counters.closed.add(1)
            return
        }
        let ticket = connections.claimTicket()
        let connection = Connection(
            ticket: ticket, socket: socket, peer: accepted.peer, limits: configuration.limits)
        connection.isRefused = admission == .refused
        connections.insert(connection)
        do throws(SystemError) {
            connection.registration = try loop.register(
                connection.socket, for: [.readable, .writable, .peerFinished], edgeTriggered: true, handler: self,
                token: ticket)
        } catch {
            reporter.note(error, now: loop.now)
            return connection.close(on: self)
        }
        connection.setDeadline(after: deadlines.head, on: self)
        if connection.isRefused {
            counters.refused.add(1)
            connection.refuse(.serviceUnavailable, reason: "The server has too many connections.", on: self)
            connection.drive(on: self)
        }
    }

    /// Forgets a connection that has just closed; its descriptor is closed with the last reference to it.
    func remove(_ connection: Connection) {
        connections.remove(connection)
        counters.closed.add(1)
        budget.release(connection.isRefused)
        if isClosing && connections.count == 0 { finishClosing() }
    }

    // MARK: Listening

    /// Binds, listens and begins to accept; returns the address with its port.
    func listen(
        on address: SocketAddress, sharesPort: Bool, spreadingOver others: [Worker]
    ) throws(SystemError)
        -> SocketAddress
    {
        let socket = try ListeningSocket(address, backlog: configuration.backlog, sharesPort: sharesPort)
        let listener = Listener(socket: socket, others: others)
        let bound = listener.socket.address
        listener.registration = try loop.register(
            listener.socket.descriptor, for: .readable, edgeTriggered: false, handler: self,
            token: UInt64(listeners.count))
        listeners.append(listener)
        return bound
    }

    private func acceptConnections(from listener: Listener) {
        // Level-triggered: what is left is reported again, after others had their turn.
        for _ in 0..<64 {
            do throws(SystemError) {
                guard case .done(let accepted) = try accept(listener.socket) else { return }
                hand(accepted, from: listener)
            } catch {
                // A client that gave up while it waited is no reason to stop.
                if error.number == ECONNABORTED || error.number == EPROTO { continue }
                reporter.note(error, now: loop.now)
                return pause(listener)
            }
        }
    }

    private func hand(_ accepted: AcceptedSocket, from listener: Listener) {
        guard !listener.others.isEmpty else { return add(accepted) }
        listener.turn = (listener.turn + 1) % listener.others.count
        let worker = listener.others[listener.turn]
        if worker === self { return add(accepted) }
        worker.loop.execute { worker.assumeIsolated { $0.add(accepted) } }
    }

    /// Lets the listener rest. It would be reported as ready again and again, and nothing could be done about it.
    private func pause(_ listener: Listener) {
        counters.acceptPauses.add(1)
        guard let registration = listener.registration else { return }
        try? loop.update(registration, of: listener.socket.descriptor, for: [], edgeTriggered: false)
        loop.schedule(after: configuration.acceptPause) { [self] in
            assumeIsolated { $0.resumeListeners() }
        }
    }

    private func resumeListeners() {
        for listener in listeners {
            guard let registration = listener.registration else { continue }
            try? loop.update(registration, of: listener.socket.descriptor, for: .readable, edgeTriggered: false)
        }
    }

    // MARK: Shutting down

    /// Stops accepting and ends what can be ended; returns whether everything ended before the deadline.
    func close() async -> Bool {
        isClosing = true
        for listener in listeners {
            if let registration = listener.registration {
                loop.deregister(registration, of: listener.socket.descriptor)
            }
        }
        listeners = []
        for connection in connections.all { connection.serverIsClosing(on: self) }
        guard connections.count > 0 else { return true }
        loop.schedule(after: configuration.shutdownDeadline) { [self] in
            assumeIsolated { $0.cutOff() }
        }
        return await withCheckedContinuation { onEmpty.append($0) }
    }

    private func cutOff() {
        guard connections.count > 0 else { return }
        isCutOff = true
        for connection in connections.all { connection.close(on: self) }
    }

    private func finishClosing() {
        for continuation in onEmpty { continuation.resume(returning: !isCutOff) }
        onEmpty = []
    }
}

extension Worker: EventHandler {
    /// Tokens below 2³² are listeners; a connection's ticket has a generation, which is at least one, above them.
    nonisolated func ready(_ readiness: Readiness, token: UInt64) {
        assumeIsolated { worker in
            if token >> 32 != 0 {
                worker.connections[token]?.ready(readiness, on: worker)
            } else if token < UInt64(worker.listeners.count) {
                worker.acceptConnections(from: worker.listeners[Int(token)])
            }
        }
    }
}

extension Worker: ExchangeOwner {
    nonisolated func answer(_ answer: ExchangeAnswer, to ticket: UInt64) {
        if loop.isCurrent {
            assumeIsolated { $0.take(answer, to: ticket) }
        } else {
            loop.execute { [self] in assumeIsolated { $0.take(answer, to: ticket) } }
        }
    }

    nonisolated func wakeStream(_ ticket: UInt64) {
        assumeIsolated { worker in
            guard let connection = worker.connections[ticket], connection.phase == .streaming else { return }
            connection.wakeStream(on: worker)
        }
    }

    nonisolated func closeStream(_ ticket: UInt64) {
        assumeIsolated { worker in
            guard let connection = worker.connections[ticket], connection.phase == .streaming else { return }
            connection.close(on: worker)
        }
    }

    private func take(_ answer: ExchangeAnswer, to ticket: UInt64) {
        guard let connection = connections[ticket] else {
            if case .stream(_, let producer, _) = answer { producer.connectionClosed() }
            return
        }
        if !connection.isDriving { lendOutput(to: connection) }
        switch answer {
        case .response(let response): connection.answer(response, on: self)
        case .stream(let head, let producer, let closesConnection):
            connection.startStream(head, from: producer, closesConnection: closesConnection, on: self)
        }
        connection.drive(on: self)
    }
}
