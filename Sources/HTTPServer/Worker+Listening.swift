import Glibc
import Reactor

// Listening sockets, and the connections that they accept.

extension Worker {
    /// Binds, listens and begins to accept; returns the address with its port.
    func listen(
        on address: SocketAddress, sharesPort: Bool, isEncrypted: Bool, spreadingOver others: [Worker]
    ) throws(SystemError)
        -> SocketAddress
    {
        let socket = try ListeningSocket(
            address, backlog: configuration.backlog, sharesPort: sharesPort,
            permissions: configuration.unixSocketAccess.mode)
        let listener = Listener(socket: socket, isEncrypted: isEncrypted, others: others)
        let bound = listener.socket.address
        listener.registration = try loop.register(
            listener.socket.descriptor, for: .readable, edgeTriggered: false, handler: self,
            token: UInt64(listeners.count))
        listeners.append(listener)
        return bound
    }

    func acceptConnections(from listener: Listener) {
        // Level-triggered: what is left is reported again, after others had their turn.
        for _ in 0..<64 {
            do throws(SystemError) {
                guard case .done(let accepted) = try accept(listener.socket) else { return }
                hand(accepted, from: listener)
            } catch {
                // A client that gave up while it waited is no reason to stop.
                if error.number == ECONNABORTED || error.number == EPROTO { continue }
                reporter.note(error, now: loop.now)
                return pause(listener)
            }
        }
    }

    private func hand(_ accepted: AcceptedSocket, from listener: Listener) {
        let isEncrypted = listener.isEncrypted
        guard !listener.others.isEmpty else { return add(accepted, isEncrypted: isEncrypted) }
        listener.turn = (listener.turn + 1) % listener.others.count
        let worker = listener.others[listener.turn]
        if worker === self { return add(accepted, isEncrypted: isEncrypted) }
        worker.send { $0.add(accepted, isEncrypted: isEncrypted) }
    }

    /// Lets the listener rest. It would be reported as ready again and again, and nothing could be done about it.
    private func pause(_ listener: Listener) {
        counters.acceptPauses.add(1)
        guard let registration = listener.registration else { return }
        try? loop.update(registration, of: listener.socket.descriptor, for: [], edgeTriggered: false)
        loop.schedule(after: configuration.acceptPause) { [self] in enter { $0.resumeListeners() } }
    }

    private func resumeListeners() {
        for listener in listeners {
            guard let registration = listener.registration else { continue }
            try? loop.update(registration, of: listener.socket.descriptor, for: .readable, edgeTriggered: false)
        }
    }
}
