import CallboardAPI
import CallboardServer
import Directors
import Reactor
import ServiceLifecycle
import UnixSignals

/// Runs a server from its start to the signal that ends it.
struct ServerLifecycle: Service {
    let service: CallboardService
    /// The address that was asked for, for messages.
    let address: String
    /// Says that the server is ready.
    var announce: @Sendable (String) -> Void = { Output.line($0) }

    /// Whether the announcements are read in a terminal.
    var isAtTerminal = Terminal.isTerminal(.output)

    func run() async throws {
        let addresses: [String]
        let scheme = service.configuration.tls.isOn ? "https" : "http"
        do {
            addresses = try await service.start().map { $0.port == nil ? "\($0)" : "\(scheme)://\($0)" }
        } catch let error as DeliveryStoreError {
            throw ProgramError(
                "the notifications that wait to be delivered cannot be read: \(error)",
                advice:
                    "\"callboard check\" names every damaged place of a data folder; \"callboard serve --set-aside\" starts "
                    + "without damaged notifications, and keeps them apart",
                status: error.exitStatus(isDatabase: service.configuration.storage.isDatabase))
        } catch let error as InternalListenerError {
            throw ProgramError(
                "cannot listen for other nodes on \(service.configuration.cluster.listen): \(error.reason)",
                advice: "choose another address with cluster.listen, one that only the other nodes reach",
                status: .unavailable)
        } catch {
            throw ProgramError(
                "cannot listen on \(address): \(error)",
                advice: "choose another address with --host and --port; --port 0 takes a free port",
                status: ExitStatus(ofListening: error))
        }
        // A machine reads this line, so there is exactly one, and the URL wins over the socket's path.
        if let address = addresses.first(where: { $0.hasPrefix("http") }) ?? addresses.first {
            announce("listening on \(address)")
            // A person reads a terminal, and opens this.
            if isAtTerminal, service.configuration.hasConsole, address.hasPrefix("http") {
                announce("console: \(address)/console/")
            }
            ServiceManager.tell("READY=1\nSTATUS=Listening on \(address), version \(Application.version)")
        }
        // Cancellation ends the server as the signal does.
        let loss = await withTaskGroup { group in
            group.addTask { [service] in
                // In a terminal that is closed the server ends, as every program does.
                guard !Terminal.isTerminal(.error) else { return }
                for await _ in await UnixSignalsSequence(trapping: .sighup) { service.refresh() }
            }
            defer { group.cancelAll() }
            return await end()
        }
        ServiceManager.tell("STOPPING=1")
        await service.shutdown()
        guard let loss else { return }
        throw ProgramError(
            "the server has ended: \(loss)",
            advice: "two servers were given one database, or this one stood still for longer than its lease",
            status: .temporary)
    }

    /// Waits for the signal that ends the server.
    ///
    /// - Returns: Why it has to end without one.
    private func end() async -> String? {
        await withTaskGroup(of: String?.self) { race in
            race.addTask {
                try? await gracefulShutdown()
                return nil
            }
            race.addTask { [service] in await service.losses.first { _ in true } }
            defer { race.cancelAll() }
            return await race.next() ?? nil
        }
    }
}

extension DeliveryStoreError {
    /// Damage is no failure of the disk, or of the database that keeps them.
    fileprivate func exitStatus(isDatabase: Bool) -> ExitStatus {
        switch self {
        case .damaged: .dataError
        case .full: .ioError
        case .unavailable: isDatabase ? .unavailable : .ioError
        }
    }
}
