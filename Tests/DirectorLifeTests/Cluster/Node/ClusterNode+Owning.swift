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
        let orphans = directory.orphans(placement).filter { row in
            fault != .leavesUnloaded || directory.lives[row.id]?.standing != .unloaded
        }
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

    /// Makes this node the writer of lives of which it has every record, as they were read.
    func adopt(_ lives: [Content.Life]) {
        for life in lives {
            guard life.owner == number || fault == .adoptsTaken, let known = directory.lives[life.id],
                known.number == life.head || fault == .adoptsUnread
            else { continue }
            owned[life.id] = OwnWriting(number: life.head, term: life.term)
            writer.changes.append(
                .own(
                    IndexedLife(
                        id: life.id, name: life.name, term: life.term, ownership: life.term, number: life.head,
                        answer: life.answers.last?.id ?? 0)))
            directory.adopted(life.id)
            if let host = host(life.name) {
                messages.append(
                    .inherit(host, life.answers.compactMap(\.change.record.answer), ownership: life.term))
            }
        }
        look?.phase = .take
    }

    /// Gives up the writing of a life.
    func disown(_ row: LifeRow) {
        owned[row.id] = nil
        begun[row.id] = nil
        beginning.remove(row.name)
        writer.changes.append(.disown(row))
    }

    /// Has lives released here, and then given to other nodes.
    func give(_ lives: [(row: LifeRow, to: Int)]) {
        guard !lives.isEmpty else { return }
        for life in lives { directory.setReleasing(life.row.id, true) }
        let hosts = lives.compactMap { host($0.row.name) }
        let release = Release(lives, left: hosts.count)
        guard !hosts.isEmpty, fault != .givesUnresigned else { return queueGiving(release) }
        for host in hosts { lose(host, .resign(host, release)) }
    }

    /// Takes note of lives that were handed over.
    func handedOver(_ ids: [Int], _ given: Set<Int>?) {
        for id in given ?? [] { directory.given(id, number: nil) }
        for id in ids where given?.contains(id) != true {
            guard let life = directory.lives[id] else { continue }
            if fault == .takesBackAtOnce, let host = host(life.row.name) {
                directory.adopted(id)
                messages.append(.inherit(host, [], ownership: life.row.term))
                continue
            }
            disown(life.row)
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
