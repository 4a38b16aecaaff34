import HTTPWire
import Reactor

/// One connection that speaks HTTP/1.1, from accepting to closing: it connects the transport, the protocol's machine, the
/// deadline, the memory budget and the application.
///
/// Pipelined requests wait in the transport's input or with the kernel. Every connection begins so; one whose client
/// turns out to speak HTTP/2 is replaced.
///
/// Neither the machine nor the transport calls anybody. So none of the calls into the application, which may come back to
/// the connection, happens while one of them is being changed.
final class HTTP1Connection: Connection, HTTPConnection {
    /// The source of the streamed answer that goes on.
    var producer: (any BodyProducer)?
    // SAFETY: the machine is a value of another module, which has no connections and calls nobody.
    @exclusivity(unchecked) var machine = HTTP1Machine()
    /// The name that the worker's table knows the newest stream by.
    // SAFETY: it is read or written in one step.
    @exclusivity(unchecked) var streamTicket: UInt64
    /// When a client that goes on sending behind the last answer is cut off.
    var lingerEnd: LoopInstant = 0
    /// Whether the handshake has not ended, as far as it was looked at.
    // SAFETY: it is read or written in one step.
    @exclusivity(unchecked) var isAwaitingKeys: Bool
    /// Whether the first bytes may still be those of HTTP/2.
    // SAFETY: it is read or written in one step.
    @exclusivity(unchecked) var mayBecomeHTTP2: Bool
    /// Whether the client speaks HTTP/2: another connection goes on with what has arrived.
    // SAFETY: it is read or written in one step.
    @exclusivity(unchecked) var isHTTP2 = false
    /// Whether the application has looked at the head of the request whose content arrives.
    // SAFETY: it is read or written in one step.
    @exclusivity(unchecked) var isAdmitted = false

    init(
        ticket: UInt64, streamTicket: UInt64, transport: consuming Transport, peer: SocketAddress,
        isRefused: Bool, allowsCleartextHTTP2: Bool = false
    ) {
        self.streamTicket = streamTicket
        isAwaitingKeys = transport.isHandshaking
        mayBecomeHTTP2 = allowsCleartextHTTP2 && transport.tls == nil
        super.init(ticket: ticket, transport: transport, peer: peer, isRefused: isRefused)
    }

    // MARK: Driving

    func drive(on worker: isolated Worker) {
        drive(beginningWith: nil, on: worker)
    }

    /// Does everything that can be done now: receiving, handling, sending.
    ///
    /// - Parameter production: The result of an earlier call of the producer's `next`, to be handled first.
    func drive(beginningWith production: Production?, on worker: isolated Worker) {
        guard !isDriving, machine.stage != .closed else { return }
        isDriving = true
        defer { isDriving = false }
        worker.lendOutput(to: self)
        // Many pipelined requests, a fast sender or a fast receiver must not keep the loop from other connections.
        transport.beginTurn()
        var turns = 32
        var mayGoOn = if let production { proceed(with: production, on: worker) } else { true }
        while mayGoOn, turns > 0 {
            mayGoOn = step(on: worker)
            turns -= 1
        }
        worker.takeBackOutput(of: self)
        if isHTTP2, machine.stage != .closed { return worker.continueAsHTTP2(self) }
        if !charge.isNone || transport.isStuck { settleMemory(on: worker) }
        if mayGoOn || transport.mustYield { scheduleDrive(on: worker) }
    }

    /// Lends it memory for an answer; while it is being driven, it has that already. `drive` must follow.
    func prepareForAnswer(on worker: isolated Worker) {
        if !isDriving { worker.lendOutput(to: self) }
    }

    /// Takes the next step, and returns whether there may be another one.
    private func step(on worker: isolated Worker) -> Bool {
        if isHTTP2 { return false }
        if transport.hasOutput, !transport.isBlocked, transport.mustFlush { flush(on: worker) }
        if transport.mustYield { return false }
        switch machine.stage {
        case .receiving:
            if transport.mustFlush && transport.hasOutput { return false }
            if !transport.needsMoreInput {
                parseInput(on: worker)
                return true
            }
            if transport.canRead, !worker.readBuffer.isInUse, !transport.isHandshaking || worker.takeHandshake() {
                receive(on: worker)
                return true
            }
            if transport.canRead { scheduleDrive(on: worker) }
            return finishTurn(on: worker)
        case .answering:
            return finishTurn(on: worker)
        case .streaming:
            discardInput(on: worker)
            guard machine.stage == .streaming, !transport.isBlocked else { return false }
            return pump(on: worker)
        case .closing:
            if finishTurn(on: worker) { return true }
            if !transport.hasOutput { endAfterLastAnswer(on: worker) }
            return machine.stage == .draining
        case .draining:
            discardInput(on: worker)
            return false
        case .closed:
            return false
        }
    }

    /// Sends what has gathered; returns whether that made room for further steps.
    private func finishTurn(on worker: isolated Worker) -> Bool {
        guard transport.hasOutput, !transport.isBlocked else { return false }
        flush(on: worker)
        return machine.stage != .closed && !transport.hasOutput && machine.stage != .answering
    }

