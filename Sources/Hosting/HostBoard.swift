import Synchronization

/// The facts about a director that any thread may read: those that its loop has published last, and the losses of its
/// ownership that are on their way to the loop.
struct HostBoard: ~Copyable, Sendable {
    private let published: Atomic<Facts>
    private let losses = Atomic<Int>(0)

    /// Publishes first facts.
    init(_ facts: Facts) {
        published = Atomic(facts)
    }

    /// The newest facts; those about the life are as a command's answer found them, or newer.
    var facts: Facts { published.load(ordering: .acquiring) }

    /// Whether this node writes the director's records, and no message on its way ends that.
    var isOwned: Bool { facts.isOwned && losses.load(ordering: .acquiring) == 0 }

    /// Publishes facts; on the director's loop only.
    func publish(_ facts: Facts) { published.store(facts, ordering: .releasing) }

    /// Notes that a message on its way ends the ownership. From any thread.
    func announceLoss() { losses.add(1, ordering: .acquiringAndReleasing) }

    /// Notes that such a message has been dealt with, and facts published since.
    func finishLoss() { losses.subtract(1, ordering: .releasing) }

    /// The facts about a director at one moment, in one word.
    struct Facts: RawRepresentable, AtomicRepresentable, Sendable {
        let rawValue: UInt64

        init(rawValue: UInt64) {
            self.rawValue = rawValue
        }

        /// Gathers the facts.
        init(
            version: Int, isOwned: Bool, isLiving: Bool, isStoring: Bool, isStreaming: Bool, asksAtRead: Bool = false
        ) {
            // A version that counts up from 0 never comes near the bound.
            rawValue =
                UInt64(clamping: min(version, 1 << 58)) << 5 | (asksAtRead ? 16 : 0) | (isOwned ? 8 : 0)
                | (isLiving ? 4 : 0) | (isStoring ? 2 : 0) | (isStreaming ? 1 : 0)
        }

        /// The newest version that is stored.
        var version: Int { Int(rawValue >> 5) }
        /// Whether readers have sources asked.
        var asksAtRead: Bool { rawValue & 16 != 0 }
        /// Whether this node writes the director's records.
        var isOwned: Bool { rawValue & 8 != 0 }
        /// Whether the director's beginning is stored, and its end not in flight to the journal.
        var isLiving: Bool { rawValue & 4 != 0 }
        /// Whether something is in flight to the journal.
        var isStoring: Bool { rawValue & 2 != 0 }
        /// Whether somebody subscribes, or is on the way.
        var isStreaming: Bool { rawValue & 1 != 0 }
    }
}
