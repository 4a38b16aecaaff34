import HTTPWire

/// What streams begin with, encoded once for all that begin in the same place.
///
/// After a restart of a proxy, ten thousand clients come back within seconds, and nearly all hold one of a few
/// versions: each of them costs a look-up here instead of a diff and an encoding. Emptied whenever the version or the
/// definition changes.
struct OpeningCache {
    private var snapshots: [String: EventFrame] = [:]
    private var catchUps: [Int: EventFrame] = [:]

    /// Catch-up changesets that are kept; one for a version that is asked for beyond them is made anew.
    static let maxCatchUps = 64

    /// The snapshot of a form, made if it is not there.
    mutating func snapshot(_ form: String, make: () -> EventFrame) -> EventFrame {
        if let frame = snapshots[form] { return frame }
        let frame = make()
        snapshots[form] = frame
        return frame
    }

    /// The changeset from a version to the newest, made if it is not there.
    mutating func catchUp(from version: Int, make: () -> EventFrame) -> EventFrame {
        if let frame = catchUps[version] { return frame }
        let frame = make()
        if catchUps.count < Self.maxCatchUps { catchUps[version] = frame }
        return frame
    }

    /// Forgets everything.
    mutating func clear() {
        snapshots.removeAll()
        catchUps.removeAll()
    }
}
