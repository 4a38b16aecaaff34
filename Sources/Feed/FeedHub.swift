import HTTPServer
import Reactor

/// A director's subscribers on one event loop, and the newest part of its feed.
///
/// The director's host sends each entry once to every loop that has subscribers; the hub then wakes its members, who
/// pull the entry when their connections can take it. A member is a position in the feed and nothing more here, so a
/// slow one costs the others nothing.
///
/// Everything happens on the hub's loop. Entries and new members arrive through the loop's queue in the order in which
/// the host sent them, and that is what makes the hand-over from a snapshot to the feed free of gaps and repeats.
///
/// The host gives out places in the hub, and each of them ends: by a member that leaves, or by a stream that was gone
/// before it joined. When the last member is gone the host is told how many have ended; where that is all, nobody is on
/// the way, and the host lets go of the hub.
package actor FeedHub: LoopActor {
    /// The loop that the hub and its members' connections live on.
    package nonisolated let loop: EventLoop

    /// Members woken before other work of the loop gets its turn.
    static let slice = 128

    // SAFETY: the window and its entries know no hub.
    @exclusivity(unchecked) private var window: FeedWindow
    private var members: [(handle: StreamHandle, id: Int32)] = []
    /// Where each member is, by its name; -1 for a name that is free.
    private var slots: [Int32] = []
    private var freeNames: [Int32] = []
    private var cursor = 0
    private var remaining = 0
    private var isPassing = false
    /// Places that have come to their end.
    private var ended = 0
    private let onEmpty: @Sendable (FeedHub, _ ended: Int) -> Void

    /// Makes a hub whose first entry will have the given sequence.
    ///
    /// - Parameter onEmpty: Called on the hub's loop whenever a place has ended and no member is there, with how many have
    ///   ended so far.
    package init(
        loop: EventLoop, startingAt sequence: Int, feed: FeedConfiguration,
        onEmpty: @escaping @Sendable (FeedHub, _ ended: Int) -> Void = { _, _ in }
    ) {
        self.loop = loop
        self.onEmpty = onEmpty
        window = FeedWindow(startingAt: sequence, maxEntries: feed.window, maxBytes: feed.windowBytes)
    }

    /// How many connections follow the director on this loop.
    var count: Int { members.count }

    /// Adds a connection; the result names it for ``leave(_:)``, and is another one's name after that.
    func join(_ handle: StreamHandle) -> Int32 {
        let id = freeNames.popLast() ?? Int32(slots.count)
        if id == slots.count { slots.append(0) }
        slots[Int(id)] = Int32(members.count)
        members.append((handle, id))
        // A pass that is under way goes by the new member too, which must not cost the one behind it its turn.
        if remaining > 0 { remaining += 1 }
        return id
    }

    /// Removes a connection. O(1); unknown names are ignored.
    func leave(_ id: Int32) {
        guard slots.indices.contains(Int(id)), slots[Int(id)] >= 0 else { return }
        let slot = slots[Int(id)]
        slots[Int(id)] = -1
        freeNames.append(id)
        let last = members.removeLast()
        if last.id != id {
            members[Int(slot)] = last
            slots[Int(last.id)] = slot
        }
        // The member that changed its slot may not have been woken yet: go round once more.
        remaining = min(remaining, 1) * members.count
        endPlace()
    }

    /// Ends the place of a stream that was gone before it joined.
    package func giveUpPlace() {
        endPlace()
    }

    private func endPlace() {
        ended += 1
        guard members.isEmpty else { return }
        (slots, freeNames) = ([], [])
        window.drain()
        onEmpty(self, ended)
    }

    /// The entry at a member's position.
    func lookup(_ position: Int) -> FeedWindow.Lookup {
        window.lookup(position)
    }

    /// Takes the feed's next entry and wakes every member, a slice at a time.
    package func append(_ entry: FeedEntry) {
        window.append(entry)
        guard !members.isEmpty else {
            window.drain()
            return
        }
        remaining = members.count
        if !isPassing {
            isPassing = true
            wakeSlice()
        }
    }

    private func wakeSlice() {
        var budget = Self.slice
        while remaining > 0, budget > 0, !members.isEmpty {
            if cursor >= members.count { cursor = 0 }
            let handle = members[cursor].handle
            cursor += 1
            remaining -= 1
            budget -= 1
            handle.wake()
        }
        guard remaining > 0, !members.isEmpty else {
            isPassing = false
            return
        }
        send { $0.wakeSlice() }
    }
}
