import HTTPWire

/// Produces the body of a streamed answer, piece by piece, whenever the connection can write.
///
/// All methods are called on the connection's loop, so a producer that is an actor on that loop can enter itself with
/// `onLoop`. The connection asks for the next piece only when the one before is with the kernel: it never
/// holds more than one, and a client that reads slowly slows down nobody but itself.
package protocol BodyProducer: AnyObject, Sendable {
    /// Called once, before the first `next`. Keep the handle to tell the connection of news.
    func streamStarted(_ handle: StreamHandle)

    /// The next piece.
    ///
    /// After `.latest`, `.pending` and `.later` it is called again after a `wake()`, and whenever the socket has had news: a producer
    /// whose turn has not come answers `.later` again. After `.end` it is never called.
    func next() -> Production

    /// Called once when the server begins to shut down: come to an end soon, for example with a last event and `.end`.
    ///
    /// `next` is called right after it. A stream that does not end is cut off at the server's deadline.
    func serverIsClosing()

    /// Called exactly once, last of all, when nothing will be asked for any more: after `.end`, when the client has
    /// left or stopped reading, or when the stream never came to start (HEAD, a client that had left before).
    func connectionClosed()
}

/// A producer's answer to `next`: bytes, or why there are none.
package enum Production: Sendable {
    /// An encoded event. Its chunk framing is used as it is where the client takes chunks.
    case frame(EventFrame)
    /// An encoded event with nothing behind it now: as `.frame`, and `.pending` after it, which the connection need not
    /// ask for.
    case latest(EventFrame)
    /// Any bytes; the connection frames them.
    case bytes(SharedBytes)
    /// Nothing now; `StreamHandle.wake()` says when.
    case pending
    /// Nothing in this turn of the loop, so that others get theirs, though there is more; `StreamHandle.wake()` follows.
    case later
    /// Nothing ever again.
    case end
}

/// Bytes that many responses send at the same time: held by reference, never copied, never changed.
package struct SharedBytes: Sendable, Hashable {
    /// The bytes.
    package let bytes: [UInt8]

    /// Shares `bytes`, without copying them.
    package init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// How many there are.
    package var count: Int { bytes.count }
}
