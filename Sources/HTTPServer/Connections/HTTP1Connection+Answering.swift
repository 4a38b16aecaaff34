import HTTPTypes
import HTTPWire
import Reactor

extension HTTP1Connection {
    /// A body, or a part of a stream, up to this size is copied behind the preceding bytes; a larger one is sent
    /// without a copy.
    static let copiedSize = 16 * 1024

    func answer(_ answer: ExchangeAnswer, on stream: StreamID, of worker: isolated Worker) {
        prepareForAnswer(on: worker)
        // In place of the request, whose content is not wanted.
        if let incoming = machine.incoming, incoming.stream == stream {
            _ = machine.refuse()
            worker.counters.requests.add(1)
        }
        switch answer {
        case .response(let response): self.answer(response, on: stream, of: worker)
        case .stream(let head, let producer, let closesConnection):
            startStream(head, from: producer, closesConnection: closesConnection, on: stream, of: worker)
        }
        drive(on: worker)
    }

    // MARK: Whole answers

    /// Queues the answer to the request in work. The caller drives the connection afterwards.
    func answer(_ response: Response, on stream: StreamID, of worker: isolated Worker) {
        guard machine.isAnswering(stream) else { return }
        if response.closesConnection || worker.isClosing { machine.endKeepAlive() }
        let content = OutputQueue.Part(response.body)
        let sendsContent = !content.range.isEmpty && machine.sendsContent(of: response.status)
        guard !sendsContent || reserve(content, on: worker) else { return refuseAnswer(on: stream, of: worker) }
        machine.respond(
            response.head, contentLength: content.range.count, date: worker.date(), output: &transport.output.bytes)
        if sendsContent {
            if content.range.count <= Self.copiedSize {
                transport.output.bytes.append(contentsOf: content.bytes[content.range])
            } else {
                transport.output.part = content
            }
        }
        answerIsComplete()
    }

    /// Answers 503 in place of an answer for which there is no memory.
    private func refuseAnswer(on stream: StreamID, of worker: isolated Worker) {
        worker.buffers.noteRefusal(of: .answer)
        worker.counters.requestsRefused.add(1)
        worker.application.refused(.serviceUnavailable, reason: Self.overBudget, remoteAddress: peer.host)
        answer(.refusal(.serviceUnavailable, detail: Self.overBudget), on: stream, of: worker)
    }

    /// Goes on with what the client has sent ahead, once the answer's last byte is queued.
    private func answerIsComplete() {
        if machine.stage == .receiving { transport.needsMoreInput = transport.input.isEmpty }
    }

    // MARK: Streamed answers

    /// Queues the head of a streamed answer and makes the producer the source of the rest.
    func startStream(
        _ head: ResponseHead, from producer: any BodyProducer, closesConnection: Bool, on stream: StreamID,
        of worker: isolated Worker
    ) {
        guard machine.isAnswering(stream) else { return producer.connectionClosed() }
        if closesConnection || worker.isClosing { machine.endKeepAlive() }
        guard machine.startStream(head, date: worker.date(), output: &transport.output.bytes) else {
            producer.connectionClosed()
            return answerIsComplete()
        }
        if !machine.keepsAlive, !transport.input.isEmpty {
            // Sent ahead, and never to be answered.
            transport.input = []
            machine.abandonInput()
        }
        self.producer = producer
        worker.counters.streamsStarted.add(1)
        producer.streamStarted(StreamHandle(owner: worker, ticket: streamTicket))
        if worker.isClosing { producer.serverIsClosing() }
    }

    /// Asks for a part and sends it; returns whether another step may follow.
    func pump(on worker: isolated Worker) -> Bool {
        if transport.output.part != nil {
            flush(on: worker)
            return machine.stage == .streaming && !transport.isBlocked
        }
        guard let producer else { return false }
        return proceed(with: producer.next(), on: worker)
    }

    /// Sends what the producer has given; returns whether another step may follow.
    func proceed(with production: Production, on worker: isolated Worker) -> Bool {
        switch production {
        case .frame(let frame), .latest(let frame):
            queue(frame, on: worker)
        case .bytes(let shared):
            queue(shared, on: worker)
        case .end:
            finishStream(on: worker)
            return true
        case .pending:
            // A client that has finished sending gets what there is; waiting for more would be for nobody.
            if transport.isAllRead {
                finishStream(on: worker)
                return true
            }
            if transport.hasOutput { flush(on: worker) }
            return false
        case .later:
            if transport.hasOutput { flush(on: worker) }
            return false
        }
        guard machine.stage == .streaming else { return false }
        flush(on: worker)
        return machine.stage == .streaming && !transport.isBlocked
    }

    private func queue(_ frame: EventFrame, on worker: isolated Worker) {
        let range: Range<Int>
        switch machine.sendPart(of: frame.payload.count) {
        case .chunk: range = frame.chunk
        case .plain: range = frame.payload
        case .excess: return close(on: worker)
        }
        if !range.isEmpty { transport.output.part = .init(bytes: frame.storage, range: range, frame: frame) }
    }

    private func queue(_ shared: SharedBytes, on worker: isolated Worker) {
        guard shared.count > 0 else { return }
        let end: [UInt8]
        switch machine.sendPart(of: shared.count) {
        case .chunk:
            ResponseWriter.appendChunkStart(size: shared.count, to: &transport.output.bytes)
            end = ResponseWriter.chunkEnd
        case .plain:
            end = []
        case .excess:
            return close(on: worker)
        }
        if shared.count <= Self.copiedSize {
            transport.output.bytes.append(contentsOf: shared.bytes)
            transport.output.bytes.append(contentsOf: end)
        } else {
            transport.output.part = .init(bytes: shared.bytes, range: 0..<shared.count, end: end)
        }
    }

    private func finishStream(on worker: isolated Worker) {
        endStream(on: worker)
        guard machine.stage == .streaming else { return }
        guard machine.endStream(peerHasFinished: transport.peerHasFinished, output: &transport.output.bytes) else {
            flush(on: worker)
            return close(on: worker)
        }
        answerIsComplete()
    }

    /// Lets go of the producer, and tells it so.
    func endStream(on worker: isolated Worker) {
        guard let producer = producer.take() else { return }
        worker.counters.streamsEnded.add(1)
        producer.connectionClosed()
    }
}

extension OutputQueue.Part {
    /// The whole body of an answer.
    fileprivate init(_ body: Response.Body) {
        let (bytes, range) = body.content
        let frame: EventFrame? = if case .part(let frame, _) = body { frame } else { nil }
        self.init(bytes: bytes, range: range, frame: frame)
    }
}
