import HTTP2Engine
import HTTPWire

/// A request over HTTP/2 that the application has or has answered, until its stream is closed; the machine asks it for the
/// content of a streamed answer.
///
/// A class, so that one object is all that a stream has here. Used on the connection's loop.
final class ServedRequest: HTTP2Source {
    /// The name that the worker's table knows the stream by.
    let ticket: UInt64
    /// Whether it can be repeated without harm.
    let isSafe: Bool
    /// What makes a streamed answer that goes on.
    var producer: (any BodyProducer)?
    /// Bytes of an answer that waits.
    var held = 0
    var isAnswered = false
    var isClosed = false

    init(ticket: UInt64, isSafe: Bool) {
        self.ticket = ticket
        self.isSafe = isSafe
    }

    func nextPart() -> HTTP2Part {
        switch producer?.next() {
        case .frame(let frame): .frame(frame)
        case .latest(let frame): .latest(frame)
        case .bytes(let shared): .bytes(shared.bytes, 0..<shared.count)
        // The producer wakes the stream in both cases.
        case .pending, .later: .pending
        case .end, nil: .end
        }
    }
}
