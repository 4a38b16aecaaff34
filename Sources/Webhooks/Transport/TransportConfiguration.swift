/// The settings of a transport.
package struct TransportConfiguration: Sendable {
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
    /// A file of certificates (PEM) that are trusted besides those of the system.
    package var caFile: String?

    /// Makes settings with the defaults above.
    package init(version: String) {
        self.version = version
    }
}

/// A transport that cannot be made.
package enum TransportError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The file of certificates cannot be read, or holds none.
    case caFile(String)
    /// libcurl is not what is needed here.
    case library(String)

    /// The fault and its remedy.
    package var description: String {
        switch self {
        case .caFile(let path): "\(path) has no certificate that can be read; it has to be a PEM file"
        case .library(let reason): "libcurl cannot be used: \(reason)"
        }
    }
}
