import Reactor

/// A producer's way to the connection that it feeds.
///
/// A small value that may be copied and kept; once the stream is over, its methods do nothing. They may be called on the
/// connection's loop only, which is that of the stream's exchange.
package struct StreamHandle: Sendable {
    let owner: any ExchangeOwner
    let ticket: UInt64

    /// Makes a handle; the server does so for each stream, and a test of a producer for its own `owner`.
    package init(owner: any ExchangeOwner, ticket: UInt64) {
        self.owner = owner
        self.ticket = ticket
    }

    /// Has the connection ask for the next piece, at once if it is able to write; on the loop only.
    ///
    /// Costs little more than the `send` of what there is. Calling it without news is harmless; calling it from inside
    /// the producer's own `next` is pointless, since the connection asks until it hears `.pending`.
    package func wake() {
        owner.wakeStream(ticket)
    }

    /// The budget that a producer charges for frames that it keeps while its connection cannot take them.
    package var buffers: BufferBudget { owner.buffers }

    /// The stream's connection; nil once the stream is over. On the loop only.
    package var connection: StreamConnection? { owner.connection(ofStream: ticket) }

    /// Cuts the stream off without an orderly end, so that the client sees that it was broken; on the loop only.
    package func close() {
        owner.closeStream(ticket)
    }
}

/// The connection that a stream is on, for those who list streams.
package struct StreamConnection: Sendable, Hashable {
    /// The client's end.
    package let peer: SocketAddress
    /// Whether it speaks HTTP/2.
    package let isHTTP2: Bool

    /// Describes a connection.
    package init(peer: SocketAddress, isHTTP2: Bool) {
        self.peer = peer
        self.isHTTP2 = isHTTP2
    }
}
