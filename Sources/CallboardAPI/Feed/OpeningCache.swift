import DequeModule
import HTTPWire

/// What streams begin with, encoded once for all that begin in the same place.
///
/// After a restart of a proxy, ten thousand clients come back within seconds, and nearly all hold one of a few
/// versions: each of them costs a look-up here instead of a diff and an encoding. Emptied whenever the version or the
/// definition changes.
struct OpeningCache {
    private var snapshots: [String: EventFrame] = [:]
    private var catchUps: [Int: EventFrame] = [:]
    private var order = Deque<Int>()
    private var bytes = 0
    private let maxBytes: Int

    /// Snapshots that are kept: two forms, for each of the reasons that `DirectorHost` gives.
    static let maxSnapshots = 12
    /// Catch-up changesets that are kept; beyond them the oldest give way.
    static let maxCatchUps = 64

    /// Makes an empty cache; catch-up changesets beyond `maxBytes` give way, but for the newest.
    init(maxBytes: Int) {
        self.maxBytes = maxBytes
    }

    /// Everything that is kept.
    var count: Int { snapshots.count + catchUps.count }

    /// The snapshot of a form, made if it is not there.
    mutating func snapshot(_ form: String, make: () -> EventFrame) -> EventFrame {
        if let frame = snapshots[form] { return frame }
        let frame = make()
        if snapshots.count < Self.maxSnapshots { snapshots[form] = frame }
        return frame
    }

    /// The changeset from a version to the newest, made if it is not there.
    mutating func catchUp(from version: Int, make: () -> EventFrame) -> EventFrame {
        if let frame = catchUps[version] { return frame }
        let frame = make()
        catchUps[version] = frame
        order.append(version)
        bytes += frame.bytes.count
        while order.count > 1, order.count > Self.maxCatchUps || bytes > maxBytes, let oldest = order.popFirst() {
            bytes -= catchUps.removeValue(forKey: oldest)?.bytes.count ?? 0
        }
        return frame
    }

    /// Forgets everything.
    mutating func clear() {
        snapshots.removeAll()
        catchUps.removeAll()
        order.removeAll()
        bytes = 0
    }
}
