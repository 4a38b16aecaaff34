/// Which of the other nodes live, as one node finds out by looking at their leases.
///
/// The end of a lease in the database is only compared with itself: it changes whenever the node renews. A node whose lease
/// has stayed the same for a lease's length, by this machine's clock, does not hold it any more, since the node has counted
/// from before it wrote. So neither a step of the database's clock nor that of a standby that has become the primary ends or
/// prolongs anybody's lease.
///
/// A node whose connections to the database are gone has ended, if its port refuses connections or another node has begun
/// at its address: its directors are taken without waiting. A node that stands still keeps all of these.
struct NodeWatch: Sendable {
    private struct Seen {
        /// The end of its lease, as the database writes it.
        let lease: Int
        /// When this end was read first.
        let since: ContinuousClock.Instant
        /// Whether the node has ended.
        var isGone = false
    }

    private let length: Duration
    private let planted: PlantedFaults
    private var seen: [Int: Seen] = [:]

    /// Makes a watch that has seen nobody.
    ///
    /// - Parameter length: How long a lease lasts.
    init(length: Duration, _ planted: PlantedFaults) { (self.length, self.planted) = (length, planted) }

    /// Takes note of the nodes that a look at everything has found.
    ///
    /// - Returns: The nodes, each with whether it lives.
    mutating func note(
        _ found: [FollowerMachine.FoundNode], _ now: ContinuousClock.Instant
    ) -> [JournalNode] {
        let earlier = seen
        seen = [:]
        let newest = Dictionary(found.map { ($0.node.url, $0.node.number) }, uniquingKeysWith: max)
        return found.map { found in
            let number = found.node.number
            var known = earlier[number].flatMap { $0.lease == found.lease ? $0 : nil }
            if known == nil { known = Seen(lease: found.lease, since: now) }
            let isReplaced = !found.node.url.isEmpty && newest[found.node.url] != number
            if !found.isConnected, isReplaced || planted.has(.goneUnprobed) { known?.isGone = true }
            seen[number] = known
            let isLiving = planted.has(.trustsClock) ? found.node.isLiving : isLiving(number, now)
            return found.node.with(isLiving: isLiving)
        }
    }

    private func isLiving(_ node: Int, _ now: ContinuousClock.Instant) -> Bool {
        guard let known = seen[node] else { return false }
        return !known.isGone && now < known.since + length
    }

    /// Takes note that a node has ended, if it has not renewed its lease since.
    ///
    /// - Returns: Whether this is news.
    mutating func noteGone(_ node: Int, lease: Int) -> Bool {
        guard let known = seen[node], known.lease == lease, !known.isGone else { return false }
        seen[node]?.isGone = true
        return true
    }

    /// How long until the first of some nodes may have lost its lease.
    func next(among nodes: some Sequence<Int>, _ now: ContinuousClock.Instant) -> Duration? {
        nodes.compactMap { seen[$0].map { $0.since + length - now } }.min()
    }

    /// The end of a node's lease that was read last; nil for a node that is not registered.
    func lease(of node: Int) -> Int? { seen[node]?.lease }
}
