import DequeModule
import Notation

// Who owns what: taking directors whose owner is gone, and handing over what belongs elsewhere.
extension FollowerMachine {
    /// Takes directors whose owner is gone, before it hands over those that belong to another node.
    mutating func takeOrphans() {
        guard takesPart, !isLeaving else { return }
        guard placement.nodes[node]?.isServing == true else {
            // The notification has this node look again, too.
            if placement.nodes[node]?.state == .joining { ask(.setState(.serving)) }
            return
        }
        works.prepend(.give)
        jobs.orphans = directory.orphans(placement).filter { row in
            !planted.has(.leavesUnloaded) || directory.lives[row.id]?.standing != .unloaded
        }.sorted { $0.id < $1.id }
    }

    /// Takes note of lives that this node owns now; they are looked at soon.
    package mutating func took(_ ids: Set<Int>) {
        guard !ids.isEmpty else { return }
        status.takeovers += ids.count
        schedule.hinted.formUnion(ids)
        actions.append(.hint(ids.sorted()))
    }

    /// Has lives handed over, once all nodes have taken part for a while: a node that comes and goes should not move
    /// directors back and forth.
    mutating func give(_ now: ContinuousClock.Instant) {
        let settled = now - settings.settling
        guard placement.nodes.values.allSatisfy({ !$0.isServing || (serving[$0.number] ?? now) <= settled }) else {
            return
        }
        let misplaced = misplaced(limit: settings.handoverBatch)
        if !misplaced.isEmpty { release(misplaced) }
    }

    /// The lives that are to be handed over to other nodes. A life that is being read anew stays until that is done. One
    /// whose row cannot be read stays as well, since nobody else could go on with it, unless this node leaves.
    func misplaced(limit: Int) -> [(row: LifeRow, node: Int)] {
        let isAnyGiven = isLeaving || planted.has(.givesDamaged)
        return directory.misplaced(placement, limit: limit).filter { life in
            !jobs.isLoading(life.row.id) && (isAnyGiven || !damagedRows.contains(life.row.id))
        }
    }

    mutating func release(_ lives: [(row: LifeRow, node: Int)]) {
        for life in lives { directory.setReleasing(life.row.id, true) }
        actions.append(.release(lives.map { Handover(row: $0.row, node: $0.node) }))
    }

    /// Takes note of lives that were to be handed over.
    ///
    /// - Parameter given: The lives that were handed over, with the numbers of their newest records; nil if they are not known.
    package mutating func handedOver(_ ids: [Int], _ given: [Int: Int]?) {
        for id in ids {
            if let number = given?[id] {
                directory.given(id, number: number)
            } else if planted.has(.takesBackAtOnce) {
                directory.setReleasing(id, false)
                jobs.adoptions.add(id)
            } else {
                // Where it is this node's still, it is adopted again.
                if let life = directory.lives[id] { actions.append(.disown(life.row)) }
                directory.setReleasing(id, false)
            }
        }
        status.handovers += given?.count ?? 0
        schedule.hinted.formUnion(ids)
        if let given, !given.isEmpty { actions.append(.hint(Array(given.keys))) }
    }
}
