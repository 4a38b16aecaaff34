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
