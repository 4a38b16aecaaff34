/// An update of a list that a stream keeps up to date, or of its connection.
public enum ListUpdate<List: ListReplica>: Sendable, Hashable {
    /// The connection's state changed; the list stays as it was.
    case connection(ConnectionState)
    /// The list is new as a whole; `reset` says why where an earlier one is to be thrown away.
    case replaced(List, reset: String?)
    /// The list has moved on to another version, by this changeset.
    case changed(List, by: RemoteChangeset)
    /// The stream goes on after a reconnection; the list is what it was.
    case resumed(Resumption)
    /// The server is alive, and the list is what it has.
    case heartbeat(version: Int)
    /// Cells are to be shown again in place.
    case refresh(Refresh)
    /// An element is to be brought into view.
    case scroll(ScrollCommand)
    /// Properties or adapters have changed.
    case redefined(List)
    /// The received event does not fit the list or cannot be read; a fresh snapshot has been requested.
    case resynchronizing(ListMismatch)
    /// The server ended the stream; it is asked again, and the sequence ends if the director is gone.
    case ended(StreamEnd)
}
