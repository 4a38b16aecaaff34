/// Follows a stream with a copy of the list: events in, updates out.
///
/// It does no I/O. A mismatch drops the copy, and the caller is told to ask for a fresh snapshot.
struct ListFollower<List: ListReplica> {
    private let reconnect: ReconnectPolicy
    /// The copy; nil before the first snapshot, and after something that did not fit.
    private(set) var list: List?
    private var mismatches = 0

    init(reconnect: ReconnectPolicy, list: List? = nil) { (self.reconnect, self.list) = (reconnect, list) }

    /// Takes the stream's next event.
    ///
    /// - Returns: The update for its reader, if any; and the pause before it asks for a fresh snapshot, if one is
    ///   needed.
    mutating func take(_ event: StreamEvent) -> (update: ListUpdate<List>?, restart: Duration?) {
        do throws(ListMismatch) {
            return (try apply(event), nil)
        } catch {
            list = nil
            // A server that keeps sending what does not fit is asked less and less often.
            let delay = reconnect.delay(failures: mismatches, serverDelay: nil, random: .random(in: 0..<1))
            let isFirst = mismatches == 0
            mismatches += 1
            return (.resynchronizing(error), isFirst ? .zero : delay)
        }
    }

    /// Changes the copy, if there is one, otherwise than by an event.
    mutating func edit<Result>(_ body: (inout List) -> Result) -> Result? {
        guard var list else { return nil }
        // The copy is not to be held twice while it is changed.
        self.list = nil
        defer { self.list = list }
        return body(&list)
    }

    private mutating func apply(_ event: StreamEvent) throws(ListMismatch) -> ListUpdate<List>? {
        switch event {
        case .connection(let state): return .connection(state)
        case .snapshot(let snapshot):
            let list = try List(snapshot)
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
            guard list != nil else { throw ListMismatch.noSnapshot }
            list?.apply(resumption)
            return .resumed(resumption)
        case .heartbeat(let heartbeat): return try check(heartbeat)
        case .refresh(let refresh): return .refresh(refresh)
        case .scroll(let command): return .scroll(command)
        case .definition(let definition):
            list?.apply(definition)
            return list.map { .redefined($0) }
        case .end(let end): return .ended(end)
        case .unreadable(_, let error): throw ListMismatch.unreadable(error)
        case .unknown: return nil
        }
    }

    private func check(_ heartbeat: Heartbeat) throws(ListMismatch) -> ListUpdate<List>? {
        guard let list, let version = heartbeat.version else { return nil }
        guard version == list.version else { throw ListMismatch.version(expected: list.version, found: version) }
        return .heartbeat(version: version)
    }
}
