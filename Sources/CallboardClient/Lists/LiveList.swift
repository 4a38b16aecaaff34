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
/// ``Update/resynchronizing(_:)``; a fresh snapshot then follows as ``Update/replaced(_:reset:)``. The sequence ends
/// and throws when its ``EventStream`` does.
public struct LiveList: AsyncSequence, Sendable {
    /// What happened to the list.
    public enum Update: Sendable, Hashable {
        /// The connection's state changed; the list stays as it was.
        case connection(ConnectionState)
        /// The list is new as a whole; `reset` says why where an earlier one is to be thrown away.
        case replaced(RemoteList, reset: String?)
        /// The list has moved on to another version, by this changeset.
        case changed(RemoteList, by: RemoteChangeset)
        /// The stream goes on after a reconnection; the list is what it was.
        case resumed(Resumption)
        /// The server is alive, and the list is what it has.
        case heartbeat(version: Int)
        /// Cells are to be shown again in place.
        case refresh(Refresh)
        /// Properties or adapters have changed.
        case redefined(RemoteList)
        /// What arrived does not fit the list, so a fresh snapshot has been asked for.
        case resynchronizing(ListMismatch)
        /// The server ended the stream; it is asked again, and the sequence ends if the director is gone.
        case ended(StreamEnd)
    }

    /// What the sequence brings.
    public typealias Element = Update
    /// What it throws.
    public typealias Failure = any Error

    let stream: EventStream
    let reconnect: ReconnectPolicy

    /// Starts an iteration, with a connection of its own.
    public func makeAsyncIterator() -> Iterator {
        Iterator(reader: LiveListReader(events: stream.makeAsyncIterator(), reconnect: reconnect))
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
    private let reconnect: ReconnectPolicy
    private var list: RemoteList?
    private var mismatches = 0

    init(events: EventStream.Iterator, reconnect: ReconnectPolicy) {
        self.events = events
        self.reconnect = reconnect
    }

    func next() async throws -> LiveList.Update? {
        while let event = try await events.next() {
            do throws(ListMismatch) {
                if let update = try apply(event) { return update }
            } catch {
                list = nil
                // A server that keeps sending what does not fit is asked less and less often.
                let delay = reconnect.delay(failures: mismatches, serverDelay: nil, random: .random(in: 0..<1))
                await events.restart(after: mismatches == 0 ? .zero : delay)
                mismatches += 1
                return .resynchronizing(error)
            }
        }
        return nil
    }

    private func apply(_ event: StreamEvent) throws(ListMismatch) -> LiveList.Update? {
        switch event {
        case .connection(let state): return .connection(state)
        case .snapshot(let snapshot):
            let list = try RemoteList(snapshot)
            self.list = list
            return .replaced(list, reset: snapshot.reset)
        case .changeset(let changeset):
            guard var list else { throw ListMismatch.noSnapshot }
            // The copy is not to be held twice while it is changed.
            self.list = nil
            try list.apply(changeset)
            self.list = list
            mismatches = 0
            return .changed(list, by: changeset)
        case .resumed(let resumption):
            guard let list else { throw ListMismatch.noSnapshot }
            guard resumption.from == list.version else {
                throw ListMismatch.version(expected: list.version, found: resumption.from)
            }
            return .resumed(resumption)
        case .heartbeat(let heartbeat): return try check(heartbeat)
        case .refresh(let refresh): return .refresh(refresh)
        case .definition(let definition):
            list?.apply(definition)
            return list.map { .redefined($0) }
        case .end(let end): return .ended(end)
        case .unreadable(_, let error): throw ListMismatch.unreadable(error)
        case .unknown: return nil
        }
    }

    private func check(_ heartbeat: Heartbeat) throws(ListMismatch) -> LiveList.Update? {
        guard let list, let version = heartbeat.version else { return nil }
        guard version == list.version else { throw ListMismatch.version(expected: list.version, found: version) }
        return .heartbeat(version: version)
    }
}
