import HTTPTypes
import HTTPWire
import Reactor

extension Connection {
    /// A body up to this size is copied behind its head; a larger one is sent from where it lies.
    static let copiedBody = 16 * 1024

    /// Queues the answer to the request in work. The caller drives the connection afterwards.
    func answer(_ response: Response, on worker: isolated Worker) {
        guard phase == .inWork else { return }
        if response.closesConnection || worker.isClosing { writer.keepAlive = false }
        let content = Tail(response.body)
        let framing = writer.framing(of: response.status, contentLength: content.range.count)
        guard reserve(content, framing: framing, on: worker) else { return refuseAnswer(on: worker) }
        writer.appendHead(
            ResponseHead(status: response.status, fields: response.fields), contentLength: content.range.count,
            date: worker.date(), to: &output)
        if case .length = framing, !content.range.isEmpty {
            if content.range.count <= Self.copiedBody {
                output.append(contentsOf: content.bytes[content.range])
            } else {
                tail = content
            }
        }
        finishAnswer(keepsAlive: writer.keepsAlive(after: framing), on: worker)
    }

    /// Answers 503 in place of an answer for which there is no memory.
    private func refuseAnswer(on worker: isolated Worker) {
        worker.buffers.noteRefusal(of: .answer)
        worker.counters.requestsRefused.add(1)
        worker.application.refused(.serviceUnavailable, reason: Self.overBudget, remoteAddress: peer.host)
        answer(.problem(.serviceUnavailable, detail: Self.overBudget), on: worker)
    }

    /// Goes on to the next request or to the end, once the answer's last byte is queued.
    func finishAnswer(keepsAlive: Bool, on worker: isolated Worker) {
        guard keepsAlive else {
            phase = .closing
            return
        }
        phase = .reading
        needsMoreInput = input.isEmpty
    }

    /// Sends until everything is out or the kernel has no room.
    func flush(on worker: isolated Worker) {
        do throws(SystemError) {
            while hasOutput {
                guard case .done(let count) = try sendOnce() else {
                    isBlocked = true
                    setDeadline(after: worker.deadlines.writeStall, on: worker)
                    return
                }
                worker.counters.bytesSent.add(count)
                advance(by: count)
            }
        } catch {
            return close(on: worker)
        }
        outputDrained(on: worker)
    }

    private func sendOnce() throws(SystemError) -> Outcome<Int> {
        let output = output
        let bytes = output.span.bytes
        guard let tail else {
            // SAFETY: the pointers are used within the calls only.
            return try bytes.withUnsafeBytes { (bytes) throws(SystemError) in
                try socket.send(UnsafeRawBufferPointer(rebasing: bytes[outputSent...]))
            }
        }
        // SAFETY: as above; both arrays are held until the innermost closure returns.
        let tailBytes = tail.bytes.span.bytes
        return try tailBytes.withUnsafeBytes { (tailBytes) throws(SystemError) in
            let rest = UnsafeRawBufferPointer(rebasing: tailBytes[tail.range])
            if outputSent == output.count { return try socket.send(rest) }
            return try bytes.withUnsafeBytes { (bytes) throws(SystemError) in
                try socket.send(UnsafeRawBufferPointer(rebasing: bytes[outputSent...]), then: rest)
            }
        }
    }

    private func advance(by count: Int) {
        let fromOutput = min(count, output.count - outputSent)
        outputSent += fromOutput
        if outputSent == output.count {
            output.removeAll(keepingCapacity: true)
            outputSent = 0
        }
        guard let range = tail?.range else { return }
        let start = range.lowerBound + count - fromOutput
        if start < range.upperBound {
            tail?.range = start..<range.upperBound
        } else {
            let endsChunk = tail?.endsChunk ?? false
            tail = nil
            if endsChunk { output.append(contentsOf: ResponseWriter.chunkEnd) }
        }
    }

    /// The stall deadline is over; a stream has none then, and an idle connection its keep-alive deadline.
    private func outputDrained(on worker: isolated Worker) {
        switch phase {
        case .reading where head == nil && !isWaitingForHead: setDeadline(after: worker.deadlines.keepAlive, on: worker)
        case .streaming, .inWork, .closing: clearDeadline()
        case .reading, .lingering, .closed: break
        }
    }
}

extension Connection.Tail {
    /// The whole body of an answer.
    fileprivate init(_ body: Response.Body) {
        switch body {
        case .none: self.init(bytes: [], range: 0..<0)
        case .bytes(let bytes): self.init(bytes: bytes, range: 0..<bytes.count)
        case .shared(let shared): self.init(bytes: shared.bytes, range: 0..<shared.count)
        case .part(let frame, let range): self.init(bytes: frame.storage, range: range, frame: frame)
        }
    }
}
