import Synchronization

/// A request whose answer is read piece by piece.
package struct StreamRequest: Sendable {
    /// The address, as libcurl reads it.
    package var url: String
    /// The method. `GET` and `HEAD` are sent again where a connection that was used before ends without an answer; any other
    /// is sent once.
    package var method: String
    /// The header fields. `Content-Type` is sent only where it is one of them.
    package var fields: [HeaderField]
    /// The content.
    package var body: [UInt8]
    /// Content in place of `body`; nil for none.
    package var longContent: LongContent?
    /// How long no byte may come while the reader does not hold the body back.
    package var silence: Duration
    /// Redirects that are followed; with none, a redirect is the answer.
    package var redirects = 16

    /// Makes a request.
    package init(url: String, method: String, fields: [HeaderField], body: [UInt8], silence: Duration) {
        self.url = url
        self.method = method
        self.fields = fields
        self.body = body
        self.silence = silence
    }
}

/// Receives an answer as it comes, on the client's thread.
package protocol StreamReceiver: Sendable {
    /// Takes the head of the answer; false ends the request.
    func receiveHead(status: Int, fields: [String: String]) -> Bool

    /// Takes a piece of the body.
    func receiveBody(_ piece: [UInt8])

    /// Takes the end: nil where the answer is whole. Called once, unless the request is cancelled.
    func end(_ failure: StreamFailure?)
}

/// Why there is no answer, or no more of it.
package enum StreamFailure: Error, Hashable, Sendable {
    /// A connection that was used before ended without an answer, and the request may have been carried out.
    case cutOff
    /// The server's certificate is not trusted; the reason is libcurl's own sentence.
    case untrusted(String)
    /// The server was not reached, or the connection broke; the reason is libcurl's own sentence.
    case connection(String)
}

/// One request of a ``StreamingClient``, as its caller holds it. Any thread.
package final class StreamHandle: Sendable {
    /// Whether the reader wants no more for now; asked before each piece.
    let isHeld = Atomic(false)
    /// Whether the request has been cancelled.
    let isCancelled = Atomic(false)

    /// Makes the handle of a request.
    package init() {}

    /// Holds the body back from the next piece on.
    package func hold() {
        isHeld.store(true, ordering: .relaxed)
    }
}
