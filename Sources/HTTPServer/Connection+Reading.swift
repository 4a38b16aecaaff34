import HTTPTypes
import HTTPWire
import Reactor

extension Connection {
    /// Receives once and parses what came.
    func receive(on worker: isolated Worker) {
        let buffer = worker.readBuffer
        guard let count = receive(into: buffer, on: worker) else { return }
        buffer.isInUse = true
        defer { buffer.isInUse = false }
        // SAFETY: the flag above keeps every other connection from receiving until the bytes are parsed or kept.
        let bytes = buffer.bytes(count)
        if input.isEmpty {
            let consumed = parse(bytes.span, on: worker)
            if consumed < count { keepInput(bytes[consumed...]) }
            chargeInput(on: worker)
        } else {
            input.append(contentsOf: bytes)
            parseInput(on: worker)
        }
    }

    /// Keeps what is behind the request that was parsed; nobody reads it where the connection is about to close.
    private func keepInput(_ bytes: some Collection<UInt8>) {
        switch phase {
        case .closed: return
        case .closing: lingersAtEnd = true
        default: input.append(contentsOf: bytes)
        }
    }

    /// Receives into the shared buffer; nil when there was nothing, or the connection is at its end.
    private func receive(into buffer: ReadBuffer, on worker: isolated Worker) -> Int? {
        do throws(SystemError) {
            // SAFETY: the buffer belongs to this worker and outlives the call.
            switch try socket.receive(into: buffer.memory) {
            case .wouldBlock:
                canRead = false
                return nil
            case .done(0):
                canRead = false
                peerHasFinished = true
                inputHasEnded(on: worker)
                return nil
            case .done(let count):
                // Less than there was room for is all there is, unless an end follows, which is not reported again.
                canRead = count == ReadBuffer.size || peerHasFinished
                worker.counters.bytesReceived.add(count)
                return count
            }
        } catch {
            close(on: worker)
            return nil
        }
    }

    /// The client sends nothing more. It may still want the answers to what it has sent.
    private func inputHasEnded(on worker: isolated Worker) {
        switch phase {
        case .reading:
            // Everything before has been parsed: what is left is no whole request.
            if hasOutput {
                phase = .closing
            } else {
                close(on: worker)
            }
        case .lingering:
            close(on: worker)
        case .inWork, .streaming, .closing, .closed:
            break
        }
    }

    /// Parses the bytes that were kept, up to the next request that has to wait.
    func parseInput(on worker: isolated Worker) {
        let bytes = input
        input = []
        let consumed = parse(bytes.span, on: worker)
        if consumed == 0, phase != .closed, phase != .closing {
            input = bytes
        } else if consumed < bytes.count {
            keepInput(bytes[consumed...])
        }
        chargeInput(on: worker)
    }

    /// Parses until more bytes are needed or a request is in work; returns how many bytes were used up.
    private func parse(_ bytes: Span<UInt8>, on worker: isolated Worker) -> Int {
        var cursor = 0
        var isBetweenRequests = false
        needsMoreInput = false
        do throws(WireError) {
            while phase == .reading {
                switch try parser.next(in: bytes, cursor: &cursor) {
                case .needMore:
                    needsMoreInput = true
                    if isBetweenRequests && cursor == bytes.count { return cursor }
                    waitForMore(hasRest: cursor < bytes.count, on: worker)
                    return cursor
                case .head(let head):
                    isBetweenRequests = false
                    begin(head, hasRest: cursor < bytes.count, on: worker)
                case .body(let range):
                    body.append(bytes, range)
                    noteProgress(range.count, on: worker)
                case .end:
                    dispatch(on: worker)
                    isBetweenRequests = true
                    if mustFlush && hasOutput {
                        // The next request waits until these answers are out.
                        needsMoreInput = false
                        return cursor
                    }
                }
            }
        } catch {
            refuse(error.status, reason: error.reason, on: worker)
        }
        return cursor
    }

    private func waitForMore(hasRest: Bool, on worker: isolated Worker) {
        guard head == nil, !isWaitingForHead, hasRest || !parser.isIdle else { return }
        isWaitingForHead = true
        setDeadline(after: worker.deadlines.head, on: worker)
    }

    private func begin(_ head: RequestHead, hasRest: Bool, on worker: isolated Worker) {
        self.head = head
        switch head.bodyFraming {
        case .none:
            return
        case .length(let length):
            guard hasRoom(forAnnounced: length, on: worker) else { return refuseOverBudget(on: worker) }
            // What a client announces is not what it sends: memory grows with what has arrived.
            body.reserveCapacity(min(length, ReadBuffer.size))
        case .chunked:
            break
        }
        bodyProgress = 0
        setDeadline(after: worker.deadlines.body, on: worker)
        if head.expectsContinue && !hasRest {
            output.append(contentsOf: ResponseWriter.continueResponse)
        }
    }

    private func noteProgress(_ count: Int, on worker: isolated Worker) {
        bodyProgress += count
        guard bodyProgress >= 16 * 1024 else { return }
        bodyProgress = 0
        setDeadline(after: worker.deadlines.body, on: worker)
    }

    /// Hands the request over to the application.
    private func dispatch(on worker: isolated Worker) {
        guard let head else { return }
        let content = body
        guard let charge = chargeExchange(of: content, on: worker) else { return refuseOverBudget(on: worker) }
        self.head = nil
        body = []
        isSafe = head.method == .get || head.method == .head || head.method == .options
        isWaitingForHead = false
        phase = .inWork
        clearDeadline()
        writer = ResponseWriter(answering: head)
        if worker.isClosing { writer.keepAlive = false }
        worker.counters.requests.add(1)
        let exchange = Exchange(
            head: head, body: content, loop: worker.loop, peer: peer, id: worker.nextRequestID(), owner: worker,
            ticket: ticket, charge: charge)
        worker.application.handle(exchange)
    }

    /// Answers with an error of the server's own, and closes once the client has had time to read it.
    func refuse(_ status: HTTPResponse.Status, reason: String, on worker: isolated Worker) {
        guard phase == .reading else { return }
        worker.counters.requestsRefused.add(1)
        writer = ResponseWriter(refusing: head?.method ?? parser.requestMethod)
        head = nil
        body = []
        phase = .inWork
        lingersAtEnd = true
        worker.application.refused(status, reason: reason, remoteAddress: peer.host)
        isSafe = false
        answer(.problem(status, detail: reason, closesConnection: true), on: worker)
    }

    /// Throws away what arrives during a stream or after the last answer.
    func discardInput(on worker: isolated Worker) {
        var turns = 16
        while canRead, turns > 0, phase == .streaming || phase == .lingering {
            guard !worker.readBuffer.isInUse else { return worker.scheduleDrive(of: self) }
            guard let count = receive(into: worker.readBuffer, on: worker) else { return }
            ignoredBytes += count
            if phase == .streaming && ignoredBytes > worker.configuration.maxIgnoredDuringStream {
                return close(on: worker)
            }
            turns -= 1
        }
        if turns == 0 { worker.scheduleDrive(of: self) }
    }
}
