import Access
import DirectorLife
import Foundation
import Journal

// A look: rows of lives in, steps out, done one after the other.
extension LifeFollower {
    private enum Look {
        static let listen = Statement("listen", "LISTEN callboard")
        /// Waits for the standbys as each commit does: what is seen after it is as safe as what was acknowledged. A primary
        /// that was just started may show a record that no standby has.
        static let barrier = Statement(
            "barrier", [.int8], "UPDATE callboard.fences SET unit = unit WHERE node = $1 RETURNING node")
        private static let columns = "SELECT life, director, epoch, owner, term, head, checksum FROM callboard.lives"
        static let all = Statement("look-at-all", "\(columns) WHERE NOT ended")
        static let some = Statement(
            "look-at-some", [.int8s, .texts],
            """
            \(columns) WHERE NOT ended AND life = ANY ($1)
            UNION \(columns) WHERE NOT ended AND director = ANY ($2)
            """)
        static let nodes = Statement(
            "look-at-nodes",
            """
            SELECT node, name, url, state, extract(epoch FROM expires)::bigint, expires > clock_timestamp(),
                ceil(extract(epoch FROM expires - clock_timestamp()) * 1000)::bigint
            FROM callboard.nodes
            """)
        static let tokens = Statement(
            "look-at-tokens", "SELECT count(*), coalesce(bit_xor(checksum), 0)::bigint FROM callboard.tokens")
    }

    // MARK: Looks

    /// Takes note of what other nodes have notified: which node, and numbers of lives, with spaces between them.
    func note(_ notifications: [String]) {
        for text in notifications {
            let words = text.split(separator: " ")
            // Of this node itself.
            if words.first == "n\(node)" { continue }
            for word in words {
                if word == "all" { nextLook = .now } else if let life = Int(word) { hinted.insert(life) }
            }
        }
    }

    /// Looks at all lives, the nodes and the tokens.
    func lookAtAll() throws {
        let (leaseEnd, owned) = journal.shared.withLock { ($0.renewedEnd, $0.owned.keys) }
        let open = try connect()
        hinted = []
        let results = try open.run([Look.nodes(), Look.all(), Look.tokens()], within: sharing.lookDeadline)
        let wakeUp = try noteNodes(results[0])
        let rows = try results[1].rows.map(LifeRow.init)
        try perform(compare(rows, .all))
        try noteTokens(
            try results[2].rows.map { [try $0.integer(0, "the tokens"), try $0.integer(1, "the tokens")] }.first)
        try takeAndGive()
        try sweep()
        tellPlacement()
        journal.shared.withLock { shared in
            shared.leaseEnd = leaseEnd
            // Lives that were this node's before the look, and have ended.
            for life in owned where directory.lives[life] == nil { shared.owned[life] = nil }
        }
        nextLook = .now + min(sharing.lookInterval, wakeUp)
    }

    /// Looks at some lives.
    func look(at ids: Set<Int>, _ names: Set<String>) throws {
        let open = try connect()
        var parameters = Parameters()
        parameters.add(Array(ids))
        parameters.add(Array(names))
        let result = try open.run([Look.some(parameters)], within: sharing.lookDeadline)[0]
        hinted.subtract(ids)
        try perform(compare(try result.rows.map(LifeRow.init), .some(ids: ids, names: names)))
        tellPlacement()
    }

    private func connect() throws -> Connection {
        if let connection, !connection.isLost { return connection }
        connection = nil
        let open = try Connection.open(address, within: sharing.lookDeadline, session: Statements.session)
        let warnings = open.warnings
        let results = try open.run(
            [Look.listen(), Look.barrier(Parameters(node))], within: sharing.lookDeadline)
        guard open.warnings == warnings else {
            throw DatabaseFault.lost("the database's wait for a standby was cancelled")
        }
        guard results[1].count > 0 else {
            journal.note(.taken)
            throw Committer.takenOver
        }
        connection = open
        return open
    }

    private func compare(_ rows: [LifeRow], _ scope: LifeDirectory.Scope) -> [LifeDirectory.Step] {
        status.withLock { status in
            status.looks += 1
            status.lookedAt = .now
            status.lagRecords = rows.reduce(0) { sum, row in
                guard let life = directory.lives[row.id], life.standing == .followed else { return sum }
                return sum + max(0, row.head - life.number)
            }
        }
        return directory.note(rows, of: scope, own: journal.acknowledged)
    }

    // MARK: Steps

    private func perform(_ steps: [LifeDirectory.Step]) throws {
        guard !steps.isEmpty, let observer else { return }
        var loads: [LifeRow] = []
        var fetches: [(row: LifeRow, after: Int)] = []
        var adoptions: [Int] = []
        var losses: [LifeName] = []
        for step in steps {
            switch step {
            case .load(let row): loads.append(row)
            case .fetch(let row, let number): fetches.append((row, number))
            case .adopt(let id): adoptions.append(id)
            case .lose(let name): losses.append(name)
            case .letGo(let name): observer.letGo(name)
            case .end(let row):
                journal.disown(row)
                observer.end(row.name)
            }
        }
        if !losses.isEmpty {
            status.withLock { $0.losses += losses.count }
            for name in losses { directory.life(named: name.director).map { journal.disown($0.row) } }
            observer.lose(losses)
        }
        loads += try fetch(fetches)
        try load(loads)
        try adopt(adoptions)
    }

