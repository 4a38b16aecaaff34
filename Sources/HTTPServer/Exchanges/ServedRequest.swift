import HTTP2Engine
import HTTPWire

/// A request over HTTP/2 that the application has seen or has answered, until its stream is closed; the machine asks it for the
/// content of a streamed answer.
///
/// A class, so that one object is all that a stream has here. Used on the connection's loop.
final class ServedRequest: HTTP2Source {
    /// The name that the worker's table knows the stream by.
    let ticket: UInt64
    /// Whether it can be repeated without harm.
    let isSafe: Bool
    /// The producer of a streamed answer that goes on.
    var producer: (any BodyProducer)?
    /// Bytes of an answer that waits.
    var held = 0
    var isAnswered = false
    /// Whether its content arrives, and the application has seen its head.
    var isIncoming = false
    var isClosed = false

    /// Whether the producer had something that another turn of its own is for.
    private(set) var awaitsTurn = false
    /// The frame that was given last, if it is larger than `HTTP1Connection.copiedSize`; charged until the next part is
    /// asked for or the stream is over. Streams that are stuck in the same frame share its charge.
    private var frame: EventFrame?
    private unowned let connection: HTTP2Connection
    private unowned let worker: Worker

    init(ticket: UInt64, isSafe: Bool, of connection: HTTP2Connection, on worker: Worker) {
        self.ticket = ticket
        self.isSafe = isSafe
        self.connection = connection
        self.worker = worker
    }

    func nextPart() -> HTTP2Part {
        letGo()
        switch producer?.next() {
        case .frame(let frame): return keep(frame) ? .frame(frame) : .pending
        case .latest(let frame): return keep(frame) ? .latest(frame) : .pending
        case .bytes(let shared): return .bytes(shared.bytes, 0..<shared.count)
        // The producer wakes the stream in both cases.
        case .pending: return .pending
        case .later:
            awaitsTurn = true
            connection.awaitingTurn += 1
            return .pending
        case .end, nil: return .end
        }
    }

    /// Charges a frame; where there is no room, the stream is cut off once the machine is done with its turn.
    private func keep(_ frame: EventFrame) -> Bool {
        guard frame.bytes.count > HTTP1Connection.copiedSize else { return true }
        guard worker.buffers.keep(frame) else {
            worker.buffers.noteRefusal(of: .stream)
            worker.loop.execute { [worker, ticket] in worker.closeStream(ticket) }
            return false
        }
        self.frame = frame
        return true
    }

    /// Forgets what was given before: it is sent, or the stream is over.
    func letGo() {
        if let frame = frame.take() { worker.buffers.letGo(frame) }
        if awaitsTurn { connection.awaitingTurn -= 1 }
        awaitsTurn = false
    }
}
