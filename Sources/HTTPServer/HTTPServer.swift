import Reactor

/// An HTTP/1.1 server on a group of event loops.
///
/// Every loop has a listener of its own on the same TCP port (`SO_REUSEPORT`), so that the kernel spreads the
/// connections; those of a Unix-domain socket are dealt out in turn. A connection stays on its loop.
package final class HTTPServer: Sendable {
    /// The settings it was made with.
    package let configuration: ServerConfiguration
    private let workers: [Worker]
    private let buffers: BufferBudget

    /// Makes a server that is not listening yet. The group outlives it and is stopped by whoever made it.
    package convenience init(
        configuration: ServerConfiguration, group: EventLoopGroup, application: any HTTPApplication
    ) {
        self.init(configuration: configuration, group: group, application: application) {
            (socket: borrowing ListeningSocket) throws(SystemError) in try socket.accept()
        }
    }

    /// Makes a server that accepts connections by way of `accept`.
    package init(
        configuration: ServerConfiguration, group: EventLoopGroup, application: any HTTPApplication,
        accept: @escaping Acceptor
    ) {
        self.configuration = configuration
        let budget = ConnectionBudget(limit: configuration.maxConnections)
        // One request of the largest size has to fit, and what is received behind it.
        let largest = configuration.limits.maxBody + configuration.limits.maxHead + ReadBuffer.size
        let buffers = BufferBudget(limit: max(configuration.maxBufferedBytes, largest))
        let reporter = AcceptFailureReporter(application: application, budget: budget)
        self.buffers = buffers
        workers = group.loops.enumerated().map { index, loop in
            Worker(
                loop: loop, index: index, configuration: configuration, application: application, budget: budget,
                buffers: buffers, reporter: reporter, accept: accept)
        }
    }

    /// Binds and begins to accept; returns the addresses with their ports, TCP ones first. To be called once.
    ///
    /// Throws when an address cannot be resolved or bound: somebody else listens there, or it is not this machine's.
    /// Sockets that were bound before are closed by `shutdown`.
    package func start() async throws(SystemError) -> [SocketAddress] {
        var bound: [SocketAddress] = []
        if let port = configuration.port {
            var port = port
            for address in try SocketAddress.resolve(host: configuration.host, port: port) {
                var place = address.with(port: port)
                // A port that was asked for may be somebody's, and sharing it would not tell. One that the kernel chooses
                // is nobody's, and stays so from the first listener on: who reserves it first may lose it in between.
                if port != 0 { place = try ListeningSocket.reserve(place) }
                for worker in workers {
                    place = try await worker.listen(
                        on: place, sharesPort: true, isEncrypted: configuration.tls != nil, spreadingOver: [])
                }
                bound.append(place)
                // The addresses of one name share the port that the kernel chose for the first.
                port = place.port ?? port
            }
        }
        if let path = configuration.unixSocketPath, let worker = workers.first {
            bound.append(
                try await worker.listen(
                    on: .unix(path: path), sharesPort: false, isEncrypted: false, spreadingOver: workers))
        }
        return bound
    }

    /// Ends gracefully; returns whether everything had ended by itself before the deadline.
    ///
    /// Stops accepting, closes idle connections, lets requests in work finish, and tells the producers of streams to
    /// come to an end. At the deadline, what is left is cut off. When it returns, no connection is open.
    package func shutdown() async -> Bool {
        await withTaskGroup(of: Bool.self) { group in
            for worker in workers { group.addTask { await worker.close() } }
            return await group.reduce(true) { $0 && $1 }
        }
    }

    /// The server's counts; from any thread.
    package var statistics: ServerStatistics {
        ServerStatistics(workers: workers.map(\.counters), buffers: buffers)
    }
}
