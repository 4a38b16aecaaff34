import Glibc
import HTTP2Engine
import HTTPWire
import Reactor
import Synchronization

/// The connections of one event loop, and what they share.
///
/// An actor on the loop: what the loop calls enters it without a hop, and the compiler proves that connections, which
/// are part of its state, are touched on the loop's thread only.
actor Worker: LoopActor {
    nonisolated let loop: EventLoop
    nonisolated let counters = Counters()
    nonisolated let buffers: BufferBudget

    let configuration: ServerConfiguration
    let deadlines: Deadlines
    let application: any HTTPApplication
    let readBuffer = ReadBuffer()
    let readers: RequestReaders
    /// Whether the server is shutting down: every answer closes its connection.
    private(set) var isClosing = false
    private var isCutOff = false

    private let budget: ConnectionBudget
    let reporter: AcceptFailureReporter
    let accept: Acceptor
    var listeners: [Listener] = []
    /// By the ticket that the loop and the deadlines know them by.
    // SAFETY: as for `streams`.
    @exclusivity(unchecked) var connections = TicketTable<any HTTPConnection>()
    /// By the ticket that exchanges and stream handles know them by.
    // SAFETY: a table calls nobody; a connection that goes with its last reference closes its descriptor and knows no worker.
    @exclusivity(unchecked) var streams = TicketTable<ServedStream>()
    private var checks = DeadlineHeap<UInt64>()
    private var checkTimer: ScheduledTimer?
    private var nextCheck = LoopInstant.max
    // SAFETY: both are exchanged in one step with what a transport has, which knows no worker.
    @exclusivity(unchecked) private var output: [UInt8] = []
    @exclusivity(unchecked) private var sealed: [UInt8] = []
    private var handshakes = (turn: LoopInstant(0), left: Worker.handshakesPerTurn)
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
        readers = RequestReaders(limits: configuration.limits)
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

    /// Lends the connection memory to write its answers to.
    func lendOutput(to connection: Connection) {
        connection.transport.lend(&output, sealed: &sealed)
    }

    /// Takes the memory back.
    func takeBackOutput(of connection: Connection) {
        connection.transport.takeBack(&output, sealed: &sealed)
    }

    /// The connection with this ticket, unless it has closed.
    func connection(_ ticket: UInt64) -> (any HTTPConnection)? { connections[ticket] }

    /// A ticket for a new stream of the connection, which has one at a time; that of the one before is void.
    func renewTicket(of connection: HTTP1Connection, for stream: StreamID) -> UInt64 {
        let ticket = streams.renew(connection.streamTicket)
        streams.insert(ServedStream(connection: connection, name: .id(stream)), for: ticket)
        return ticket
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
        checkTimer = loop.schedule(at: deadline) { [self] in enter { $0.checkDeadlines() } }
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

    /// How many pieces of handshakes are worked on before other work of the loop gets its turn: a signature takes as long
    /// as many requests.
    private static let handshakesPerTurn = 8

    /// Takes one of this turn's pieces of handshakes; false where there is none left.
    func takeHandshake() -> Bool {
        if handshakes.turn != loop.now { handshakes = (loop.now, Self.handshakesPerTurn) }
        guard handshakes.left > 0 else { return false }
        handshakes.left -= 1
        return true
    }

    func add(_ accepted: AcceptedSocket, isEncrypted: Bool) {
        let socket = Descriptor(owning: accepted.number)
        counters.connectionsAccepted.add(1)
        guard !isClosing else {
            // Accepted by another loop before the end and handed over after it: closed as the listener's queue is.
            counters.connectionsClosed.add(1)
            return
        }
        let admission = budget.admit()
        guard admission != .dropped else {
            counters.connectionsRefused.add(1)
            counters.connectionsClosed.add(1)
            return
        }
        let tls = isEncrypted ? configuration.tls.flatMap { try? TLSLayer($0.current) } : nil
        // Nothing can be said before a handshake, and there is no room for one.
        if isEncrypted, tls == nil || admission == .refused {
            counters.connectionsRefused.add(1)
            counters.connectionsClosed.add(1)
            return budget.release(admission == .refused)
        }
        let (ticket, streamTicket) = (connections.claimTicket(), streams.claimTicket())
        let connection = HTTP1Connection(
            ticket: ticket, streamTicket: streamTicket, transport: Transport(socket: socket, tls: tls),
            peer: accepted.peer, isRefused: admission == .refused,
            allowsCleartextHTTP2: configuration.allowsCleartextHTTP2)
        connections.insert(connection, for: ticket)
        streams.insert(ServedStream(connection: connection, name: .id(StreamID(0))), for: streamTicket)
        do throws(SystemError) {
            connection.registration = try loop.register(
                connection.transport.socket, for: [.readable, .writable, .peerFinished], edgeTriggered: true,
                handler: self,
                token: ticket)
        } catch {
            reporter.note(error, now: loop.now)
            return connection.close(on: self)
        }
        connection.arm(.head, on: self)
        if connection.isRefused {
            counters.connectionsRefused.add(1)
            connection.refuse(.serviceUnavailable, reason: "The server has too many connections.", on: self)
            connection.drive(on: self)
        }
    }

    /// Has another connection go on with what one has, whose client speaks HTTP/2.
    func continueAsHTTP2(_ connection: HTTP1Connection) {
        streams.remove(connection.streamTicket)
        connection.machine.close()
        do throws(HTTP2Failure) {
            let next = try HTTP2Connection(replacing: connection, limits: configuration)
            connections.replace(next, for: next.ticket)
            next.begin(on: self)
        } catch {
            if let registration = connection.registration { loop.forget(registration) }
            counters.connectionsClosed.add(1)
            connections.remove(connection.ticket)
            budget.release(connection.isRefused)
        }
    }

    /// A ticket for a stream of an HTTP/2 connection, which `removeStream` gives back.
    func addStream(_ stream: StreamID, of connection: HTTP2Connection) -> UInt64 {
        let ticket = streams.claimTicket()
        streams.insert(ServedStream(connection: connection, name: .id(stream)), for: ticket)
        return ticket
    }

    /// A stream by its ticket; nil where it is over.
    func stream(_ ticket: UInt64) -> ServedStream? { streams[ticket] }

    /// Notes how a streamed answer of an HTTP/2 connection is woken.
    func setKey(_ key: HTTP2StreamKey, of ticket: UInt64) {
        guard let stream = streams[ticket] else { return }
        streams.replace(ServedStream(connection: stream.connection, name: .key(key)), for: ticket)
    }

    /// Forgets a stream of an HTTP/2 connection.
    func removeStream(_ ticket: UInt64) {
        streams.remove(ticket)
    }

    /// Forgets a connection that has just closed; its descriptor is closed with the last reference to it.
    func remove(_ connection: any HTTPConnection) {
        connections.remove(connection.ticket)
        if let connection = connection as? HTTP1Connection { streams.remove(connection.streamTicket) }
        counters.connectionsClosed.add(1)
        budget.release(connection.isRefused)
        if isClosing && connections.count == 0 { finishClosing() }
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
        loop.schedule(after: configuration.shutdownDeadline) { [self] in enter { $0.cutOff() } }
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
