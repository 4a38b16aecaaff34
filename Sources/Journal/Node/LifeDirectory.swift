import Notation

/// A node's knowledge of the lives in a shared journal, and the actions that follow when the journal differs from it.
/// It is a value: tests try all orders of events without a database.
///
/// The journal's rows are the truth. Each look is compared with what is known, and the steps that come of it are to be
/// done in their order, on the following thread, before the next look.
package struct LifeDirectory: Sendable {
    /// How a life stands here.
    package enum Standing: Sendable, Hashable {
        /// Another node writes it, and nothing of it is in memory here.
        case unloaded
        /// Another node writes it, and its records are performed here.
        case followed
        /// This node writes it.
        case owned
        /// This node is about to hand it over, and writes no more.
        case releasing
    }

    /// A life that is known.
    package struct Life: Sendable, Hashable {
        /// The row that was read last.
        package var row: LifeRow
        /// The number of the newest record that the observer was given, or that was acknowledged to this node; 0 for a life
        /// that is not loaded.
        package var number: Int
        /// How many records the database has had for sure.
        package var stored: Int { max(number, row.head) }
        /// How it stands here.
        package var standing: Standing
        /// Whether it was asked for since ``LifeDirectory/idle(_:)`` was called last.
        package var isUsed = true
        /// Whether it has to be read as a whole, since what was stored of it could not be performed.
        package var isBroken = false
    }

    /// What is to be done.
    package enum Step: Sendable, Hashable {
        /// Read a life as a whole, and report it by ``LifeDirectory/loaded(_:number:)``. Until then, each look gives this step.
        case load(LifeRow)
        /// Read the records of a life behind a number, and report them by ``LifeDirectory/fetched(_:through:)``.
        case fetch(LifeRow, after: Int)
        /// The life is over. This node may have ended it itself, and told its own subscribers; or another node has, which
        /// had taken it from this one.
        case end(LifeRow)
        /// Another node has taken the life, which this one has not handed over.
        case lose(LifeName)
        /// Another node owns a life that this one was about to hand over: what is in flight of it is not waited for.
        case letGo(LifeName)
        /// This node owns the life; to be done once the records before it are read, and reported by
        /// ``LifeDirectory/adopted(_:)``.
        case adopt(Int)
    }

    /// Which node this is.
    package let node: Int
    /// The lives by number.
    package internal(set) var lives: [Int: Life] = [:]
    var ids: [Name: Int] = [:]
    /// The owner of each director that has another one than when this was taken last; nil for one that is gone.
    var changedOwners: [Name: Int?] = [:]

    /// Makes the directory of a node that knows of no life.
    package init(node: Int) {
        self.node = node
    }

    /// The life of a director's name that is known.
    package func life(named director: String) -> Life? { ids[director].flatMap { lives[$0] } }

    // MARK: Looks

    /// What a look was at.
    package enum Scope: Sendable {
        /// All lives that go on.
        case all
        /// Lives with these numbers, and those of directors with these names.
        case some(ids: Set<Int>, names: Set<Name>)
    }

    /// Compares rows with what is known. Lives of other nodes that are new are noted and not loaded; see ``asked(for:)``.
    ///
    /// - Parameters:
    ///   - rows: The lives that go on, of the scope.
    ///   - scope: What was looked at: what is known of it and not among the rows is over.
    ///   - begun: Lives that this node had begun before the look, and that no look has found, with their numbers: one that
    ///     is not among the rows either is over.
    ///   - own: What this node has written of a life that it has begun, or owns; nil where it writes none of it, or has
    ///     nobody any more who does.
    /// - Complexity: O(rows), and O(lives) for a look at all.
    package mutating func note(
        _ rows: [LifeRow], of scope: Scope, begun: [Int: LifeName] = [:], own: (LifeRow) -> OwnWriting?
    ) -> [Step] {
        var steps = missing(rows, scope, begun)
        for row in rows {
            guard let known = lives[row.id] else {
                steps += begin(row, own(row))
                continue
            }
            steps += compare(row, known, own)
        }
        return steps
    }

    private mutating func missing(_ rows: [LifeRow], _ scope: Scope, _ begun: [Int: LifeName]) -> [Step] {
        let there = Set(rows.map(\.id))
        let unseen = begun.filter { id, name in
            guard lives[id] == nil, !there.contains(id) else { return false }
            return switch scope {
            case .all: true
            case .some(let looked, let names): looked.contains(id) || names.contains(name.director)
            }
        }
        let gone =
            switch scope {
            case .all: lives.keys.filter { !there.contains($0) }
            case .some(let looked, let names):
                looked.filter { lives[$0] != nil && !there.contains($0) }
                    + names.compactMap { ids[$0] }.filter { !there.contains($0) && !looked.contains($0) }
            }
        return gone.compactMap { id in forget(id).map { .end($0.row) } }
            + unseen.map { .end(LifeRow(id: $0.key, name: $0.value, owner: node, term: 0, head: 0)) }
    }

    private mutating func begin(_ row: LifeRow, _ own: OwnWriting?) -> [Step] {
        // The name's earlier life is over, although this look was not at it.
        let earlier = ids[row.name.director].flatMap { forget($0) }
        let end = earlier.map { [Step.end($0.row)] } ?? []
        let isMine = row.owner == node
        guard let own else {
            if isMine { return end + [.load(row), .adopt(row.id)] }
            put(Life(row: row, number: 0, standing: .unloaded))
            return end
        }
        put(Life(row: row, number: own.number, standing: .owned))
        return end + (isMine && own.term ?? row.term >= row.term ? [] : lose(row, own.number))
    }

    /// Of a life that another node has taken, this node knows only the records that were acknowledged to itself: the
    /// life may have been given back since.
    private mutating func lose(_ row: LifeRow, _ number: Int) -> [Step] {
        lives[row.id]?.standing = .followed
        lives[row.id]?.number = number
        // Without looking at the head: what is in doubt here may be stored. Of a life whose beginning is in doubt nothing is
        // left once that is dropped.
        let read = number == 0 ? Step.load(row) : .fetch(row, after: number)
        return [.lose(row.name), read] + (row.owner == node ? [.adopt(row.id)] : [])
    }

    private mutating func compare(_ row: LifeRow, _ known: Life, _ own: (LifeRow) -> OwnWriting?) -> [Step] {
        if row.owner != known.row.owner { changedOwners[row.name.director] = row.owner }
        lives[row.id]?.row = row
        switch (known.standing, row.owner == node) {
        case (.unloaded, let isMine): return isMine ? [.load(row), .adopt(row.id)] : []
        case (.releasing, true): return []
        case (.owned, true):
            // Whoever wrote it had to go for another life of the name, which is over by now; or could not perform what was
            // stored before.
            guard let own = own(row), !known.isBroken else { return [.load(row), .adopt(row.id)] }
            lives[row.id]?.number = own.number
            guard let term = own.term, term < row.term else { return [] }
            // It was taken and given back between two looks: what was written under the earlier term is fenced off.
            return lose(row, own.number)
        case (.owned, false): return lose(row, own(row)?.number ?? known.number)
        case (.releasing, false): return [.letGo(row.name)] + lose(row, own(row)?.number ?? known.number).dropFirst()
        case (.followed, let isMine):
            // What is stored before may come in pieces that end in the middle of it.
            let read: [Step] =
                known.isBroken ? [.load(row)] : row.head > known.number ? [.fetch(row, after: known.number)] : []
            return read + (isMine ? [.adopt(row.id)] : [])
        }
    }
}
