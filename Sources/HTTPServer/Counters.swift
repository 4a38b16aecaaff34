import HTTP2Engine
import Metrics
import Synchronization

/// A number that one loop alone counts and any thread reads: adding is a plain load and store, and no other thread waits
/// for the cache line.
package final class LoopCounter: Sendable {
    private let value = Atomic<Int>(0)

    @inline(__always)
    func add(_ amount: Int) {
        value.store(value.load(ordering: .relaxed) &+ amount, ordering: .relaxed)
    }

    /// The count at this moment.
    package var current: Int { value.load(ordering: .relaxed) }
}

/// The counters of one worker: written by its loop alone, read by anyone.
package final class Counters: Sendable {
    /// Connections accepted, those refused for the limit included.
    package let connectionsAccepted = LoopCounter()
    /// Connections that have ended.
    package let connectionsClosed = LoopCounter()
    /// Connections answered 503 because there were too many.
    package let connectionsRefused = LoopCounter()
    /// Connections ended by one of the deadlines; an idle one's keep-alive deadline is not counted.
    package let connectionsTimedOut = LoopCounter()
    /// Times that a listener rested because there was no descriptor for a connection.
    package let acceptPauses = LoopCounter()
    /// TLS handshakes that have ended well.
    package let handshakes = LoopCounter()
    /// Encrypted connections that the client's bytes have made fail, during the handshake or after it.
    package let handshakesFailed = LoopCounter()
    /// HTTP/2 connections that were ended for a fault of the client's, or for going beyond a bound, by kind.
    let http2Failures = Dictionary(uniqueKeysWithValues: HTTP2Failure.Kind.allCases.map { ($0, LoopCounter()) })
    /// Requests handed to the application.
    package let requests = LoopCounter()
    /// Requests that the server itself answered with an error.
    package let requestsRefused = LoopCounter()
    /// Streamed answers that have begun.
    package let streamsStarted = LoopCounter()
    /// Streamed answers that have ended.
    package let streamsEnded = LoopCounter()
    /// Bytes received from clients.
    package let bytesReceived = LoopCounter()
    /// Bytes that the kernel took to send to clients.
    package let bytesSent = LoopCounter()
}

/// A server's counts since it was made: the sums of its workers' counters, and what its connections keep.
///
/// Each number is read when it is asked for, from any thread.
@dynamicMemberLookup
package struct ServerStatistics: Sendable {
    let workers: [Counters]
    let buffers: BufferBudget

    /// The sum of one of the workers' counters.
    package subscript(dynamicMember counter: KeyPath<Counters, LoopCounter>) -> Int {
        workers.reduce(0) { $0 + $1[keyPath: counter].current }
    }

    /// Connections open now, streams included. Ends are read before beginnings: no difference is negative.
    package var connectionsOpen: Int {
        let closed = self.connectionsClosed
        return self.connectionsAccepted - closed
    }

    /// Streamed answers going on now.
    package var streamsOpen: Int {
        let ended = self.streamsEnded
        return self.streamsStarted - ended
    }

    /// Bytes of unfinished requests and unsent answers that are kept now.
    package var bytesBuffered: Int { buffers.current }

    /// Work of one kind that was given up for want of room for those bytes.
    package func refused(_ what: BufferBudget.Refusal) -> Int { buffers.refusals(of: what) }

    /// Declares the server's metrics.
    package func declare(in registry: MetricsRegistry) {
        registry.gauge("callboard_connections", "Connections open now.") { connectionsOpen }
        registry.counter("callboard_connections_accepted_total", "Connections accepted.") { self.connectionsAccepted }
        registry.counter(
            "callboard_connections_refused_total", "Connections answered 503 because there were too many."
        ) { self.connectionsRefused }
        registry.counter("callboard_connections_timed_out_total", "Connections ended by a deadline.") {
            self.connectionsTimedOut
        }
        registry.counter("callboard_accept_pauses_total", "Times that a listener rested for want of descriptors.") {
            self.acceptPauses
        }
        registry.counter("callboard_tls_handshakes_total", "TLS handshakes that have ended well.") { self.handshakes }
        registry.counter("callboard_tls_failures_total", "Connections that ended because their client broke TLS.") {
            self.handshakesFailed
        }
        registry.counter(
            "callboard_http2_failures_total",
            "HTTP/2 connections that were ended for a fault of their client's, or for going beyond a bound."
        ) { (kind: HTTP2Failure.Kind) in workers.reduce(0) { $0 + ($1.http2Failures[kind]?.current ?? 0) } }
        registry.counter(
            "callboard_requests_refused_total", "Requests that were no HTTP, too slow or too large."
        ) { self.requestsRefused }
        buffers.declareMetrics(in: registry)
        registry.counter("callboard_received_bytes_total", "Bytes received from clients.") { self.bytesReceived }
        registry.counter("callboard_sent_bytes_total", "Bytes sent to clients.") { self.bytesSent }
    }
}
