import HTTPWire
import Reactor

/// The common part of a worker's connections: the transport, its deadline and its part of the memory budget.
///
/// Not `Sendable`: it never leaves the actor that owns it, and every method with side effects runs isolated to that
/// actor.
///
/// Some properties are not checked for exclusive access while the program runs: the checks were a tenth of the instructions
/// of a short GET. Some of them are numbers, which are read or written in one step. The types of the others know no
/// connection: nothing reaches such a property again while it is being changed.
class Connection {
    // What waking a quiet stream touches comes first and lies together: with ten thousand of them, reaching each
    // connection's memory costs more than working on it.
    /// The name that the loop and the worker's table know the connection by.
    final let ticket: UInt64
    final var registration: Registration?
    /// Whether one of its methods is at work further up the stack.
    // SAFETY: it is read or written in one step.
    @exclusivity(unchecked) final var isDriving = false
    private final var isRedriveScheduled = false
    /// Whether it is a connection over the limit, which only gets a refusal and is closed.
    final let isRefused: Bool
    // SAFETY: the transport, its TLS layer and the socket know no connection and call nobody who does.
    @exclusivity(unchecked) final var transport: Transport
    /// The bytes of the server's memory budget that are charged to it.
    // SAFETY: the charge and the budget know no connection.
    @exclusivity(unchecked) final var charge = MemoryCharge()
    /// When the connection has been too slow.
    // SAFETY: it is read or written in one step.
    @exclusivity(unchecked) private(set) final var deadline = LoopInstant.max
    /// When the worker looks at the deadline next.
    // SAFETY: it is read or written in one step.
    @exclusivity(unchecked) final var nextCheck = LoopInstant.max
    final let peer: SocketAddress

    init(ticket: UInt64, transport: consuming Transport, peer: SocketAddress, isRefused: Bool) {
        self.ticket = ticket
        self.peer = peer
        self.isRefused = isRefused
        self.transport = transport
    }

    /// Takes over what another connection has, which is of no use after that.
    init(replacing other: Connection) {
        ticket = other.ticket
        peer = other.peer
        isRefused = other.isRefused
        registration = other.registration.take()
        charge = other.charge
        other.charge = MemoryCharge()
        var taken = Transport(socket: Descriptor(owning: -1))
        swap(&taken, &other.transport)
        transport = taken
        nextCheck = other.nextCheck
    }

    /// Goes on in a later turn, so that others get theirs.
    final func scheduleDrive(on worker: isolated Worker) {
        guard !isRedriveScheduled else { return }
        isRedriveScheduled = true
        worker.send { [ticket] worker in
            guard let connection = worker.connection(ticket) else { return }
            connection.isRedriveScheduled = false
            connection.drive(on: worker)
        }
    }

    /// Has the connection looked at when a deadline of this kind has passed.
    final func arm(_ kind: DeadlineKind, on worker: isolated Worker) {
        arm(after: worker.deadlines[kind], on: worker)
    }

    /// Has the connection looked at after so many nanoseconds.
    final func arm(after span: LoopInstant, on worker: isolated Worker) {
        deadline = worker.loop.now &+ span
        worker.watchDeadline(of: self)
    }

    /// Has no deadline run.
    final func disarm() {
        deadline = .max
    }

    /// Gives back everything that a connection holds which closes; the socket goes with the last reference to it.
    final func release(on worker: isolated Worker) {
        disarm()
        if let tls = transport.tls, !transport.hasOutput { tls.sayFarewell(on: transport.socket) }
        transport.input = []
        transport.output = OutputQueue()
        charge.release(to: worker.buffers)
        if let registration { worker.loop.forget(registration) }
        registration = nil
    }
}

/// A connection as its worker sees it.
protocol HTTPConnection: Connection {
    /// Does everything that can be done now: receiving, handling, sending.
    func drive(on worker: isolated Worker)

    /// Takes the answer to a stream's request.
    func answer(_ answer: ExchangeAnswer, on stream: StreamID, of worker: isolated Worker)

    /// Whether a streamed answer goes on.
    func isStreaming(_ stream: StreamID) -> Bool

    /// Sends what a stream's producer has, now or soon; nothing where no streamed answer goes on.
    func wakeStream(_ stream: ServedStream, on worker: isolated Worker)

    /// Cuts a streamed answer off, so that the client sees that it was broken.
    func closeStream(_ stream: StreamID, on worker: isolated Worker)

    /// Called by the worker when the deadline has passed.
    func expire(on worker: isolated Worker)

    /// The server shuts down: what is idle closes, anything else comes to its end.
    func serverIsClosing(on worker: isolated Worker)

    /// Closes at once. Any number of calls; the first one counts.
    func close(on worker: isolated Worker)
}

extension HTTPConnection {
    /// Takes note of what the loop has seen of the socket, and does what can be done now.
    func ready(_ readiness: Readiness, on worker: isolated Worker) {
        if readiness.isClosed { return close(on: worker) }
        transport.note(readiness)
        drive(on: worker)
    }
}
