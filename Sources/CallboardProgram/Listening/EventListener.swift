import HTTPServer
import Reactor

/// A receiver of events behind a server of its own, from its start to its end.
struct EventListener: Sendable {
    let receiver: EventReceiver
    /// The listener's address, as the beginning of a URL.
    let address: String

    let group: EventLoopGroup
    let server: HTTPServer

    /// Begins to listen.
    ///
    /// - Parameters:
    ///   - host: An address of this machine, or a name.
    ///   - port: The TCP port; 0 takes a free one.
    ///   - receiver: Makes the receiver on the server's loop.
    static func start(
        host: String, port: UInt16, receiver: (EventLoop) -> EventReceiver
    ) async throws -> EventListener {
        // A server sends 16 messages at a time to one target. Each connection may take up a body's memory.
        var configuration = ServerConfiguration(host: host, port: port)
        configuration.maxConnections = 64
        configuration.shutdownDeadline = .seconds(1)
        do throws(SystemError) {
            let group = try EventLoopGroup(count: 1)
            let receiver = receiver(group.next())
            let server = HTTPServer(configuration: configuration, group: group, application: receiver)
            do throws(SystemError) {
                let bound = try await server.start()
                let address = bound.first.map { "http://\($0)" } ?? ""
                return EventListener(receiver: receiver, address: address, group: group, server: server)
            } catch {
                _ = await server.shutdown()
                await group.stop()
                throw error
            }
        } catch {
            throw ProgramError(
                "cannot listen on \(host):\(port): \(error)",
                advice: "choose another port, or 0 for a free one; --host takes an address of this machine",
                status: ExitStatus(ofListening: error))
        }
    }

    /// Answers what is being answered, and ends; what is held back for longer than a second is cut off.
    ///
    /// - Returns: The numbers of messages since the start.
    func stop() async -> ListenSummary {
        _ = await server.shutdown()
        let summary = await receiver.summary
        await group.stop()
        return summary
    }
}
