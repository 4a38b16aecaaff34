import HTTP2Engine
import HTTPTypes
import HTTPWire
import Reactor

/// One connection that speaks HTTP/2: it connects the transport, the protocol's machine, the deadlines, the memory budget
/// and the application.
///
/// Requests are handed over as they are complete, and answers go out as their streams have room. News of streams are
/// gathered for a turn of the loop, so that one write carries what many streams have to say.
final class HTTP2Connection: Connection, HTTPConnection {
    /// The purpose of the running deadline.
    private enum Watch {
        /// The first request has to come.
        case opening
        /// Nothing is open.
        case idle
        /// Streams and requests are looked at now and then.
        case active
        /// The client takes nothing.
        case stall
        /// The last words are on their way.
        case linger
    }

    let machine: HTTP2Machine
    /// Requests by their streams.
    var served: [StreamID: ServedRequest] = [:]
    /// Bytes of answers that wait for their streams' windows.
    var held = 0
    /// Streams whose producers await a turn of theirs.
    var awaitingTurn = 0
    private(set) var isClosed = false
    /// Whether everything is sent and what arrives is thrown away.
    private var isLingering = false
    private var watch = Watch.opening
    /// The requests that had come when the deadline that runs was armed.
    private var watchedRequests = 0
    /// Whether the connection ends when nothing is open any more.
    private var isEnding = false
    private var isShutDown = false
    /// Bytes that were sent in this turn of the loop, so that others get theirs.
    private var sentInTurn = 0

    /// How many bytes are gathered before they are sent.
    private static let outputSize = 64 * 1024

    /// Goes on with the connection of a client that speaks HTTP/2.
    init(replacing connection: HTTP1Connection, limits: ServerConfiguration) throws(HTTP2Failure) {
        machine = try HTTP2Machine(limits: limits.http2, wire: limits.limits)
        super.init(replacing: connection)
    }

    /// Works on what has arrived already.
    func begin(on worker: isolated Worker) {
        isEnding = worker.isClosing
        arm(.head, on: worker)
        drive(on: worker)
    }

    // MARK: Driving

    func drive(on worker: isolated Worker) {
        guard !isDriving, !isClosed else { return }
        isDriving = true
        worker.lendOutput(to: self)
        transport.beginTurn()
        sentInTurn = 0
        var turns = 32
        while turns > 0, step(on: worker) { turns -= 1 }
        worker.takeBackOutput(of: self)
        isDriving = false
        guard !isClosed else { return }
        settleMemory(on: worker)
        guard !isClosed else { return }
        if turns == 0 || sentInTurn >= Transport.turnSize { return scheduleDrive(on: worker) }
        if isEnding, machine.isIdle, !isShutDown {
            isShutDown = true
            machine.finishShutdown()
            return scheduleDrive(on: worker)
        }
        if machine.isOver, !transport.hasOutput, !isLingering { linger(on: worker) }
        watchDeadline(on: worker)
    }

    /// Takes the next step, and returns whether there may be another one.
    private func step(on worker: isolated Worker) -> Bool {
        guard send(on: worker) else { return false }
        if isLingering { return discardInput(on: worker) }
        if handleEvents(on: worker) { return true }
        if !transport.input.isEmpty {
            let bytes = transport.takeInput()
            machine.receive(bytes.span, now: worker.loop.now)
            return true
        }
        guard transport.canRead else { return false }
        guard !worker.readBuffer.isInUse else {
            scheduleDrive(on: worker)
            return false
        }
        receive(on: worker)
        return !isClosed
    }

    /// Sends until nothing is left that may be sent; false where the client takes no more, and then nothing is received
    /// either.
    private func send(on worker: isolated Worker) -> Bool {
        while !isClosed {
            if transport.hasOutput {
                guard !transport.isBlocked else { return false }
                let (count, hasFailed) = transport.flush()
                worker.counters.bytesSent.add(count)
                sentInTurn += count
                if hasFailed { close(on: worker) }
                if isClosed { return false }
                guard !transport.hasOutput else {
                    // A client that takes a little has all of its time again.
                    if count > 0 { watch(for: .stall, on: worker) }
                    return false
                }
            }
            guard machine.wantsToSend else { return true }
            guard sentInTurn < Transport.turnSize else { return false }
            // Sources may come back to the connection: the bytes are not the transport's meanwhile.
            var bytes: [UInt8] = []
            swap(&bytes, &transport.output.bytes)
            machine.output(into: &bytes, limit: Self.outputSize, now: worker.loop.now)
            swap(&bytes, &transport.output.bytes)
            guard transport.hasOutput else { return true }
        }
        return false
    }

