/// The events of one or several directors, over as many connections as it takes.
///
/// Each iteration is a stream of its own: it connects when the first event is asked for, dials again when a connection
/// is lost, and resumes after the last event it has seen. It ends when the server says that the director is gone, and
/// throws ``ClientError`` where a Callboard server itself refuses the stream (the director does not exist, the credential
/// is not accepted) or the attempts are used up. Whatever stands between and answers in the server's place, be it with an
/// error, a 404 of its own or a page of a portal, is an interruption, and the stream is dialled again. Cancelling the task, or letting go of the iterator, closes
/// the connection.
///
/// Nothing is read ahead but what the transport buffers, at most ``StreamOptions/bufferLimit``.
public struct EventStream: AsyncSequence, Sendable {
    /// What the sequence brings.
    public typealias Element = StreamEvent
    /// What it throws.
    public typealias Failure = any Error

    let makeConnection: @Sendable () -> EventStreamConnection

    /// Starts an iteration; nothing is sent before its first `next()`.
    public func makeAsyncIterator() -> Iterator { Iterator(connection: makeConnection()) }

    /// One run of a stream.
    public struct Iterator: AsyncIteratorProtocol, Sendable {
        private let connection: EventStreamConnection

        init(connection: EventStreamConnection) { self.connection = connection }

        /// The next event, or nil once the stream is over for good.
        public func next() async throws -> StreamEvent? { try await connection.next() }

        /// The next event, or nil once the stream is over for good.
        public func next(isolation actor: isolated (any Actor)?) async throws -> StreamEvent? {
            try await connection.next()
        }

        /// Drops the connection and what the stream remembers, so that the next one begins with a snapshot.
        ///
        /// - Parameter delay: the wait before the next connection.
        public func restart(after delay: Duration = .zero) async { await connection.restart(after: delay) }
    }
}
