import Notation

// Which lives of other nodes are in memory: those that somebody asks for here, and those that this node takes over where
// their owner is lost, so that nothing has to be read then.
extension LifeDirectory {
    /// The lives that are not loaded and that somebody asks for; takes note that all of these were asked for.
    ///
    /// - Parameter names: The directors that are asked for.
    /// - Complexity: O(names).
    package mutating func asked(for names: Set<Name>) -> [LifeRow] {
        names.compactMap { name in
            guard let id = ids[name], let life = lives[id] else { return nil }
            lives[id]?.isUsed = true
            return life.standing == .unloaded && life.row.owner != node ? life.row : nil
        }
    }

    /// The lives that have to be compared with their rows in each look, whether or not these have changed: this node writes them,
    /// or something has to be done here still.
    ///
    /// - Complexity: O(lives).
    var held: Set<Int> { Set(lives.lazy.filter { $0.value.isToBeCompared(at: node) }.map(\.key)) }

    /// The lives that are not loaded and that this node takes over where their owner is lost, or is to be given.
    ///
    /// - Complexity: O(lives), and one hash for each that is not loaded and each heir.
    package func inheritable(_ placement: Placement) -> [LifeRow] { inheritable(lives.keys, placement.heirs) }

    /// Of some lives those that are not loaded and that this node takes over where their owner is lost, or is to be given.
    ///
    /// - Complexity: O(*l*) in the number of these lives, and one hash for each that is not loaded and each heir.
    func inheritable(_ ids: some Sequence<Int>, _ heirs: Set<Int>) -> [LifeRow] {
        ids.compactMap { id in
            guard let life = lives[id], life.standing == .unloaded, life.row.owner != node,
                heirs.heir(of: life.row) == node
            else { return nil }
            return life.row
        }
    }

    /// The loaded lives of other nodes that nobody has asked for since this was called last, but for those that this node
    /// takes over where their owner is lost.
    ///
    /// - Complexity: O(lives), and one hash for each of other nodes' and each serving node.
    package mutating func idle(_ placement: Placement) -> [LifeRow] {
        var found: [LifeRow] = []
        let heirs = placement.heirs
        for (id, life) in lives where life.standing == .followed && life.row.owner != node && !life.isBroken {
            lives[id]?.isUsed = false
            guard !life.isUsed, heirs.heir(of: life.row) != node else { continue }
            found.append(life.row)
        }
        return found
    }
}

extension LifeDirectory.Life {
    fileprivate func isToBeCompared(at node: Int) -> Bool {
        switch standing {
        case .owned, .releasing: true
        case .followed: isBroken || row.head > number || row.owner == node
        case .unloaded: row.owner == node
        }
    }
}

extension Placement {
    /// The nodes that may take lives over; one that is about to join counts as well.
    var heirs: Set<Int> {
        Set(nodes.values.lazy.filter { $0.isLiving && ($0.state == .serving || $0.state == .joining) }.map(\.number))
    }
}

extension Set<Int> {
    /// Among nodes the one that a life belongs to without its present owner.
    fileprivate func heir(of row: LifeRow) -> Int? {
        Rendezvous.owner(of: row.name.director, among: lazy.filter { $0 != row.owner })
    }
}
