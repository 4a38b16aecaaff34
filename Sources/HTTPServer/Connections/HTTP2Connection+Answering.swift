import HTTP2Engine
import HTTPTypes
import HTTPWire
import Reactor

extension HTTP2Connection {
    /// An answer up to this size is not charged while it waits.
    private static let unchargedSize = HTTP1Connection.copiedSize

    // MARK: Requests

    /// Works on what the machine has found out; returns whether there was anything.
    func handleEvents(on worker: isolated Worker) -> Bool {
        var hasEvents = false
        while !isClosed, let event = machine.nextEvent() {
            hasEvents = true
            switch event {
            case .request(let request): dispatch(request, on: worker)
            case .refused(let stream, let error):
                add(stream, isSafe: true, on: worker)
                answerRefused(stream, error.status, reason: error.reason, on: worker)
            case .contentBegins(let stream, let announced):
                admit(stream, on: worker)
                guard machine.incomingHead(of: stream) != nil, let announced, announced > ReadBuffer.size,
                    !worker.buffers.hasRoom(for: announced)
                else { break }
                worker.buffers.noteRefusal(of: .request)
                refuse(stream, .serviceUnavailable, reason: HTTP1Connection.overBudget, on: worker)
            case .contentProgressed: break
            case .closed(let stream, _): endStream(stream, on: worker)
            case .failed(let failure): count(failure, on: worker)
            }
        }
        return hasEvents
    }

    /// Counts the connection's failure, of which there is one at most.
    func count(_ failure: HTTP2Failure, on worker: isolated Worker) {
        worker.counters.http2Failures[failure.kind]?.add(1)
    }

    /// Has the application look at the head of a request whose content is not there.
    private func admit(_ stream: StreamID, on worker: isolated Worker) {
        guard let head = machine.incomingHead(of: stream) else { return }
        let request = add(stream, isSafe: true, on: worker)
        request.isIncoming = true
        let limit = worker.application.admit(
            Exchange(
                head: head, body: [], loop: worker.loop, peer: peer, id: worker.nextRequestID(), owner: worker,
                ticket: request.ticket, certificate: transport.tls?.peer, extent: .head))
        guard limit < .max, let error = machine.limitContent(of: stream, to: limit) else { return }
        refuse(stream, error.status, reason: error.reason, on: worker)
    }

    private func dispatch(_ request: HTTP2Request, on worker: isolated Worker) {
        let isAdmitted = served[request.stream]?.isIncoming == true
        let ticket = add(request.stream, isSafe: request.head.method.isSafe, on: worker).ticket
        let size = request.headSize + request.content.count
        let charge = size > HTTP1Connection.unchargedRequest ? size : 0
        if charge > 0 { releaseMemory(on: worker) }
        guard charge == 0 || worker.buffers.take(charge) else {
            worker.buffers.noteRefusal(of: .request)
            return answerRefused(
                request.stream, .serviceUnavailable, reason: HTTP1Connection.overBudget, on: worker)
        }
        worker.counters.requests.add(1)
        let exchange = Exchange(
            head: request.head, body: request.content, loop: worker.loop, peer: peer, id: worker.nextRequestID(),
            owner: worker, ticket: ticket, charge: charge, certificate: transport.tls?.peer,
            extent: isAdmitted ? .admitted : .whole)
        worker.application.handle(exchange)
    }

    /// Makes what a stream has here, in place of what it had while its content arrived.
    @discardableResult
    private func add(_ stream: StreamID, isSafe: Bool, on worker: isolated Worker) -> ServedRequest {
        if let incoming = served[stream] { worker.removeStream(incoming.ticket) }
        let request = ServedRequest(
            ticket: worker.addStream(stream, of: self), isSafe: isSafe, of: self, on: worker)
        served[stream] = request
        return request
    }

    /// Answers a request whose content has not come with an error of the server's own; false where there is none.
    @discardableResult
    func refuse(_ stream: StreamID, _ status: HTTPResponse.Status, reason: String, on worker: isolated Worker) -> Bool {
        guard machine.refuse(stream) else { return false }
        add(stream, isSafe: true, on: worker)
        answerRefused(stream, status, reason: reason, on: worker)
        return true
    }

    private func answerRefused(
        _ stream: StreamID, _ status: HTTPResponse.Status, reason: String, on worker: isolated Worker
    ) {
        worker.counters.requestsRefused.add(1)
        worker.application.refused(status, reason: reason, remoteAddress: peer.host)
        answer(.response(.refusal(status, detail: reason)), on: stream, of: worker)
    }

    // MARK: Answers

