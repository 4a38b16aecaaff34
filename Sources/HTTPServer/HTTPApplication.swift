import HTTPTypes

/// Answers requests.
package protocol HTTPApplication: Sendable {
    /// Called on the connection's loop once a request is there as a whole.
    ///
    /// It must not wait. It may answer at once, which costs no hop, or keep the exchange and answer later from any
    /// thread. Exactly one `respond` or `stream` must follow; an exchange that is let go of without is answered 500.
    func handle(_ exchange: Exchange)

    /// Called on the connection's loop when the server itself has answered with an error: a request it could not read,
    /// one that was too slow or too large, a connection over the limit. For the log; does nothing by default.
    func refused(_ status: HTTPResponse.Status, reason: String, remoteAddress: String)

    /// Called on a loop when connections cannot be accepted, such as for want of descriptors; once a minute at most while
    /// that lasts. For the log; does nothing by default.
    func acceptFailed(_ failure: AcceptFailure)
}

extension HTTPApplication {
    /// Does nothing.
    package func refused(_ status: HTTPResponse.Status, reason: String, remoteAddress: String) {}

    /// Does nothing.
    package func acceptFailed(_ failure: AcceptFailure) {}
}
