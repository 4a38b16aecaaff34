package import Reactor

/// An HTTP/1.1 server on a group of event loops.
package final class HTTPServer: Sendable {
    /// The settings it was made with.
    package let configuration: ServerConfiguration

    /// Makes a server that is not listening yet. The group outlives it and is stopped by whoever made it.
    package init(configuration: ServerConfiguration, group: EventLoopGroup, application: any HTTPApplication) {
        self.configuration = configuration
    }

    /// Binds and begins to accept; returns the addresses with their ports. To be called once.
    package func start() async throws(SystemError) -> [SocketAddress] { [] }

    /// Ends gracefully; returns whether everything had ended by itself before the deadline.
    package func shutdown() async -> Bool { true }

    /// What the server has seen; from any thread.
    package var statistics: ServerStatistics { ServerStatistics() }
}
