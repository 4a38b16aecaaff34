/// The options of a director's stream.
public struct StreamOptions: Sendable {
    /// The state that a stream begins with.
    public enum SnapshotForm: String, Sendable {
        /// With its elements.
        case full
        /// Without elements: page them at the version that it names.
        case reference
        /// Not at all.
        case none
    }

    /// How what was missed comes after a reconnection.
    public enum CatchUp: String, Sendable {
        /// As one changeset.
        case one
        /// As every retained one, in order.
        case each
    }

    /// The state that the stream begins with.
    public var snapshot: SnapshotForm
    /// How what was missed comes.
    public var catchUp: CatchUp
    /// The id to resume from, which an earlier stream has given.
    public var lastEventID: String?
    /// When to dial again.
    public var reconnect: ReconnectPolicy
    /// The most data that one event may have, in bytes; a snapshot of the whole list is one event.
    public var maximumEventSize: Int
    /// The bytes that may wait while events are not taken; more ends the connection, and the stream resumes.
    public var bufferLimit: Int

    /// Makes options; the defaults suit a list of a few hundred thousand elements.
    public init(
        snapshot: SnapshotForm = .full, catchUp: CatchUp = .one, lastEventID: String? = nil,
        reconnect: ReconnectPolicy = ReconnectPolicy(), maximumEventSize: Int = 256 << 20,
        bufferLimit: Int = 32 << 20
    ) {
        self.snapshot = snapshot
        self.catchUp = catchUp
        self.lastEventID = lastEventID
        self.reconnect = reconnect
        self.maximumEventSize = maximumEventSize
        self.bufferLimit = bufferLimit
    }

    var query: [(String, String)] {
        var query: [(String, String)] = []
        if snapshot != .full { query.append(("snapshot", snapshot.rawValue)) }
        if catchUp != .one { query.append(("catchup", catchUp.rawValue)) }
        return query
    }
}