    /// Sends until everything is out or the kernel has no room.
    func flush(on worker: isolated Worker) {
        let (count, hasFailed) = transport.flush()
        worker.counters.bytesSent.add(count)
        if hasFailed { return close(on: worker) }
        if transport.isBlocked || transport.mustYield { return arm(.writeStall, on: worker) }
        // The stall's deadline is over.
        switch machine.deadlineWhenDrained {
        case .arm(let kind): arm(kind, on: worker)
        case .disarm: disarm()
        case .keep: break
        }
    }

    // MARK: Waking a stream

    /// Sends what the producer has, if the connection is able to write.
    ///
    /// If nothing waits in either direction, only the producer and the socket are involved: a frame in cleartext goes
    /// to the kernel from its own buffer.
    func wakeStream(_ stream: ServedStream, on worker: isolated Worker) {
        guard machine.isStreaming(stream.id), !isDriving, !transport.isBlocked else { return }
        guard transport.isQuiet, let producer else { return drive(on: worker) }
        isDriving = true
        for _ in 0..<32 {
            let (frame, isLatest): (EventFrame, Bool)
            switch producer.next() {
            case .latest(let event): (frame, isLatest) = (event, true)
            case .frame(let event): (frame, isLatest) = (event, false)
            case .pending:
                isDriving = false
                return
            case let production:
                isDriving = false
                return drive(beginningWith: production, on: worker)
            }
            guard machine.sendsChunks, !frame.chunk.isEmpty, frame.chunk.count <= Transport.turnSize else {
                isDriving = false
                return drive(beginningWith: isLatest ? .latest(frame) : .frame(frame), on: worker)
            }
            guard sendAtOnce(frame, on: worker) else { break }
            if isLatest {
                isDriving = false
                return
            }
        }
        isDriving = false
        // The kernel has no room, or others get their turn.
        if transport.hasOutput { drive(on: worker) } else if machine.stage != .closed { scheduleDrive(on: worker) }
    }

    /// Sends a frame past the queue; returns whether all of it is with the kernel.
    private func sendAtOnce(_ frame: EventFrame, on worker: isolated Worker) -> Bool {
        if transport.tls != nil { return sealAndSend(frame, on: worker) }
        do throws(SystemError) {
            let count = try transport.sendAtOnce(frame)
            worker.counters.bytesSent.add(count)
            return count == frame.chunk.count
        } catch {
            close(on: worker)
            return false
        }
    }

    private func sealAndSend(_ frame: EventFrame, on worker: isolated Worker) -> Bool {
        worker.lendOutput(to: self)
        defer { worker.takeBackOutput(of: self) }
        transport.beginTurn()
        transport.output.part = .init(bytes: frame.storage, range: frame.chunk, frame: frame)
        let (count, hasFailed) = transport.flush()
        worker.counters.bytesSent.add(count)
        if hasFailed { close(on: worker) }
        return !transport.hasOutput
    }

    // MARK: Deadlines and the end

    func expire(on worker: isolated Worker) {
        disarm()
        // Before the handshake's end nothing can be said.
        if transport.hasOutput || transport.isHandshaking {
            worker.counters.connectionsTimedOut.add(1)
            return close(on: worker)
        }
        switch machine.expire(hasUnread: !transport.input.isEmpty) {
        case .refused(let stream, let reason):
            worker.counters.connectionsTimedOut.add(1)
            answerRefused(stream, .requestTimeout, reason: reason, on: worker)
        case .close(let isTimeout):
            if isTimeout { worker.counters.connectionsTimedOut.add(1) }
            close(on: worker)
        case .nothing:
            break
        }
    }

    func serverIsClosing(on worker: isolated Worker) {
        switch machine.stage {
        case .receiving:
            // A request may have arrived that nobody has looked at yet.
            drive(on: worker)
            if machine.isIdle, transport.input.isEmpty, !transport.hasOutput { close(on: worker) }
        case .answering:
            machine.endKeepAlive()
        case .streaming:
            machine.endKeepAlive()
            producer?.serverIsClosing()
            drive(on: worker)
        case .closing, .draining, .closed:
            break
        }
    }

    private func endAfterLastAnswer(on worker: isolated Worker) {
        let hasUnread = transport.canRead || !transport.input.isEmpty
        guard machine.lastAnswerSent(isAllRead: transport.isAllRead, hasUnread: hasUnread) else {
            return close(on: worker)
        }
        transport.input = []
        transport.finishSending()
        lingerEnd = worker.loop.now + max(worker.deadlines[.linger], worker.deadlines[.body])
        arm(.linger, on: worker)
    }

    func isStreaming(_ stream: StreamID) -> Bool { machine.isStreaming(stream) }

    func closeStream(_ stream: StreamID, on worker: isolated Worker) { close(on: worker) }

    func close(on worker: isolated Worker) {
        guard machine.stage != .closed else { return }
        machine.close()
        release(on: worker)
        endStream(on: worker)
        worker.remove(self)
    }
}