    func answer(_ answer: ExchangeAnswer, on stream: StreamID, of worker: isolated Worker) {
        guard let request = served[stream] else {
            if case .stream(_, let producer, _) = answer { producer.connectionClosed() }
            return
        }
        request.isAnswered = true
        // In place of the request, whose content is not wanted.
        if request.isIncoming, machine.refuse(stream) { worker.counters.requests.add(1) }
        switch answer {
        case .response(let response): respond(response, to: request, on: stream, of: worker)
        case .stream(let head, let producer, _): startStream(head, from: producer, for: request, on: stream, of: worker)
        }
        if request.isClosed { endStream(stream, on: worker) }
        drive(on: worker)
    }

    private func respond(
        _ response: Response, to request: ServedRequest, on stream: StreamID, of worker: isolated Worker
    ) {
        var (bytes, range) = response.body.content
        var response = response
        // Where something was changed, a refusal would be a lie.
        if request.isSafe, range.count > Self.unchargedSize, !worker.buffers.hasRoom(for: range.count) {
            worker.buffers.noteRefusal(of: .answer)
            worker.counters.requestsRefused.add(1)
            worker.application.refused(
                .serviceUnavailable, reason: HTTP1Connection.overBudget, remoteAddress: peer.host)
            response = .refusal(.serviceUnavailable, detail: HTTP1Connection.overBudget)
            (bytes, range) = response.body.content
        }
        if range.count > Self.unchargedSize {
            request.held = range.count
            held += range.count
        }
        machine.respond(stream, response.head, content: bytes, range: range, date: worker.date())
    }

    private func startStream(
        _ head: ResponseHead, from producer: any BodyProducer, for request: ServedRequest, on stream: StreamID,
        of worker: isolated Worker
    ) {
        guard let key = machine.startStream(stream, head, date: worker.date(), from: request) else {
            return producer.connectionClosed()
        }
        request.producer = producer
        worker.setKey(key, of: request.ticket)
        worker.counters.streamsStarted.add(1)
        producer.streamStarted(StreamHandle(owner: worker, ticket: request.ticket))
        if worker.isClosing { producer.serverIsClosing() }
    }

    func isStreaming(_ stream: StreamID) -> Bool { served[stream]?.producer != nil }

    func wakeStream(_ stream: ServedStream, on worker: isolated Worker) {
        guard case .key(let key) = stream.name else { return }
        machine.wake(key)
        guard !isDriving else { return }
        // A producer that has its turn has it for as long as this call.
        if awaitingTurn > 0, served[stream.id]?.awaitsTurn == true { return drive(on: worker) }
        // Others have news in the same turn of the loop: they go out together.
        scheduleDrive(on: worker)
    }

    func closeStream(_ stream: StreamID, on worker: isolated Worker) {
        machine.reset(stream, .internalError)
        if !isDriving { scheduleDrive(on: worker) }
    }

    /// Lets go of a stream that has closed, once its request is answered.
    func endStream(_ stream: StreamID, on worker: isolated Worker, isForgotten: Bool = false) {
        guard let request = served[stream] else { return }
        request.letGo()
        if let producer = request.producer.take() {
            worker.counters.streamsEnded.add(1)
            producer.connectionClosed()
        }
        held -= request.held
        request.held = 0
        request.isClosed = true
        guard request.isAnswered || request.isIncoming || isForgotten else { return }
        served[stream] = nil
        worker.removeStream(request.ticket)
    }

    // MARK: Memory

    private var keptBytes: Int { machine.keptBytes + held + transport.keptBytes }

    /// Gives back the charge of what is no longer kept, so that a complete request is not charged twice.
    private func releaseMemory(on worker: isolated Worker) {
        let kept = keptBytes
        if kept < charge.bytes { _ = charge.set(kept, in: worker.buffers) }
    }

    /// Charges what is kept at the end of a turn. Without room, requests whose content is still coming are refused, the
    /// last first; a connection without such requests is closed.
    func settleMemory(on worker: isolated Worker) {
        let kept = keptBytes
        guard kept != charge.bytes, !charge.set(kept, in: worker.buffers) else { return }
        if let unfinished = machine.slowRequests(for: 0, now: worker.loop.now).last {
            // Answering it drives the connection, which settles again.
            guard !refuse(unfinished, .serviceUnavailable, reason: HTTP1Connection.overBudget, on: worker) else {
                return worker.buffers.noteRefusal(of: .request)
            }
        }
        worker.buffers.noteRefusal(of: held > 0 ? .answer : .stream)
        close(on: worker)
    }
}
