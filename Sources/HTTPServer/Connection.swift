import HTTPTypes
import HTTPWire
import Reactor

/// One connection of a worker, from accepting to closing.
///
/// Not `Sendable`: it never leaves the actor that owns it, and every method that does more than look runs as a part of
/// that actor. Requests are handled one after the other; what a client sends ahead waits in `input` or with the kernel.
final class Connection {
    enum Phase {
        /// Between requests or inside of one.
        case reading
        /// The application has a request and owes an answer.
        case inWork
        /// A streamed answer is going on.
        case streaming
        /// The last answer is on its way; then the connection closes.
        case closing
        /// Everything is sent and the sending side is shut; the client's remaining bytes are thrown away.
        case lingering
        case closed
    }

    /// What an answer's bytes are followed by, held by reference: a large body or an event's frame.
    struct Tail {
        var bytes: [UInt8]
        var range: Range<Int>
        /// Whether the end of a chunk follows.
        var endsChunk = false
        /// The frame that the bytes are of, which other connections may be sending too.
        var frame: EventFrame?

        /// The bytes that nobody else is known to hold.
        var ownSize: Int { frame == nil ? bytes.count : 0 }
    }

    // What waking a quiet stream touches comes first and lies together: with ten thousand of them, reaching each
    // connection's memory costs more than working on it.
    let ticket: UInt64
    let socket: Descriptor
    var phase = Phase.reading
    /// Whether one of the methods below is at work further up the stack.
    var isDriving = false
    /// Whether the kernel has no room; edge-triggered readiness says when it has again.
    var isBlocked = false
    /// Whether receiving may yield something; edge-triggered readiness says so once.
    var canRead = true
    var peerHasFinished = false
    var isRedriveScheduled = false
    /// Whether `input` has been parsed as far as it goes.
    var needsMoreInput = true
    var isWaitingForHead = true
    var lingersAtEnd = false
    /// Whether it counts as one over the limit, which is there to be told so and closed.
    var isRefused = false
    /// Bytes that are charged to the server's budget for this connection, and the frame that is charged besides.
    var charged = 0
    var keptFrame: EventFrame?

    // Writing. `output` goes out first, then `tail`.
    var output: [UInt8] = []
    var outputSent = 0
    var tail: Tail?

    // Streaming.
    var producer: (any BodyProducer)?
    var streamFraming = ResponseFraming.none
    var streamRemaining: Int?
    var ignoredBytes = 0

    /// When the connection has been too slow, and when the worker looks at that next.
    var deadline = LoopInstant.max
    var nextCheck = LoopInstant.max

    // Reading, and answering what was read.
    /// Bytes that were received and not yet parsed; empty but for the time between two pieces of a request.
    var input: [UInt8] = []
    var parser: RequestParser
    var head: RequestHead?
    var body: [UInt8] = []
    var bodyProgress = 0
    var writer = ResponseWriter(refusing: nil)
    /// Whether the request in work only reads (RFC 9110, section 9.2.1).
    var isSafe = false
    let peer: SocketAddress
    var registration: Registration?

    var hasOutput: Bool { outputSent < output.count || tail != nil }

    init(ticket: UInt64, socket: consuming Descriptor, peer: SocketAddress, limits: WireLimits) {
        self.ticket = ticket
        self.socket = socket
        self.peer = peer
        parser = RequestParser(limits: limits)
    }

    // MARK: What happens to a connection

    func ready(_ readiness: Readiness, on worker: isolated Worker) {
        if readiness.isClosed { return close(on: worker) }
        if readiness.contains(.readable) { canRead = true }
        if readiness.contains(.peerFinished) {
            canRead = true
            peerHasFinished = true
        }
        if readiness.contains(.writable) { isBlocked = false }
        drive(on: worker)
    }

    /// Does everything that can be done now: receiving, handling, sending.
    func drive(on worker: isolated Worker) {
        guard !isDriving, phase != .closed else { return }
        isDriving = true
        defer { isDriving = false }
        worker.lendOutput(to: self)
        // Many pipelined requests or a fast sender must not keep the loop from other connections.
        var turns = 32
        while turns > 0, step(on: worker) { turns -= 1 }
        worker.takeBackOutput(of: self)
        if charged != 0 || isBlocked && hasOutput || keptFrame != nil { settleMemory(on: worker) }
        if turns == 0 { worker.scheduleDrive(of: self) }
    }

