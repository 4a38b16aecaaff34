/// The settings of a client.
package struct HTTPClientConfiguration: Sendable {
    /// What follows `callboard/` in `User-Agent`.
    package var version: String
    /// Requests under way to one target. A quarter is kept for questions, so that slow notifications leave them room.
    package var concurrencyPerTarget = 16
    /// Requests under way to all targets.
    package var maxConcurrent = 512
    /// Requests that wait for one target.
    package var maxWaitingPerTarget = 1000
    /// Requests that wait for all targets.
    package var maxWaiting = 10_000
    /// Bytes of the content of requests that wait.
    package var maxWaitingBytes = 64 << 20
    /// Bytes of an answer's content; more, and the answer counts as none.
    package var maxAnswerBytes = 1 << 20
    /// For how long the addresses of a name are used again; zero looks it up for each request.
    package var resolutionLifetime: Duration = .seconds(30)
    /// For how long a connection is kept that nothing uses.
    package var idleConnectionLifetime: Duration = .seconds(60)
    /// How long a connection may take to be made; nil for as long as the request.
    package var connectTimeout: Duration?
    /// Connections that are kept.
    package var maxConnections = 1024
    /// Gives each new connection the certificates to trust; nil for those that libcurl reads by itself, each time anew.
    package var trust: TLSContextHook?
    /// Whether a new connection may go on with an earlier one's TLS session, for which no certificate is checked.
    package var resumesSessions = true

    /// Makes settings with the defaults above.
    package init(version: String) {
        self.version = version
    }
}

/// A client's counts and its present load.
package struct HTTPClientStatistics: Hashable, Sendable {
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

    /// Makes the statistics of a client that has done nothing.
    package init() {}
}