    /// Reads records of lives behind a number of each, and gives them to the observer.
    ///
    /// - Returns: Lives of which the next record is not there any more, since a snapshot stands for it.
    private func fetch(_ fetches: [(row: LifeRow, after: Int)]) throws -> [LifeRow] {
        guard !fetches.isEmpty, let observer, let connection else { return [] }
        let sorted = fetches.sorted { $0.row.id < $1.row.id }
        var names: [LifeName: (row: LifeRow, number: Int)] = [:]
        for (row, number) in sorted { names[row.name] = (row, number) }
        var broken: [LifeRow] = []
        var gathered: [StoredRecord] = []
        var bytes = 0
        func give() throws {
            guard let first = gathered.first else { return }
            let name = LifeName(director: first.director, epoch: first.epoch)
            defer { (gathered, bytes) = ([], 0) }
            guard let place = names[name] else { return }
            guard first.number == place.number + 1 else {
                names[name] = nil
                return broken.append(place.row)
            }
            let last = gathered[gathered.count - 1].number
            observer.follow(try LifeRecord.decode(gathered), of: name)
            directory.fetched(place.row.id, through: last)
            names[name]?.number = last
        }
        let places = sorted.map { (life: $0.row.id, number: $0.after) }
        try connection.stream(StoredRecord.selection(behind: places), within: settings.deadline) { row in
            let record = try StoredRecord(row)
            if let first = gathered.first, first.director != record.director || first.epoch != record.epoch {
                try give()
            }
            gathered.append(record)
            bytes += record.payload.count
            if bytes > 4 << 20 { try give() }
        }
        try give()
        // Nothing behind the number though there should be: the records are gone, with a snapshot in their place.
        let missing = names.values.filter { $0.number < $0.row.head }.map(\.row)
        status.withLock { $0.restarts += broken.count + missing.count }
        return broken + missing
    }

    // MARK: Nodes and tokens

    /// - Returns: How long until the first lease of another node may run out.
    private func noteNodes(_ result: DatabaseResult) throws -> Duration {
        var nodes: [Int: JournalNode] = [:]
        var wakeUp = Duration.seconds(60)
        for row in result.rows {
            let node = try JournalNode(row)
            nodes[node.number] = node
            if node.isServing {
                if serving[node.number] == nil { serving[node.number] = .now }
            } else {
                serving[node.number] = nil
            }
            let left = Duration.milliseconds(try row.integer(6, "a row of nodes") + 5)
            if node.isLiving, node.number != self.node { wakeUp = min(wakeUp, max(.milliseconds(5), left)) }
        }
        serving = serving.filter { nodes[$0.key] != nil }
        status.withLock { $0.placement.nodes = nodes }
        return wakeUp
    }

    private func noteTokens(_ digest: [Int]?) throws {
        guard digest != tokenDigest, let connection, let observer else { return }
        var entries: [TokenEntry] = []
        try connection.stream(TokenEntry.selection(), within: settings.deadline) { entries.append(try TokenEntry($0)) }
        tokenDigest = digest
        journal.change(.tokens(entries))
        observer.replaceTokens(entries)
    }

    /// Tells the observer who owns what, where that has changed.
    func tellPlacement() {
        let changes = directory.takeChangedOwners()
        let nodes = status.withLock { status in
            status.placement.note(changes)
            return status.placement.nodes
        }
        guard !changes.isEmpty || nodes != toldNodes else { return }
        toldNodes = nodes
        observer?.place(nodes, owners: changes)
    }
}

extension LifeRow {
    /// Reads and checks a row of a look.
    init(_ row: DatabaseRow) throws {
        let id = try row.integer(0, "a row of lives")
        let place = "life \(id)"
        let (director, epoch) = (try row.text(1, place), try row.text(2, place))
        guard try row.integer(6, place) == RowChecksum.life(id, director: director, epoch: epoch) else {
            throw RowChecksum.fault(place)
        }
        self.init(
            id: id, name: LifeName(director: director, epoch: epoch), owner: try row.integer(3, place),
            term: try row.integer(4, place), head: try row.integer(5, place))
    }
}

extension JournalNode {
    /// Reads a row of a look.
    fileprivate init(_ row: DatabaseRow) throws {
        let place = "a row of nodes"
        guard let state = State(rawValue: try row.integer(3, place)) else {
            throw JournalDamage(director: nil, place: place, detail: "its state is of an unknown kind")
        }
        self.init(
            number: try row.integer(0, place), name: try row.text(1, place), url: try row.text(2, place), state: state,
            expiresAt: try row.integer(4, place), isLiving: try row.flag(5, place))
    }
}
