import HTTP2Engine
import Metrics

/// A server's counts since it was made; each number is right for some moment during the call that returned it.
package struct ServerStatistics: Sendable, Hashable {
    /// Connections open now, streams included.
    package var connectionsOpen = 0
    /// Connections accepted, those refused for the limit included.
    package var connectionsAccepted = 0
    /// Connections answered 503 because there were too many.
    package var connectionsRefused = 0
    /// Connections ended by one of the deadlines; an idle one's keep-alive deadline is not counted.
    package var connectionsTimedOut = 0
    /// Times that a listener rested because there was no descriptor for a connection.
    package var acceptPauses = 0
    /// TLS handshakes that have ended well.
    package var handshakes = 0
    /// Encrypted connections that the client's bytes have made fail, during the handshake or after it.
    package var handshakesFailed = 0
    /// HTTP/2 connections that were ended for a fault of the client's, or for going beyond a bound, by kind.
    package var http2Failures: [HTTP2Failure.Kind: Int] = [:]
    /// Requests handed to the application.
    package var requests = 0
    /// Requests that the server itself answered with an error.
    package var requestsRefused = 0
    /// Streamed answers going on now.
    package var streamsOpen = 0
    /// Bytes of unfinished requests and unsent answers that are kept now.
    package var bytesBuffered = 0
    /// Requests answered 503 because those bytes were as many as they may be.
    package var requestsOverBudget = 0
    /// Answers replaced by a 503, or cut off where they had begun, for the same reason.
    package var answersOverBudget = 0
    /// Streams that lagged and were ended for the same reason.
    package var streamsOverBudget = 0
    /// Bytes received from clients.
    package var bytesReceived = 0
    /// Bytes that the kernel took to send to clients.
    package var bytesSent = 0
}

extension ServerStatistics {
    /// Writes the server's part of the `/metrics` page.
    package func write(to text: inout MetricsText) {
        text.single("callboard_connections", .gauge, "Connections open now.", connectionsOpen)
        text.single(
            "callboard_connections_accepted_total", .counter, "Connections accepted.", connectionsAccepted)
        text.single(
            "callboard_connections_refused_total", .counter, "Connections answered 503 because there were too many.",
            connectionsRefused)
        text.single(
            "callboard_connections_timed_out_total", .counter, "Connections ended by a deadline.",
            connectionsTimedOut)
        text.single(
            "callboard_accept_pauses_total", .counter, "Times that a listener rested for want of descriptors.",
            acceptPauses)
        text.single(
            "callboard_tls_handshakes_total", .counter, "TLS handshakes that have ended well.", handshakes)
        text.single(
            "callboard_tls_failures_total", .counter, "Connections that ended because their client broke TLS.",
            handshakesFailed)
        text.begin(
            "callboard_http2_failures_total", .counter,
            "HTTP/2 connections that were ended for a fault of their client's, or for going beyond a bound.")
        for kind in HTTP2Failure.Kind.allCases {
            text.sample("callboard_http2_failures_total", [("kind", kind.rawValue)], http2Failures[kind] ?? 0)
        }
        text.single(
            "callboard_requests_refused_total", .counter, "Requests that were no HTTP, too slow or too large.",
            requestsRefused)
        text.single(
            "callboard_buffered_bytes", .gauge, "Bytes of unfinished requests and unsent answers that are kept now.",
            bytesBuffered)
        text.begin(
            "callboard_buffer_refusals_total", .counter,
            "Requests answered 503, answers replaced or cut off, and streams ended, for want of room for those bytes.")
        for (kind, count) in [
            ("request", requestsOverBudget), ("answer", answersOverBudget),
            ("stream", streamsOverBudget),
        ] {
            text.sample("callboard_buffer_refusals_total", [("kind", kind)], count)
        }
        text.single(
            "callboard_received_bytes_total", .counter, "Bytes received from clients.", bytesReceived)
        text.single("callboard_sent_bytes_total", .counter, "Bytes sent to clients.", bytesSent)
    }
}