    // MARK: Receiving

    private func receive(on worker: isolated Worker) {
        let buffer = worker.readBuffer
        guard let count = receive(into: buffer, on: worker), count > 0 else { return }
        buffer.isInUse = true
        defer { buffer.isInUse = false }
        guard transport.tls != nil else {
            // SAFETY: the flag above keeps every other connection from receiving until the bytes are taken in.
            return machine.receive(buffer.bytes(count).span, now: worker.loop.now)
        }
        buffer.withPlaintext { machine.receive($0.span, now: worker.loop.now) }
    }

    private func receive(into buffer: ReadBuffer, on worker: isolated Worker) -> Int? {
        do throws(SystemError) {
            switch try transport.receive(into: buffer) {
            case .bytes(let count):
                worker.counters.bytesReceived.add(count)
                return count
            case .nothing: return nil
            case .failed: worker.counters.handshakesFailed.add(1)
            // A client that has closed its side hears nothing that is of use to it.
            case .end: break
            }
        } catch {}
        close(on: worker)
        return nil
    }

    private func discardInput(on worker: isolated Worker) -> Bool {
        guard transport.canRead, !worker.readBuffer.isInUse else { return false }
        return receive(into: worker.readBuffer, on: worker) != nil
    }

    // MARK: Deadlines

    /// Has the deadline run that belongs to what the connection waits for.
    private func watchDeadline(on worker: isolated Worker) {
        let next: Watch =
            if isLingering {
                .linger
            } else if transport.hasOutput {
                .stall
            } else if !machine.isIdle || machine.keptBytes > 0 {
                .active
            } else {
                machine.counters.requests == 0 ? .opening : .idle
            }
        // A request that is answered in the turn that it comes in has the time that nothing is open begin anew.
        let isIdleAnew = next == .idle && machine.counters.requests != watchedRequests
        if next != watch || deadline == .max || isIdleAnew { watch(for: next, on: worker) }
    }

    private func watch(for next: Watch, on worker: isolated Worker) {
        watch = next
        watchedRequests = machine.counters.requests
        switch next {
        case .opening: arm(.head, on: worker)
        case .idle: arm(.keepAlive, on: worker)
        case .stall: arm(.writeStall, on: worker)
        case .linger: arm(.linger, on: worker)
        case .active:
            // A look costs something for each stream: as often as a head's deadline asks for only while there is one.
            let head = machine.isHeadSlow(for: 0, now: worker.loop.now) ? worker.deadlines[.head] : .max
            arm(after: min(head, worker.deadlines[.body], worker.deadlines[.writeStall]) / 4, on: worker)
        }
    }

    func expire(on worker: isolated Worker) {
        disarm()
        switch watch {
        case .linger: close(on: worker)
        case .opening, .stall:
            worker.counters.connectionsTimedOut.add(1)
            close(on: worker)
        case .idle: isEnding = true
        case .active:
            let now = worker.loop.now
            guard !machine.isHeadSlow(for: worker.deadlines[.head], now: now) else {
                worker.counters.connectionsTimedOut.add(1)
                return close(on: worker)
            }
            for stream in machine.slowRequests(for: worker.deadlines[.body], now: now) {
                worker.counters.connectionsTimedOut.add(1)
                refuse(stream, .requestTimeout, reason: "The request's content came too slowly.", on: worker)
            }
            for stream in machine.stalledStreams(for: worker.deadlines[.writeStall], now: now) {
                worker.counters.connectionsTimedOut.add(1)
                machine.reset(stream, .cancel)
            }
        }
    }

    // MARK: The end

    func serverIsClosing(on worker: isolated Worker) {
        // The streams' last events go first: there are clients that hear nothing after GOAWAY.
        isEnding = true
        for each in served.values { each.producer?.serverIsClosing() }
        for each in served.values {
            if case .key(let key) = worker.stream(each.ticket)?.name { machine.wake(key) }
        }
        drive(on: worker)
    }

    /// Says that nothing more comes, and gives the client time to read what was sent.
    private func linger(on worker: isolated Worker) {
        isLingering = true
        transport.finishSending()
        if transport.isAllRead { close(on: worker) } else { scheduleDrive(on: worker) }
    }

    func close(on worker: isolated Worker) {
        guard !isClosed else { return }
        isClosed = true
        // A failure is one too if the client has gone before it was told.
        while let event = machine.nextEvent() {
            if case .failed(let failure) = event { count(failure, on: worker) }
        }
        machine.close()
        release(on: worker)
        for stream in Array(served.keys) { endStream(stream, on: worker, isForgotten: true) }
        worker.remove(self)
    }
}