    /// Takes the next step, and returns whether there may be another one.
    private func step(on worker: isolated Worker) -> Bool {
        if hasOutput, !isBlocked, mustFlush { flush(on: worker) }
        switch phase {
        case .reading:
            if mustFlush && hasOutput { return false }
            if !needsMoreInput {
                parseInput(on: worker)
                return true
            }
            if canRead && !worker.readBuffer.isInUse {
                receive(on: worker)
                return true
            }
            if canRead { worker.scheduleDrive(of: self) }
            return finishTurn(on: worker)
        case .inWork:
            return finishTurn(on: worker)
        case .streaming:
            discardInput(on: worker)
            guard phase == .streaming, !isBlocked else { return false }
            return pump(on: worker)
        case .closing:
            if finishTurn(on: worker) { return true }
            if !hasOutput { endAfterLastAnswer(on: worker) }
            return phase == .lingering
        case .lingering:
            discardInput(on: worker)
            return false
        case .closed:
            return false
        }
    }

    /// Whether output is to be sent before anything else is done. Answers to pipelined requests are gathered.
    var mustFlush: Bool { tail != nil || output.count - outputSent > 32 * 1024 || isBlocked }

    /// Sends what has gathered; returns whether that made room for further steps.
    private func finishTurn(on worker: isolated Worker) -> Bool {
        guard hasOutput, !isBlocked else { return false }
        flush(on: worker)
        return phase != .closed && !hasOutput && phase != .inWork
    }

    // MARK: Deadlines and the end

    func setDeadline(after nanoseconds: LoopInstant, on worker: isolated Worker) {
        deadline = worker.loop.now &+ nanoseconds
        worker.watchDeadline(of: self)
    }

    func clearDeadline() {
        deadline = .max
    }

    /// Called by the worker when the deadline has passed.
    func expire(on worker: isolated Worker) {
        clearDeadline()
        if hasOutput {
            worker.counters.timedOut.add(1)
            return close(on: worker)
        }
        switch phase {
        case .reading where head != nil:
            worker.counters.timedOut.add(1)
            refuse(.requestTimeout, reason: "The body of the request came too slowly.", on: worker)
        case .reading where !parser.isIdle || !input.isEmpty:
            worker.counters.timedOut.add(1)
            refuse(.requestTimeout, reason: "The head of the request came too slowly.", on: worker)
        case .reading:
            // Idle: either it never sent anything, or it has had its time between two requests.
            if isWaitingForHead { worker.counters.timedOut.add(1) }
            close(on: worker)
        case .lingering, .closing:
            close(on: worker)
        case .inWork, .streaming, .closed:
            break
        }
    }

    /// The server shuts down: an idle connection closes, anything else comes to its end.
    func serverIsClosing(on worker: isolated Worker) {
        switch phase {
        case .reading:
            // A request may have arrived that nobody has looked at yet.
            drive(on: worker)
            if phase == .reading, head == nil, parser.isIdle, input.isEmpty, !hasOutput { close(on: worker) }
        case .inWork:
            writer.keepAlive = false
        case .streaming:
            writer.keepAlive = false
            producer?.serverIsClosing()
            drive(on: worker)
        case .closing, .lingering, .closed:
            break
        }
    }

    private func endAfterLastAnswer(on worker: isolated Worker) {
        // Closing a socket that holds unread bytes resets the connection, and the answer may be lost with it.
        let isAllRead = peerHasFinished && !canRead
        guard !isAllRead, lingersAtEnd || canRead || !input.isEmpty else { return close(on: worker) }
        phase = .lingering
        input = []
        socket.finishSending()
        setDeadline(after: worker.deadlines.linger, on: worker)
    }

    /// Closes at once. Any number of calls; the first one counts.
    func close(on worker: isolated Worker) {
        guard phase != .closed else { return }
        phase = .closed
        clearDeadline()
        input = []
        body = []
        head = nil
        output = []
        outputSent = 0
        tail = nil
        releaseMemory(on: worker)
        if let registration { worker.loop.forget(registration) }
        registration = nil
        endStream(on: worker)
        worker.remove(self)
    }
}
