import HTTPClient

/// Sends requests to webhooks.
package protocol WebhookTransport: Sendable {
    /// Sends one POST and returns its answer, whatever the status, or why there is none.
    ///
    /// Redirects are not followed, and nothing is sent twice. Cancelling the calling task gives the request up.
    /// It begins on the caller's executor: where both live on one loop, no other thread is crossed.
    nonisolated(nonsending) func send(_ request: ClientRequest) async -> Result<ClientResponse, ClientFailure>
}

extension HTTPClient: WebhookTransport {}
