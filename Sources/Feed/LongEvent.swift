import DirectorLife
import Reactor
import Synchronization

/// An event too long to be encoded in one turn of a loop: each stream gets it in pieces, as fast as its client reads.
///
/// It holds what is encoded. A published state costs nothing as long as the director retains its version. After that,
/// and for a change from the beginning, its memory is charged to the connections' budget, once for all streams that
/// still send it. A stream for which there is no room then is cut off, and its client begins again.
package final class LongEvent: Sendable {
    /// An event whose estimate is greater than this many bytes is encoded in pieces.
    package static let threshold = 1 << 20
    /// How long a piece is, in bytes; the element that reaches the size makes it longer.
    static let pieceSize = 64 * 1024

    /// The version that is published.
    let version: Int
    /// The memory that is held, estimated.
    let memory: Int
    /// How many streams keep the state, and the budget is charged for it.
    let keepers = Atomic<Int>(0)
    /// The encoder at the event's first byte.
    let encoder: EventEncoder
    private let retained: Atomic<Bool>

    /// Makes an event of what encodes it.
    ///
    /// - Parameters:
    ///   - version: The version that the event brings.
    ///   - memory: The memory of the state that is encoded, estimated.
    ///   - isRetained: Whether the director holds that state too, for as long as it retains the version.
    ///   - encoder: At the event's first byte.
    package init(version: Int, memory: Int, isRetained: Bool, encoder: EventEncoder) {
        retained = Atomic(isRetained)
        self.version = version
        self.memory = memory
        self.encoder = encoder
    }

    deinit {
        // It may be the last to hold a version of a list.
        BackgroundRelease.release(encoder)
    }

    /// Whether the director holds the state too.
    var isRetained: Bool { retained.load(ordering: .relaxed) }

    /// Takes note that the director has dropped the version; on any loop.
    func versionWasDropped() {
        retained.store(false, ordering: .relaxed)
    }
}
