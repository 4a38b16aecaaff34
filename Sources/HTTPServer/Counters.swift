import HTTP2Engine
import Synchronization

/// The counters of one worker: written by its loop alone, read by anyone.
///
/// With a single writer, adding is a plain load and store; no other thread waits for the line.
final class Counters: Sendable {
    final class Counter: Sendable {
        private let storage = Atomic<Int>(0)

        var value: Int { storage.load(ordering: .relaxed) }

        @inline(__always)
        func add(_ count: Int) {
            storage.store(storage.load(ordering: .relaxed) &+ count, ordering: .relaxed)
        }
    }

    let accepted = Counter()
    let closed = Counter()
    let refused = Counter()
    let timedOut = Counter()
    let acceptPauses = Counter()
    let handshakes = Counter()
    let handshakesFailed = Counter()
    let http2Failures = Dictionary(uniqueKeysWithValues: HTTP2Failure.Kind.allCases.map { ($0, Counter()) })
    let requests = Counter()
    let requestsRefused = Counter()
    let streamsStarted = Counter()
    let streamsEnded = Counter()
    let bytesReceived = Counter()
    let bytesSent = Counter()

    /// Adds these counts to `statistics`.
    func add(to statistics: inout ServerStatistics) {
        // What ends is read before what begins, so that no difference comes out negative.
        let (closed, streamsEnded) = (closed.value, streamsEnded.value)
        statistics.connectionsOpen += accepted.value - closed
        statistics.connectionsAccepted += accepted.value
        statistics.connectionsRefused += refused.value
        statistics.connectionsTimedOut += timedOut.value
        statistics.acceptPauses += acceptPauses.value
        statistics.handshakes += handshakes.value
        statistics.handshakesFailed += handshakesFailed.value
        for (kind, counter) in http2Failures { statistics.http2Failures[kind, default: 0] += counter.value }
        statistics.requests += requests.value
        statistics.requestsRefused += requestsRefused.value
        statistics.streamsOpen += streamsStarted.value - streamsEnded
        statistics.bytesReceived += bytesReceived.value
        statistics.bytesSent += bytesSent.value
    }
}
