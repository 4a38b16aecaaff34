import DequeModule
import HTTPWire

/// What streams begin with, encoded once for all that begin in the same place.
///
/// After a restart of a proxy, ten thousand clients come back within seconds, and nearly all hold one of a few
/// versions: each of them costs a look-up here instead of a diff and an encoding. Emptied whenever the version or the
/// definition changes.
///
/// A snapshot is encoded once for each form, with elements and without. Those are kept, however large: without them each
/// client that begins would have its own. A snapshot that says why a client begins anew is a copy of one of them with a
/// member more, and clients choose the reason by the ids that they send. Such copies, and changesets from a version to
/// now, are kept up to the bound in bytes; beyond it the oldest give way, but for the newest. A copy that has given way
/// is shared all the same while a stream is still sending it.
package struct OpeningCache {
    /// What a frame stands for.
    private enum Key: Hashable {
        case reset(withElements: Bool, reason: String)
        case catchUp(from: Int)
    }

    private struct WeakFrame {
        weak var frame: EventFrame?
    }

    private var snapshots: [Bool: EventFrame] = [:]
    private var frames: [Key: EventFrame] = [:]
    private var order = Deque<Key>()
    /// One for each form and reason; the reasons are the few that `caller gives.
    private var resets: [Key: WeakFrame] = [:]
    private let maxBytes: Int

    /// The bytes of all frames that are kept.
    private(set) var bytes = 0

    /// The most changesets and copies of snapshots that are kept, however small.
    static let maxFrames = 64

    /// Makes an empty cache with a bound in bytes.
    package init(maxBytes: Int) {
        self.maxBytes = maxBytes
    }

    /// Everything that is kept.
    package var count: Int { snapshots.count + frames.count }

    /// The snapshot with elements or without, made if it is not there.
    package mutating func snapshot(withElements: Bool, make: () -> EventFrame) -> EventFrame {
        if let frame = snapshots[withElements] { return frame }
        let frame = make()
        snapshots[withElements] = frame
        bytes += frame.bytes.count
        trim()
        return frame
    }

    /// The snapshot that says why the client begins anew.
    ///
    /// - Parameters:
    ///   - withElements: The form.
    ///   - reason: Why, as the client is told.
    ///   - make: Makes the snapshot of that form if it is not there.
    ///   - adding: Makes the copy of it that says the reason.
    package mutating func snapshot(
        withElements: Bool, reset reason: String, make: () -> EventFrame, adding: (EventFrame) -> EventFrame
    ) -> EventFrame {
        let key = Key.reset(withElements: withElements, reason: reason)
        if let frame = frames[key] ?? resets[key]?.frame { return frame }
        let frame = adding(snapshot(withElements: withElements, make: make))
        resets[key] = WeakFrame(frame: frame)
        keep(frame, as: key)
        return frame
    }

    /// The changeset from a version to the newest, made if it is not there.
    package mutating func catchUp(from version: Int, make: () -> EventFrame) -> EventFrame {
        let key = Key.catchUp(from: version)
        if let frame = frames[key] { return frame }
        let frame = make()
        keep(frame, as: key)
        return frame
    }

    /// Forgets everything.
    package mutating func clear() {
        snapshots.removeAll()
        frames.removeAll()
        order.removeAll()
        resets.removeAll()
        bytes = 0
    }

    private mutating func keep(_ frame: EventFrame, as key: Key) {
        frames[key] = frame
        order.append(key)
        bytes += frame.bytes.count
        trim()
    }

    private mutating func trim() {
        while order.count > 1, order.count > Self.maxFrames || bytes > maxBytes, let oldest = order.popFirst() {
            bytes -= frames.removeValue(forKey: oldest)?.bytes.count ?? 0
        }
    }
}
