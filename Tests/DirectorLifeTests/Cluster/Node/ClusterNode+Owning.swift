import DirectorLife
import Journal

// Who owns what: taking, adopting, handing over.
extension ClusterNode {
    /// Takes directors whose owner is gone, and looks at them.
    func takeOrphans() throws {
        guard let takes = look?.takes, takes, !isLeaving, placement.nodes[number]?.isServing == true else {
            look?.phase = .give
            return
        }
        look?.takes = false
        let orphans = directory.orphans(placement)
        let (me, now, nodes) = (number, world.now, database.nodes)
        var taken: Set<Int> = []
        try database.write(Set(orphans.map(\.id))) { content in
            for orphan in orphans {
                guard let life = content.lives[orphan.id], life.term == orphan.term, !life.isEnded,
                    nodes[life.owner].map({ $0.expiresAt <= now }) ?? true
                else { continue }
                content.take(orphan.id, by: me)
                taken.insert(orphan.id)
            }
        }
        guard !taken.isEmpty else {
            look?.phase = .give
            return
        }
        let rows = taken.compactMap { database.seen.lives[$0] }.filter { !$0.isEnded }.map(\.row)
        look?.phase = .compare(rows, .some(ids: taken, names: []))
        world.hint(taken, from: self)
    }

    /// Makes this node the writer of lives of which it has every record.
    func adopt(_ lives: [Content.Life]) throws {
        try finishRunning()
        for life in lives {
            guard let known = directory.lives[life.id] else { continue }
            guard known.number == life.head || fault == .adoptsUnread else { continue }
            writer.index[life.name.director] = IndexedLife(
                id: life.id, name: life.name, term: life.term, number: life.head, answer: life.answers.last?.id ?? 0)
            directory.adopted(life.id)
            if let host = host(life.name) {
                messages.append(.inherit(host, life.answers.compactMap(\.change.record.answer)))
            }
        }
        look?.phase = .take
    }

    /// Has lives released here, and then given to other nodes.
    func give(_ lives: [(row: LifeRow, to: Int)]) {
        guard !lives.isEmpty else { return }
        for life in lives { directory.setReleasing(life.row.id, true) }
        let hosts = lives.compactMap { host($0.row.name) }
        let release = Release(lives, left: fault == .givesAtOnce ? -1 : hosts.count)
        for host in hosts { messages.append(.resign(host, release)) }
        if hosts.isEmpty || fault == .givesAtOnce { queueGiving(release) }
    }

    /// Takes note of lives that were handed over.
    func handedOver(_ ids: [Int], _ given: Set<Int>?) {
        for id in given ?? [] { directory.given(id, number: nil) }
        for id in ids where given?.contains(id) != true {
            guard let life = directory.lives[id] else { continue }
            if fault == .takesBackAtOnce, let host = host(life.row.name) {
                directory.adopted(id)
                messages.append(.inherit(host, []))
                continue
            }
            writer.disown(life.row.name)
            directory.setReleasing(id, false)
        }
        hinted.formUnion(ids)
        world.hint(given ?? [], from: self)
    }

    /// Hands everything over, and takes nothing any more.
    func leave() throws {
        guard runs, look == nil, !isLeaving else { return }
        isLeaving = true
        database.nodes[number] = database.nodes[number]?.with(.leaving)
        try lookThrough(atAll: true)
        give(directory.misplaced(placement, limit: .max).map { ($0.row, $0.node) })
    }
}

extension JournalNode {
    /// The node in another state, or with another end of its lease.
    func with(_ state: State? = nil, expiresAt: Int? = nil) -> JournalNode {
        JournalNode(
            number: number, name: name, url: url, state: state ?? self.state, expiresAt: expiresAt ?? self.expiresAt,
            isLiving: true)
    }
}
