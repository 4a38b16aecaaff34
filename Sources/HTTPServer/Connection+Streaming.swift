import HTTPTypes
import HTTPWire
import Reactor

extension Connection {
    private static let copiedPiece = 16 * 1024

    /// Queues the head of a streamed answer and makes the producer the source of the rest.
    func startStream(
        _ head: ResponseHead, from producer: any BodyProducer, closesConnection: Bool, on worker: isolated Worker
    ) {
        guard phase == .inWork else { return producer.connectionClosed() }
        if closesConnection || worker.isClosing { writer.keepAlive = false }
        let length = head.fields[.contentLength].flatMap { Int($0) }
        streamFraming = writer.appendHead(head, contentLength: length, date: worker.date(), to: &output)
        if case .none = streamFraming {
            producer.connectionClosed()
            return finishAnswer(keepsAlive: writer.keepAlive, on: worker)
        }
        streamRemaining = length
        ignoredBytes = 0
        if !writer.keepAlive, !input.isEmpty {
            // Sent ahead, and never to be answered.
            input = []
            lingersAtEnd = true
        }
        self.producer = producer
        phase = .streaming
        worker.counters.streamsStarted.add(1)
        producer.streamStarted(StreamHandle(loop: worker.loop, owner: worker, ticket: ticket))
        if worker.isClosing { producer.serverIsClosing() }
    }

    /// Sends what the producer has, if the connection is able to write. The cheap way in: nothing else is looked at.
    func wakeStream(on worker: isolated Worker) {
        guard !isDriving, !isBlocked else { return }
        drive(on: worker)
    }

    /// Asks for a piece and sends it; returns whether another step may follow.
    func pump(on worker: isolated Worker) -> Bool {
        if tail != nil {
            flush(on: worker)
            return phase == .streaming && !isBlocked
        }
        guard let producer else { return false }
        switch producer.next() {
        case .frame(let frame):
            queue(frame, on: worker)
        case .bytes(let shared):
            queue(shared, on: worker)
        case .end:
            finishStream(on: worker)
            return true
        case .pending:
            // A client that has finished sending gets what there is; waiting for more would be for nobody.
            if peerHasFinished && !canRead {
                finishStream(on: worker)
                return true
            }
            if hasOutput { flush(on: worker) }
            return false
        }
        guard phase == .streaming else { return false }
        flush(on: worker)
        return phase == .streaming && !isBlocked
    }

    private func queue(_ frame: EventFrame, on worker: isolated Worker) {
        if case .chunked = streamFraming {
            if !frame.chunk.isEmpty { tail = Tail(bytes: frame.storage, range: frame.chunk, frame: frame) }
            return
        }
        guard claim(frame.payload.count, on: worker), !frame.payload.isEmpty else { return }
        tail = Tail(bytes: frame.storage, range: frame.payload, frame: frame)
    }

    private func queue(_ shared: SharedBytes, on worker: isolated Worker) {
        guard shared.count > 0 else { return }
        let isChunked = if case .chunked = streamFraming { true } else { false }
        guard isChunked || claim(shared.count, on: worker) else { return }
        if isChunked { ResponseWriter.appendChunkStart(size: shared.count, to: &output) }
        if shared.count <= Self.copiedPiece {
            output.append(contentsOf: shared.bytes)
            if isChunked { output.append(contentsOf: ResponseWriter.chunkEnd) }
        } else {
            tail = Tail(bytes: shared.bytes, range: 0..<shared.count, endsChunk: isChunked)
        }
    }

    /// Takes bytes off an announced length. More than announced would be read as the next answer, so it cuts the stream.
    private func claim(_ count: Int, on worker: isolated Worker) -> Bool {
        guard let remaining = streamRemaining else { return true }
        guard count <= remaining else {
            close(on: worker)
            return false
        }
        streamRemaining = remaining - count
        return true
    }

    private func finishStream(on worker: isolated Worker) {
        endStream(on: worker)
        if let remaining = streamRemaining, remaining > 0 {
            // Fewer bytes than announced: only closing tells the client that some are missing.
            flush(on: worker)
            return close(on: worker)
        }
        if case .chunked = streamFraming { output.append(contentsOf: ResponseWriter.lastChunk) }
        // What came during the stream was thrown away: what comes next would be the rest of a request.
        let keepsAlive = writer.keepsAlive(after: streamFraming) && !peerHasFinished && ignoredBytes == 0
        if ignoredBytes > 0 { lingersAtEnd = true }
        finishAnswer(keepsAlive: keepsAlive, on: worker)
    }

    /// Lets go of the producer, and tells it so.
    func endStream(on worker: isolated Worker) {
        guard let producer else { return }
        self.producer = nil
        worker.counters.streamsEnded.add(1)
        producer.connectionClosed()
    }
}
