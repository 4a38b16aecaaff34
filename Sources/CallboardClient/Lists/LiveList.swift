/// A director's published list, kept up to date by its stream.
///
/// ```swift
/// for try await update in callboard.director("contacts").list() {
///     switch update {
///     case .replaced(let list, _): show(list.sections)
///     case .changed(let list, let changeset): animate(changeset, to: list.sections)
///     default: break
///     }
/// }
/// ```
///
/// Whatever does not fit (a gap between versions, an operation out of range, counts that differ) is reported as
/// ``ListUpdate/resynchronizing(_:)``; a fresh snapshot then follows as ``ListUpdate/replaced(_:reset:)``. The sequence ends
/// and throws when its ``EventStream`` does.
public struct LiveList: AsyncSequence, Sendable {
    /// What happened to the list.
    public typealias Update = ListUpdate<RemoteList>
    /// What the sequence brings.
    public typealias Element = Update
    /// What it throws.
    public typealias Failure = any Error

    let stream: EventStream
    let reconnect: ReconnectPolicy
    /// The list that the stream goes on after.
    var start: RemoteList?

    /// Starts an iteration, with a connection of its own.
    public func makeAsyncIterator() -> Iterator {
        Iterator(reader: LiveListReader(events: stream.makeAsyncIterator(), reconnect: reconnect, start: start))
    }

    /// One run of the list.
    public struct Iterator: AsyncIteratorProtocol, Sendable {
        let reader: LiveListReader

        /// The next update, or nil once the stream is over for good.
        public func next() async throws -> Update? { try await reader.next() }

        /// The next update, or nil once the stream is over for good.
        public func next(isolation actor: isolated (any Actor)?) async throws -> Update? { try await reader.next() }
    }
}

/// Applies a stream's events to a copy, for one task at a time.
actor LiveListReader {
    private let events: EventStream.Iterator
    private var follower: ListFollower<RemoteList>

    init(events: EventStream.Iterator, reconnect: ReconnectPolicy, start: RemoteList?) {
        self.events = events
        follower = ListFollower(reconnect: reconnect, list: start)
    }

    func next() async throws -> LiveList.Update? {
        while let event = try await events.next() {
            let (update, delay) = follower.take(event)
            if let delay { await events.restart(after: delay) }
            if let update { return update }
        }
        return nil
    }
}
