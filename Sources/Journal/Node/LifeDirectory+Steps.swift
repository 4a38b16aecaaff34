import Notation

// Steps that were done, and who owns what since.
extension LifeDirectory {
    /// Takes note that a life was read up to a number.
    package mutating func loaded(_ row: LifeRow, number: Int) {
        if let earlier = ids[row.name.director], earlier != row.id { forget(earlier) }
        put(Life(row: row, number: number, standing: .followed))
    }

    /// Takes note that a life is to be read as a whole: none of its records are read before that is done.
    mutating func awaitLoad(_ row: LifeRow) {
        if lives[row.id] == nil {
            put(Life(row: row, number: 0, standing: .unloaded))
        } else {
            lives[row.id]?.isBroken = true
        }
    }

    /// Takes note that the observer was given the records of a life up to a number.
    package mutating func fetched(_ id: Int, through number: Int) {
        guard let life = lives[id], life.standing == .followed else { return }
        lives[id]?.number = max(life.number, number)
    }

    /// Takes note that nothing of a life is in memory any more.
    package mutating func unloaded(_ id: Int) {
        guard lives[id]?.standing == .followed else { return }
        lives[id]?.standing = .unloaded
        lives[id]?.number = 0
    }

    /// Takes note that a life cannot be read: nothing of it is in memory, unless this node writes it.
    package mutating func setAside(_ row: LifeRow) {
        if let earlier = ids[row.name.director], earlier != row.id { forget(earlier) }
        let known = lives[row.id]
        if let known, known.standing == .owned || known.standing == .releasing { return }
        // A look may have read it since.
        put(Life(row: known?.row ?? row, number: 0, standing: .unloaded))
    }

    /// Takes note that this node writes a life no more.
    package mutating func lost(_ id: Int) { lives[id]?.standing = .followed }

    /// Takes note that this node writes a life now.
    package mutating func adopted(_ id: Int) {
        lives[id]?.standing = .owned
    }

    /// Takes note that this node is about to hand a life over, or that it has failed to.
    package mutating func setReleasing(_ id: Int, _ isReleasing: Bool) {
        guard let life = lives[id], isReleasing || life.standing == .owned || life.standing == .releasing else {
            return
        }
        // One that was not handed over is adopted at the next look, as one that was given by another node.
        lives[id]?.standing = isReleasing ? .releasing : .followed
    }

    /// Takes note that a life was handed over: whoever owns it now, which may be this node again, the next look tells.
    ///
    /// - Parameter number: The number of the newest record that was acknowledged to this node; nil where that is not known.
    package mutating func given(_ id: Int, number: Int?) {
        guard lives[id]?.standing == .releasing else { return }
        lives[id]?.standing = .followed
        if let number { lives[id]?.number = number }
    }

    /// Takes note that records of a life could not be performed: the next look at it has it read as a whole.
    ///
    /// - Returns: Its number; nil for one that is not known.
    package mutating func restart(_ life: LifeName) -> Int? {
        guard let id = ids[life.director], lives[id]?.row.name == life else { return nil }
        lives[id]?.isBroken = true
        return id
    }

    /// Forgets a life.
    @discardableResult
    mutating func forget(_ id: Int) -> Life? {
        guard let life = lives.removeValue(forKey: id) else { return nil }
        if ids[life.row.name.director] == id {
            ids[life.row.name.director] = nil
            changedOwners[life.row.name.director] = .some(nil)
        }
        return life
    }

    mutating func put(_ life: Life) {
        lives[life.row.id] = life
        ids[life.row.name.director] = life.row.id
        changedOwners[life.row.name.director] = life.row.owner
    }

    /// The directors whose owner has changed since the last call, each with its owner: nil for one that is gone,
    /// ``Placement/nobody`` for one of this node that is not loaded yet.
    package mutating func takeChangedOwners() -> [Name: Int?] {
        defer { changedOwners = [:] }
        for (name, owner) in changedOwners where owner == node {
            if let id = ids[name], lives[id]?.standing == .unloaded { changedOwners[name] = Placement.nobody }
        }
        return changedOwners
    }
}

// MARK: - Who should own what

extension LifeDirectory {
    /// The lives whose owner lives no longer, and that this node should take.
    ///
    /// - Complexity: O(lives), and one hash for each of these and each serving node.
    package func orphans(_ placement: Placement) -> [LifeRow] {
        lives.values.filter { life in
            (life.standing == .followed || life.standing == .unloaded)
                && placement.nodes[life.row.owner]?.isLiving != true
                && placement.preferred(for: life.row.name.director) == node
        }.map(\.row)
    }

    /// The lives that this node owns and another one should, with that one.
    ///
    /// - Parameter limit: The most of them.
    package func misplaced(_ placement: Placement, limit: Int) -> [(row: LifeRow, node: Int)] {
        var found: [(row: LifeRow, node: Int)] = []
        for life in lives.values where life.standing == .owned {
            guard let preferred = placement.preferred(for: life.row.name.director), preferred != node else { continue }
            found.append((life.row, preferred))
            if found.count == limit { break }
        }
        return found
    }
}
