import Access
import Notation

/// The facts that a node's threads tell each other: of the lives that it writes, and of its lease.
///
/// The writing thread notes its commits here, the following thread its findings. Neither waits for the other: a commit
/// may hang, and looks go on then. The driver keeps the value behind a lock.
package struct WritingState: Sendable {
    /// A finding of the following thread, which the writing thread takes over between two commits, in their order.
    ///
    /// None may be refused, as jobs are while a change is in doubt.
    package enum Change: Sendable {
        /// This node writes a life from now on; with what is to be deleted of it.
        case own(LifeIndex.Life, [Upkeep.Step])
        /// It writes a life no more.
        case disown(LifeRow)
        /// Lives that have ended under nodes that are gone.
        case abandoned([Int])
        /// The node has registered again, after its registration was gone.
        case registered
        /// The tokens that are stored.
        case tokens([TokenEntry])
    }

    /// The facts that a look is compared with, as they are before it reads anything.
    package struct LookStart: Sendable {
        /// The end of the lease as it was renewed last.
        package let leaseEnd: ContinuousClock.Instant
        let begun: [Int: LifeName]
        let handoversInDoubt: Set<Int>
    }

    /// When the lease ends, as it was renewed last.
    package private(set) var renewedEnd: ContinuousClock.Instant
    /// Until when nobody has taken what this node holds for its own: as ``renewedEnd``, once everything was looked at after
    /// that renewal. A lease that was renewed after it had run out says nothing of what was taken in between.
    package private(set) var leaseEnd: ContinuousClock.Instant
    /// The newest acknowledged record of each life that this node writes.
    package private(set) var owned: [Int: OwnWriting] = [:]
    /// The lives that a commit under way begins.
    private var beginning: Set<LifeName> = []
    /// The lives that this node has begun, and that no look has found yet.
    private var begun: [Int: LifeName] = [:]
    /// Lives of which it is not known whether they were handed over: their rows may name this node still.
    private var handoversInDoubt: Set<Int> = []
    /// The follower's findings that the writing thread has not taken over.
    private var changes: [Change] = []
    private let planted: PlantedFaults

    /// The state of a node that writes nothing yet.
    package init(leaseEnd: ContinuousClock.Instant, planted: PlantedFaults = PlantedFaults()) {
        (renewedEnd, self.leaseEnd, self.planted) = (leaseEnd, leaseEnd, planted)
    }

    // MARK: The lease

    /// Takes note of a renewal.
    package mutating func renewed(until end: ContinuousClock.Instant) {
        renewedEnd = end
        if planted.has(.renewalIsEnough) { leaseEnd = end }
    }

    /// Takes note that everything was looked at after the lease was renewed until `end`.
    package mutating func extendLease(until end: ContinuousClock.Instant) { leaseEnd = end }

    // MARK: For the following thread

    /// The facts that a look is compared with; to be taken before anything is read.
    package var lookStart: LookStart {
        LookStart(leaseEnd: renewedEnd, begun: begun, handoversInDoubt: handoversInDoubt)
    }

    /// The records acknowledged to this node as the life's writer: none for a life that a commit under way begins, nil for a
    /// life that another node writes.
    package func writing(_ row: LifeRow) -> OwnWriting? {
        if let own = owned[row.id] { return own }
        return beginning.contains(row.name) ? OwnWriting(number: 0, term: nil) : nil
    }

    /// Takes note that a look has found lives that this node has begun.
    package mutating func found(_ lives: [Int]) { for life in lives { begun[life] = nil } }

    /// Takes the writing of a life over.
    package mutating func own(_ life: LifeIndex.Life, _ steps: [Upkeep.Step]) {
        var life = life
        life.ownership = life.term
        owned[life.id] = OwnWriting(number: life.number, term: life.term)
        changes.append(.own(life, steps.filter { $0.life == life.id }))
    }

    /// Gives up the writing of a life: its row names another node, or may do so.
    ///
    /// The database fences off statements under way; the writing thread's index follows once there are none.
    package mutating func disown(_ row: LifeRow) {
        owned[row.id] = nil
        begun[row.id] = nil
        beginning.remove(row.name)
        changes.append(.disown(row))
    }

    /// Has the writing thread take something over before its next commit.
    package mutating func note(_ change: Change) { changes.append(change) }

    // MARK: For the writing thread

    /// Takes the follower's findings, in their order.
    package mutating func takeChanges() -> [Change] {
        defer { changes = [] }
        return changes
    }

    /// Whether there are findings to take.
    package var hasChanges: Bool { !changes.isEmpty }

    /// Takes note of lives that a commit is about to begin: the follower may see them before it has ended.
    package mutating func begins(_ names: some Sequence<LifeName>) { beginning.formUnion(names) }

    /// Takes note of lives whose beginning is stored, before anyone is told: a life that a later look does not find is
    /// ended before it is shown.
    package mutating func settled(_ lives: [LifeIndex.Life]) {
        guard !planted.has(.notesBegunLate) else { return }
        noteBegun(lives)
    }

    private mutating func noteBegun(_ lives: [LifeIndex.Life]) {
        guard !beginning.isEmpty else { return }
        for life in lives where owned[life.id] == nil && beginning.contains(life.name) { begun[life.id] = life.name }
    }

    /// Takes note of acknowledged records, after the loops know of them: a later read misses no record that the loops lack.
    ///
    /// - Parameters:
    ///   - lives: The lives as they stood when that was told.
    ///   - directors: The directors that something was told of.
    package mutating func told(_ lives: [LifeIndex.Life], _ directors: @autoclosure () -> Set<Name>) {
        if planted.has(.notesBegunLate) { noteBegun(lives) }
        // Of a life that was lost meanwhile nothing is noted, nor an earlier ownership of one that is owned anew.
        for life in lives {
            if let own = owned[life.id] {
                guard own.term ?? 0 <= life.term else { continue }
            } else {
                guard beginning.contains(life.name) else { continue }
            }
            owned[life.id] = OwnWriting(number: life.number, term: life.term)
        }
        guard !beginning.isEmpty else { return }
        let directors = directors()
        beginning = beginning.filter { !directors.contains($0.director) }
    }

    /// Takes note that this node is about to raise the terms of the lives in doubt.
    package mutating func doubted(_ lives: [Int]) {
        for life in lives { owned[life] = owned[life].map { OwnWriting(number: $0.number, term: nil) } }
    }

    /// Takes note of lives that were handed over.
    package mutating func gave(_ lives: some Sequence<Int>) { for life in lives { owned[life] = nil } }

    /// Takes note of the handovers in doubt: their lives are not adopted before the results are known.
    package mutating func noteHandovers(inDoubt lives: Set<Int>) { handoversInDoubt = lives }

    /// Whether a handover is in doubt.
    package var hasHandoversInDoubt: Bool { !handoversInDoubt.isEmpty }
}
