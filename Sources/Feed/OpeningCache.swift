import DequeModule
import HTTPWire

/// The beginnings of streams, encoded once for all that begin in the same place.
///
/// After a restart of a proxy, ten thousand clients come back within seconds, and nearly all hold one of a few
/// versions: each of them costs a look-up here instead of a diff and an encoding. Emptied whenever the version or the
/// definition changes.
///
/// A snapshot is encoded once for each form, with elements and without. These are kept, however large: without them
/// each new client would have its own. A snapshot that says why a client begins anew is a copy of one of them with a
/// member more, and clients choose the reason by the ids that they send. Such copies, and changesets from a version to
/// now, are kept up to the bound in bytes; beyond it the oldest give way, but for the newest. A copy that has given way
/// is shared all the same while a stream is still sending it.
///
/// A snapshot that is longer than ``LongEvent/threshold`` is never encoded as a whole. Of such a one there is an event for
/// each form and reason, without its bytes.
package struct OpeningCache {
    /// What a frame stands for.
    private enum Key: Hashable {
        case reset(withElements: Bool, reason: String)
        case catchUp(from: Int)
    }

    private struct WeakFrame {
        weak var frame: EventFrame?
    }

    /// The key that tells long snapshots of one version apart.
    private struct LongKey: Hashable {
        let withElements: Bool
        let reason: String?
    }

    private struct WeakEvent {
        weak var event: LongEvent?
    }

    private var snapshots: [Bool: EventFrame] = [:]
    private var frames: [Key: EventFrame] = [:]
    private var order = Deque<Key>()
    /// One for each form and reason; the reasons are the few that a director gives.
    private var resets: [Key: WeakFrame] = [:]
    private var longSnapshots: [LongKey: LongEvent] = [:]
    /// The newest long changesets, by the version that they begin with.
    private var longChanges: [(from: Int, content: Opening.Event.Content)] = []
    /// Long snapshots of earlier versions that are retained, as far as streams still send them.
    private var earlier: [WeakEvent] = []
    private let maxBytes: Int

    /// The bytes of all frames that are kept.
    private(set) var bytes = 0

    /// The most long changesets that are kept, however small the memory that they take.
    static let maxLongChanges = 4

    /// The most changesets and copies of snapshots that are kept, however small.
    static let maxFrames = 64

    /// Makes an empty cache with a bound in bytes.
    package init(maxBytes: Int) {
        self.maxBytes = maxBytes
    }

    /// Everything that is kept.
    package var count: Int { snapshots.count + frames.count + longSnapshots.count + longChanges.count }

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

    /// The snapshot that is sent in pieces, made if it is not there.
    ///
    /// - Parameters:
    ///   - withElements: The form.
    ///   - reason: Why the client begins anew; nil where it held nothing.
    ///   - make: Makes the event.
    package mutating func longSnapshot(
        withElements: Bool, reset reason: String?, make: () -> LongEvent
    ) -> LongEvent {
        let key = LongKey(withElements: withElements, reason: reason)
        if let event = longSnapshots[key] { return event }
        let event = make()
        longSnapshots[key] = event
        return event
    }

    /// The changeset from a version to the newest that was found to be long; nil where it is not here.
    package func longChange(from version: Int) -> Opening.Event.Content? {
        longChanges.first { $0.from == version }?.content
    }

    /// Keeps a changeset to the newest version that was long to find. The oldest of more than four gives way.
    package mutating func keep(longChange content: Opening.Event.Content, from version: Int) {
        if longChanges.count == Self.maxLongChanges { longChanges.removeFirst() }
        longChanges.append((version, content))
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
    ///
    /// - Parameter oldest: The oldest version that the director retains. Streams that still send the snapshot of one before
    ///   it are charged for what they alone hold from now on.
    package mutating func clear(oldestRetained oldest: Int) {
        earlier.append(contentsOf: longSnapshots.values.map { WeakEvent(event: $0) })
        longSnapshots.removeAll()
        longChanges.removeAll()
        earlier.removeAll { entry in
            guard let event = entry.event else { return true }
            guard event.version < oldest else { return false }
            event.versionWasDropped()
            return true
        }
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
