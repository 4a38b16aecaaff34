import HTTPTypes

/// Answers requests.
package protocol HTTPApplication: Sendable {
    /// Called on the connection's loop once a request is there as a whole.
    ///
    /// It must not wait. It may answer at once, which costs no hop, or keep the exchange and answer later from any
    /// thread. Exactly one `respond` or `stream` must follow; an exchange that is let go of without is answered 500.
    func handle(_ exchange: Exchange)

    /// Called on the connection's loop once the head of a request is there and its content is not: what nobody may do is
    /// refused before it is read.
    ///
    /// An answer to this exchange, now or later, takes the place of the request, and the connection closes behind it
    /// over HTTP/1.1. Without an answer, the whole request comes to ``handle(_:)`` later, in an exchange of its own
    /// whose `extent` is `admitted`. A request whose content comes with its head, or soon enough, is not passed to this
    /// method: its `extent` is `whole`.
    ///
    /// - Returns: How many bytes of content may come; `Int.max`, as by default, for as many as the server's limits allow.
    func admit(_ exchange: Exchange) -> Int

    /// Called on the connection's loop when the server itself has answered with an error: a request it could not read,
    /// one that was too slow or too large, a connection over the limit. For the log; does nothing by default.
    func refused(_ status: HTTPResponse.Status, reason: String, remoteAddress: String)

    /// Called on a loop when connections cannot be accepted, such as for want of descriptors; once a minute at most while
    /// that lasts. For the log; does nothing by default.
    func acceptFailed(_ failure: AcceptFailure)
}

extension HTTPApplication {
    /// Admits every request.
    package func admit(_ exchange: Exchange) -> Int { .max }

    /// Does nothing.
    package func refused(_ status: HTTPResponse.Status, reason: String, remoteAddress: String) {}

    /// Does nothing.
    package func acceptFailed(_ failure: AcceptFailure) {}
}
