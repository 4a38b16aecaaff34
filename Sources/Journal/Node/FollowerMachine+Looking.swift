import DequeModule
import Notation

// What a look has found: nodes, and lives that are loaded, followed, adopted, lost and ended.
extension FollowerMachine {
    /// What a look has read.
    package struct Found: Sendable {
        /// The facts from before it was read.
        package let start: WritingState.LookStart
        /// The lives of the scope that go on.
        package let rows: [FoundRow]
        /// The nodes; empty for a look at some lives.
        package let nodes: [FoundNode]
        /// The tokens' digest; empty for a look at some lives.
        package let tokens: [Int]
        /// The version that every program knows; nil for a look at some lives.
        package let version: Int?
        /// The lives that the rows are about, where what has changed was read; nil where everything of the scope was.
        package let changed: Set<Int>?
        /// The position among the notes of changes from which the next look reads; nil where there are none.
        package let position: Int?

        /// Makes what a look has read.
        package init(
            _ start: WritingState.LookStart, rows: [FoundRow], nodes: [FoundNode] = [], tokens: [Int] = [],
            version: Int? = nil, changed: Set<Int>? = nil, position: Int? = nil
        ) {
            (self.start, self.rows, self.nodes, self.tokens, self.version) = (start, rows, nodes, tokens, version)
            (self.changed, self.position) = (changed, position)
        }
    }

    /// A row of nodes.
    package struct FoundNode: Sendable {
        /// The node; whether it lives, ``FollowerMachine`` finds out.
        package let node: JournalNode
        /// The end of its lease, as the database writes it: it is compared with itself alone.
        package let lease: Int
        /// Whether the database has a connection of the node's.
        package let isConnected: Bool

        /// Makes what was read of a node.
        package init(_ node: JournalNode, lease: Int, isConnected: Bool) {
            (self.node, self.lease, self.isConnected) = (node, lease, isConnected)
        }
    }

    /// A row of lives.
    package enum FoundRow: Sendable {
        /// A life that goes on.
        case life(LifeRow)
        /// A damaged row, as far as it can be read.
        case damaged(id: Int, director: String?, reason: String)
    }

    /// Takes the result of ``Action/look(_:)``.
    ///
    /// - Parameters:
    ///   - holds: Whether there is something here that writes a life, or shows what its owner writes.
    ///   - writing: The records acknowledged to this node as a life's writer; see ``WritingState/writing(_:)``.
    package mutating func looked(
        _ found: Found, _ now: ContinuousClock.Instant, holds: (LifeName) -> Bool,
        writing: (LifeRow) -> OwnWriting?
    ) {
        guard case .look(var scope)? = reading else { return }
        var foundRows = found.rows
        if case .all = scope {
            let held = found.changed == nil ? [] : directory.held
            guard let rows = image.note(found, besides: held, began: look?.began ?? now, now) else {
                image.forget()
                return works.prepend(.look(.all))
            }
            foundRows = rows
            if let changed = found.changed, found.position != nil {
                let unseen = found.start.begun.keys.filter { !image.has($0) }
                scope = .some(ids: changed.union(held).union(unseen), names: [])
            }
            damagedRows = []
            note(found.nodes, now)
            look?.leaseEnd = found.start.leaseEnd
            works.prepend(contentsOf: [
                .retryUnreadable, .loadAsked, .loadAhead(found.changed), .tokens(found.tokens), .takeOrphans, .sweep,
                .unloadIdle,
                .tellPlacement,
            ])
        } else {
            works.prepend(contentsOf: [.loadAsked, .tellPlacement])
        }
        look?.handoversInDoubt = found.start.handoversInDoubt
        let rows = foundRows.compactMap { row($0, found.start.begun, now) }
        status.looks += 1
        status.version = found.version ?? status.version
        status.lagRecords = lag(rows)
        let planted = planted
        let begun = planted.has(.endUnseen) ? [:] : found.start.begun
        let steps = directory.note(rows, of: scope, begun: begun) { row in
            guard holds(row.name) || planted.has(.displacedUnseen) else { return nil }
            let own = writing(row)
            guard planted.has(.losesWithoutReading), let own else { return own }
            return OwnWriting(number: row.head, term: own.term)
        }
        let seen = begun.keys.filter { directory.lives[$0] != nil }
        if !seen.isEmpty { actions.append(.found(seen)) }
        perform(steps, now)
    }

    private func lag(_ rows: [LifeRow]) -> Int {
        rows.reduce(0) { sum, row in
            guard let life = directory.lives[row.id], life.standing == .followed else { return sum }
            return sum + max(0, row.head - life.number)
        }
    }

    private mutating func note(_ found: [FoundNode], _ now: ContinuousClock.Instant) {
        placement.nodes = [:]
        for node in watch.note(found, now) {
            placement.nodes[node.number] = node
            if !node.isServing {
                serving[node.number] = nil
            } else if serving[node.number] == nil {
                serving[node.number] = now
            }
        }
        serving = serving.filter { placement.nodes[$0.key] != nil }
        let others = placement.nodes.values.filter { $0.isLiving && $0.number != node }
        look?.wakeUp = max(.milliseconds(5), watch.next(among: others.map(\.number), now) ?? .seconds(60))
        for found in found where !found.isConnected {
            let isServing = placement.nodes[found.node.number]?.isServing == true
            if isServing, found.node.number != node { actions.append(.probe(found.node, lease: found.lease)) }
        }
    }

    private mutating func perform(_ steps: [LifeDirectory.Step], _ now: ContinuousClock.Instant) {
        var loads: [LifeRow] = []
        var fetches: [Fetch] = []
        var adoptions: [Int] = []
        var losses: [LifeName] = []
        for step in steps {
            switch step {
            case .load(let row): loads.append(row)
            case .fetch(let row, let number): fetches.append(Fetch(row: row, after: number))
            case .adopt(let id): adoptions.append(id)
            case .lose(let name): losses.append(name)
            case .letGo(let name): actions.append(.letGo(name))
            case .end(let row):
                if planted.has(.endUntold), row.owner == node { continue }
                actions.append(.disown(row))
                noteReadable(row.id)
                actions.append(.end(row.name))
            }
        }
        lose(losses)
        if !planted.has(.adoptsUnread) {
            load(loads, now)
            works.prepend(.fetch(fetches))
        }
        adopt(adoptions, now)
    }

    mutating func lose(_ lives: [LifeName]) {
        guard !lives.isEmpty else { return }
        status.losses += lives.count
        if !planted.has(.keepsWriting) {
            for name in lives {
                if let life = directory.life(named: name.director) { actions.append(.disown(life.row)) }
            }
        }
        actions.append(.lose(lives))
    }
}
