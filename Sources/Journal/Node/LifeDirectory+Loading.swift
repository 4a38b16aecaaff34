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

    /// The lives that are not loaded and that this node takes over where their owner is lost, or is to be given.
    ///
    /// - Complexity: O(lives), and one hash for each that is not loaded and each serving node.
    package func inheritable(_ placement: Placement) -> [LifeRow] {
        lives.values.filter { life in
            life.standing == .unloaded && life.row.owner != node && placement.heir(of: life.row) == node
        }.map(\.row)
    }

    /// The loaded lives of other nodes that nobody has asked for since this was called last, but for those that this node
    /// takes over where their owner is lost.
    ///
    /// - Complexity: O(lives), and one hash for each of other nodes' and each serving node.
    package mutating func idle(_ placement: Placement) -> [LifeRow] {
        var found: [LifeRow] = []
        for (id, life) in lives where life.standing == .followed && life.row.owner != node && !life.isBroken {
            lives[id]?.isUsed = false
            guard !life.isUsed, placement.heir(of: life.row) != node else { continue }
            found.append(life.row)
        }
        return found
    }
}

extension Placement {
    /// The node that a life belongs to without its present owner; a node that is about to join counts as well.
    fileprivate func heir(of row: LifeRow) -> Int? {
        let candidates = nodes.values.lazy.filter {
            $0.number != row.owner && $0.isLiving && ($0.state == .serving || $0.state == .joining)
        }
        return Rendezvous.owner(of: row.name.director, among: candidates.map(\.number))
    }
}
