import HTTP2Engine
import HTTPTypes
import HTTPWire
import Reactor

extension HTTP1Connection {
    // MARK: Bytes

    /// Receives once and parses what came.
    func receive(on worker: isolated Worker) {
        let buffer = worker.readBuffer
        guard let count = receive(into: buffer, on: worker) else { return }
        buffer.isInUse = true
        defer { buffer.isInUse = false }
        guard transport.tls != nil else {
            // SAFETY: the flag above keeps every other connection from receiving until the bytes are parsed or kept.
            return take(buffer.bytes(count), on: worker)
        }
        if count > 0 { buffer.withPlaintext { take($0, on: worker) } }
    }

    /// Parses what was received; what is behind a request in work is kept.
    private func take(_ bytes: UnsafeBufferPointer<UInt8>, on worker: isolated Worker) {
        if isHTTP2 { return transport.input.append(contentsOf: bytes) }
        if mayBecomeHTTP2 { return takeFirst(bytes, on: worker) }
        if transport.input.isEmpty {
            let consumed = parse(bytes.span, on: worker)
            if consumed < bytes.count { keepInput(bytes[consumed...]) }
            chargeInput(on: worker)
        } else {
            transport.input.append(contentsOf: bytes)
            parseInput(on: worker)
        }
    }

    /// Takes the first bytes of a connection that may turn out to speak HTTP/2, until they tell.
    private func takeFirst(_ bytes: UnsafeBufferPointer<UInt8>, on worker: isolated Worker) {
        transport.input.append(contentsOf: bytes)
        let first = transport.input
        switch HTTP2Preface.match(first.span) {
        case .whole: isHTTP2 = true
        case .partial: break
        case .none:
            mayBecomeHTTP2 = false
            parseInput(on: worker)
        }
    }

    /// Receives into the shared buffer; nil when there was nothing, or the connection is at its end.
    private func receive(into buffer: ReadBuffer, on worker: isolated Worker) -> Int? {
        do throws(SystemError) {
            switch try transport.receive(into: buffer) {
            case .bytes(let count):
                worker.counters.bytesReceived.add(count)
                if isAwaitingKeys, !transport.isHandshaking {
                    isAwaitingKeys = false
                    transport.tls?.noteEndOfHandshake()
                    isHTTP2 = transport.tls?.session.applicationProtocol == "h2"
                    worker.counters.handshakes.add(1)
                }
                return count
            case .end:
                if machine.peerFinished(hasOutput: transport.hasOutput) { close(on: worker) }
            case .nothing:
                break
            case .failed:
                worker.counters.handshakesFailed.add(1)
                close(on: worker)
            }
        } catch {
            close(on: worker)
        }
        return nil
    }

    /// Keeps what is behind the request that was parsed; nobody reads it where the connection is about to close.
    private func keepInput(_ bytes: some Collection<UInt8>) {
        switch machine.stage {
        case .closed: return
        case .closing: machine.abandonInput()
        default: transport.input.append(contentsOf: bytes)
        }
    }

    /// Parses the bytes that were kept, up to the next request that has to wait.
    func parseInput(on worker: isolated Worker) {
        let bytes = transport.takeInput()
        let consumed = parse(bytes.span, on: worker)
        if consumed == 0, machine.stage != .closed, machine.stage != .closing {
            transport.input = bytes
        } else if consumed < bytes.count {
            keepInput(bytes[consumed...])
        }
        chargeInput(on: worker)
    }

    /// Throws away what arrives during a stream or after the last answer.
    func discardInput(on worker: isolated Worker) {
        var turns = 16
        while transport.canRead, turns > 0, machine.stage == .streaming || machine.stage == .draining {
            guard !worker.readBuffer.isInUse else { return scheduleDrive(on: worker) }
            guard let count = receive(into: worker.readBuffer, on: worker) else { return }
            guard machine.discard(count, limit: worker.configuration.maxIgnoredDuringStream) else {
                return close(on: worker)
            }
            // One that is busy sending reads the answer once it is done.
            if machine.stage == .draining, worker.loop.now + worker.deadlines[.linger] <= lingerEnd {
                arm(.linger, on: worker)
            }
            turns -= 1
        }
        if turns == 0 { scheduleDrive(on: worker) }
    }

