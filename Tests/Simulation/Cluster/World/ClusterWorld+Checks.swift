import DirectorLife
import Journal

extension ClusterWorld {
    /// Checks what nodes show of lives to which something has happened.
    func checkTouched() throws(Violation) {
        for node in slots where node.condition != .killed {
            for host in node.hosts.values where host.isTouched {
                host.isTouched = false
                try check(host)
            }
        }
    }

    /// Checks that what a node shows is what the log leads to, up to its number.
    private func check(_ host: Host) throws(Violation) {
        let stored = host.life.stored
        guard host.life.refusal(isRead: true) == nil else { return }
        guard let life = database.seen.life(host.name), life.log.indices.contains(stored.number - 1) else {
            throw Violation("a node shows record \(stored.number) of \(host.name.epoch), which is not stored")
        }
        let model = life.log[stored.number - 1].model
        try require(!model.isDeleted, "a node shows a director that was deleted")
        try require(stored.director.revision == model.revision, "a node shows another revision")
        try require(stored.director.version == model.version, "a node shows another version")
        try require(stored.director.working.variables.count == model.variables.count, "a node shows other variables")
        try require(stored.versions.newest.version == model.version, "a node has published another version")
        try require(
            stored.versions.newest.list.elementCount == model.versions[model.version].count,
            "a node has published other elements")
    }

    /// Checks everything that a node shows.
    func checkWhole(_ host: Host) throws(Violation) {
        try check(host)
        guard let model = database.seen.life(host.name)?.log.last?.model else { return }
        let director = host.life.stored.director
        try require(director.working.list.identifiers == model.items, "a node shows other elements")
        try require(
            Set(director.working.variables.keys.map(\.text)) == Set(model.variables.map { "\($0)" }),
            "a node shows other variables")
        try require(director.working.causes.names == model.causes, "a node shows other causes")
        for version in host.life.stored.versions.retained {
            let identifiers = version.state.list.identifiers
            try require(identifiers == model.versions[version.version], "a retained version has other elements")
        }
    }

    /// Why a node has not come to rest; nil where it has.
    func unrest(of node: ClusterNode) -> String? {
        if !node.messages.isEmpty || !node.jobs.isEmpty || node.callers != nil { return "has something to do" }
        if node.follower.hasJobs || !node.loading.isEmpty { return "has something to read" }
        if !node.isIdle { return "has something to store" }
        if node.committer.isTaken { return "stores nothing any more" }
        for host in node.hosts.values where !host.requesters.isEmpty { return "has not answered a command" }
        for name in names {
            guard let life = database.seen.life(named: name) else {
                if node.hosts[name] != nil { return "shows the director \(name), which is not there" }
                continue
            }
            if self.node(numbered: life.owner) == nil { return "leaves \(name) to nobody" }
            if node.follower.directory.life(named: name)?.row.owner != life.owner {
                return "does not know who owns \(name)"
            }
            guard let host = node.hosts[name], host.name == life.name else {
                if node.needs(life) { return "lacks the director \(name)" }
                continue
            }
            if host.life.stored.number != life.head { return "lacks records of the director \(name)" }
            if (host.life.role == .owner) != (life.owner == node.number) { return "has the wrong role for \(name)" }
            if host.isOwned, node.committer.index.lives[name]?.term != life.term {
                return "owns \(name) under an old term"
            }
        }
        if !node.committer.handoversInDoubt.isEmpty { return "does not know what it has handed over" }
        if let name = node.setAside.first { return "takes \(name) for one that cannot be read" }
        for life in node.committer.index.lives.values where node.hosts[life.director]?.isOwned != true {
            return "would write \(life.director)"
        }
        return nil
    }
}

extension ClusterNode {
    /// Whether a director that is not loaded should be.
    fileprivate func needs(_ life: Content.Life) -> Bool {
        if life.owner == number || follower.directory.lives[life.id]?.standing != .unloaded { return true }
        guard follower.settings.loadsAhead else { return false }
        return follower.directory.inheritable(follower.placement).contains { $0.id == life.id }
    }
}
