import HTTPWire

/// The one that waits for an exchange's answer: the server's worker, or a stand-in of a test.
package protocol ExchangeOwner: AnyObject, Sendable {
    /// Takes the answer to the exchange with this ticket; from any thread, once for each exchange.
    func answer(_ answer: ExchangeAnswer, to ticket: UInt64)

    /// See `StreamHandle.wake()`.
    func wakeStream(_ ticket: UInt64)

    /// See `StreamHandle.close()`.
    func closeStream(_ ticket: UInt64)

    /// See `StreamHandle.connection`.
    func connection(ofStream ticket: UInt64) -> StreamConnection?

    /// The bound of memory that is kept for clients; unbounded by default. From any thread.
    var buffers: BufferBudget { get }
}

extension ExchangeOwner {
    /// Nothing is bounded.
    package var buffers: BufferBudget { .unbounded }

    /// Nothing is known.
    package func connection(ofStream ticket: UInt64) -> StreamConnection? { nil }
}

/// How a request was answered.
package enum ExchangeAnswer: Sendable {
    /// With everything at once.
    case response(Response)
    /// With a head, and a body that is produced piece by piece.
    case stream(ResponseHead, any BodyProducer, closesConnection: Bool)
}
