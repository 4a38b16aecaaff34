package import HTTPTypes

/// Reads HTTP/1.1 requests from a stream of bytes, one event after the other (RFC 9112).
package struct RequestParser: Sendable {
    /// The limits that every request is held to.
    package let limits: WireLimits

    /// The error that ended the stream, once there was one.
    package private(set) var failure: WireError?

    /// Creates a parser for one connection.
    package init(limits: WireLimits = WireLimits()) {
        self.limits = limits
    }

    /// Whether no request has begun: a connection in this state may be closed without an answer.
    package var isIdle: Bool { true }

    /// Whether no further request will be read, since the last one closes the connection.
    package var isFinished: Bool { false }

    /// The method of the request being read, once it is known.
    package var requestMethod: HTTPRequest.Method? { nil }

    /// Finds the next event in the bytes from `cursor` on and moves the cursor past what it consumed.
    ///
    /// Call it until it returns ``RequestEvent/needMore``, then drop the bytes before the cursor at will and call
    /// again when more have arrived after those that are left.
    package mutating func next(in bytes: Span<UInt8>, cursor: inout Int) throws(WireError) -> RequestEvent {
        .needMore
    }
}
