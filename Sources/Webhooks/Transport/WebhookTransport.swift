/// Sends requests to webhooks.
package protocol WebhookTransport: Sendable {
    /// Sends one POST and returns its answer, whatever the status, or why there is none.
    ///
    /// Redirects are not followed. Nothing is sent twice that may have been acted upon, but for a request on a
    /// connection that was kept and that the target closed without a byte in answer: it is sent again on a new one.
    /// Cancelling the calling task gives the request up.
    /// It begins on the caller's executor: where both live on one loop, no other thread is crossed.
    nonisolated(nonsending) func send(_ request: WebhookRequest) async -> Result<WebhookResponse, WebhookFailure>
}

/// A transport's counts and its present load.
package struct TransportStatistics: Hashable, Sendable {
    /// Requests that wait for their turn.
    package var waiting = 0
    /// Requests under way, look-ups of names included.
    package var underWay = 0
    /// Requests that got an answer.
    package var answered = 0
    /// Requests that did not.
    package var failed = 0
    /// Connections that were opened, or tried: with reuse, far fewer than requests.
    package var connectionsOpened = 0

    /// Makes the statistics of a transport that has done nothing.
    package init() {}
}