    // MARK: Requests

    /// Parses until more bytes are needed or a request is in work; returns how many bytes were used up.
    private func parse(_ bytes: Span<UInt8>, on worker: isolated Worker) -> Int {
        var cursor = 0
        transport.needsMoreInput = false
        while machine.stage == .receiving {
            switch machine.receive(bytes, cursor: &cursor, with: worker.readers, output: &transport.output.bytes) {
            case .needMore(let deadline):
                transport.needsMoreInput = true
                if let deadline { arm(deadline, on: worker) }
                admit(on: worker)
                return cursor
            case .contentBegins(let announced):
                guard hasRoom(forAnnounced: announced ?? 0, on: worker) else {
                    refuseOverBudget(on: worker)
                    return cursor
                }
                arm(.body, on: worker)
                isAdmitted = false
                // Its content comes once it is asked for.
                if machine.incoming?.head.expectsContinue == true { admit(on: worker) }
            case .contentProgressed:
                arm(.body, on: worker)
            case .request(let request):
                dispatch(request, on: worker)
                if transport.mustFlush && transport.hasOutput {
                    // The next request waits until these answers are out.
                    transport.needsMoreInput = false
                    return cursor
                }
            case .refused(let stream, let error):
                answerRefused(stream, error.status, reason: error.reason, on: worker)
            }
        }
        return cursor
    }

    /// Has the application look at the head of a request whose content is not there, once.
    private func admit(on worker: isolated Worker) {
        guard !isAdmitted, let (stream, head) = machine.incoming else { return }
        isAdmitted = true
        streamTicket = worker.renewTicket(of: self, for: stream)
        let limit = worker.application.admit(
            Exchange(
                head: head, body: [], loop: worker.loop, peer: peer, id: worker.nextRequestID(), owner: worker,
                ticket: streamTicket, certificate: transport.tls?.peer, extent: .head))
        guard limit < .max, let error = machine.limitContent(to: limit) else { return }
        refuse(error.status, reason: error.reason, on: worker)
    }

    /// Hands a request over to the application.
    private func dispatch(_ request: HTTP1Machine.ReceivedRequest, on worker: isolated Worker) {
        guard let size = chargeExchange(of: request, on: worker) else { return refuseOverBudget(on: worker) }
        disarm()
        if worker.isClosing { machine.endKeepAlive() }
        worker.counters.requests.add(1)
        streamTicket = worker.renewTicket(of: self, for: request.stream)
        let exchange = Exchange(
            head: request.head, body: request.content, loop: worker.loop, peer: peer, id: worker.nextRequestID(),
            owner: worker, ticket: streamTicket, charge: size, certificate: transport.tls?.peer,
            extent: isAdmitted ? .admitted : .whole)
        isAdmitted = false
        worker.application.handle(exchange)
    }

    /// Answers with an error of the server's own in place of the request that is being read, and closes once the client has
    /// had time to read it.
    func refuse(_ status: HTTPResponse.Status, reason: String, on worker: isolated Worker) {
        guard let stream = machine.refuse() else { return }
        answerRefused(stream, status, reason: reason, on: worker)
    }

    /// Answers a stream that the machine has refused.
    func answerRefused(_ stream: StreamID, _ status: HTTPResponse.Status, reason: String, on worker: isolated Worker) {
        worker.counters.requestsRefused.add(1)
        worker.application.refused(status, reason: reason, remoteAddress: peer.host)
        answer(.refusal(status, detail: reason, closesConnection: true), on: stream, of: worker)
    }
}
