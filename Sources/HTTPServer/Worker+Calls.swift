import Reactor

// What calls a worker: its loop, and exchanges and streams from any thread.

extension Worker: EventHandler {
    /// Tokens below 2³² are listeners; a connection's ticket has a generation, which is at least one, above them.
    nonisolated func ready(_ readiness: Readiness, token: UInt64) {
        onLoop((readiness, token)) { worker, event in
            let (readiness, token) = event
            if token >> 32 != 0 {
                worker.connections[token]?.ready(readiness, on: worker)
            } else if token < UInt64(worker.listeners.count) {
                worker.acceptConnections(from: worker.listeners[Int(token)])
            }
        }
    }
}

extension Worker: ExchangeOwner {
    nonisolated func answer(_ answer: ExchangeAnswer, to ticket: UInt64) {
        enter((answer, ticket)) { $0.take($1.0, to: $1.1) }
    }

    nonisolated func wakeStream(_ ticket: UInt64) {
        onLoop(ticket) { worker, ticket in
            guard let stream = worker.streams[ticket] else { return }
            stream.connection.wakeStream(stream, on: worker)
        }
    }

    nonisolated func closeStream(_ ticket: UInt64) {
        onLoop(ticket) { worker, ticket in
            guard let stream = worker.streams[ticket], stream.isStreaming else { return }
            stream.connection.closeStream(stream.id, on: worker)
        }
    }

    nonisolated func connection(ofStream ticket: UInt64) -> StreamConnection? {
        onLoop(ticket) { worker, ticket in
            worker.streams[ticket].map {
                StreamConnection(peer: $0.connection.peer, isHTTP2: $0.connection is HTTP2Connection)
            }
        }
    }

    private func take(_ answer: ExchangeAnswer, to ticket: UInt64) {
        guard let stream = streams[ticket] else {
            if case .stream(_, let producer, _) = answer { producer.connectionClosed() }
            return
        }
        stream.connection.answer(answer, on: stream.id, of: self)
    }
}
