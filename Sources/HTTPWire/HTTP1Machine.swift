/// The server's side of HTTP/1.1 on one connection (RFC 9112), as a value: what happens goes in, actions come out.
///
/// It has no socket and no clock. The driver gives it the bytes that arrived, answers, parts of streams and deadlines
/// that have passed; it returns what is to be done, and appends what is to be sent to a buffer of the driver's.
/// Requests are handled one after the other: each is a stream of its own, and the next one is not read before the
/// answer is given. Not copyable: each connection has one, and a copy would cost more than most of its operations.
package struct HTTP1Machine: ~Copyable {
    /// Where the connection is. Each case holds what is known in it and nothing else.
    enum State: Sendable {
        /// The connection has just opened, or some of a head has arrived.
        case awaitingHead
        /// Between two requests.
        case idle
        /// A request's content arrives, which the reader gathers.
        case content
        /// The application has a request and owes an answer.
        case answering(Answering)
        /// A streamed answer goes on.
        case streaming(Streaming)
        /// The last answer is on its way. `leavesUnread` says that the client has sent what nobody will read.
        case closing(leavesUnread: Bool)
        /// Everything is sent; what arrives is thrown away until the client has closed (RFC 9112, section 9.6).
        case draining
        /// Over.
        case closed
    }

    /// A request that has no answer yet.
    struct Answering: Sendable {
        let stream: StreamID
        var writer: ResponseWriter
        let isSafe: Bool
        var leavesUnread = false
    }

    /// An answer whose content is given part by part.
    struct Streaming: Sendable {
        let stream: StreamID
        var writer: ResponseWriter
        var leavesUnread: Bool
        /// Bytes that the client has sent meanwhile, and that were thrown away.
        var ignored = 0
        /// How the rest is delimited: of an announced length it is what is left.
        var framing: ResponseFraming
    }

    // First, so that it lies beside what a driver keeps before the machine.
    var state = State.awaitingHead
    var newestStream = StreamID(0)
    /// What the request that is incomplete is read with; nil where there is none.
    var reader: RequestReader?

    /// Makes the machine of a connection that has just opened; the head's deadline is running.
    package init() {}

    /// A connection's activity.
    package enum Stage: Sendable, Hashable {
        /// It reads a request or waits for one: bytes go to `receive`.
        case receiving
        /// An answer is owed: bytes wait.
        case answering
        /// A streamed answer goes on: bytes go to `discard`.
        case streaming
        /// The last answer is on its way: bytes are left unread.
        case closing
        /// Everything is sent: bytes go to `discard`.
        case draining
        /// Over.
        case closed
    }

    /// The stage that the connection is in.
    package var stage: Stage {
        switch state {
        case .awaitingHead, .idle, .content: .receiving
        case .answering: .answering
        case .streaming: .streaming
        case .closing: .closing
        case .draining: .draining
        case .closed: .closed
        }
    }

    /// Whether no request has begun, as far as the machine has seen bytes: such a connection may close without a word.
    package var isIdle: Bool {
        switch state {
        case .awaitingHead, .idle: reader?.parser.isIdle ?? true
        default: false
        }
    }

    /// The request whose content arrives, and the stream that it will be; nil where there is none.
    package var incoming: (stream: StreamID, head: RequestHead)? {
        guard case .content = state, let head = reader?.incoming?.head else { return nil }
        return (newestStream.next, head)
    }

    /// The bytes that are kept of a request that is not complete, without what the machine was not given yet.
    package var keptBytes: Int {
        guard let reader else { return 0 }
        return (reader.incoming?.content.count ?? 0) + reader.parser.unfinishedHeadSize
    }
}

/// A stream of a connection: one request and its answer. HTTP/1.1 has one at a time, HTTP/2 several.
package struct StreamID: Sendable, Hashable {
    /// The number; unlike that of any other stream of the connection.
    package let number: UInt32

    /// Names the stream with a number.
    package init(_ number: UInt32) {
        self.number = number
    }

    /// The stream that follows; after 2³² of them the numbers begin again.
    var next: StreamID { StreamID(number &+ 1) }
}

/// The deadlines that a connection can be held to; how long each is, the driver knows.
package enum DeadlineKind: Sendable, Hashable {
    /// From the first byte of a request to the end of its head.
    case head
    /// Until a body makes progress.
    case body
    /// Until the next request begins.
    case keepAlive
    /// Until the client takes something of what waits for it.
    case writeStall
    /// Until the client has closed, once everything is sent.
    case linger
}
