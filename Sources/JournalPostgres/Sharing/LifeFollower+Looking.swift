import Access
import DirectorLife
import Foundation
import Journal
import Notation

// A look: rows of lives in, steps out, done one after the other.
extension LifeFollower {
    private enum Look {
        static let listen = Statement("listen", "LISTEN callboard")
        /// Waits for the standbys as each commit does: records seen after it are as durable as acknowledged ones. A
        /// primary that was just started may show a record that no standby has.
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
    ///
    /// - Parameters:
    ///   - names: The directors that are asked for.
    ///   - limit: How long it may go on with loading what nobody asks for yet.
    func lookAtAll(_ names: Set<Name>, loading limit: Duration) throws {
        let began = ContinuousClock.now
        let (leaseEnd, begun) = journal.shared.withLock { ($0.renewedEnd, $0.begun) }
        let open = try connect()
        hinted = []
        let results = try open.run([Look.nodes(), Look.all(), Look.tokens()], within: sharing.lookDeadline)
        let wakeUp = try noteNodes(results[0])
        try perform(compare(rows(results[1]), .all, begun))
        try retryUnreadable()
        try load(directory.asked(for: names))
        let isLoaded = try loadInheritable(within: limit)
        try noteTokens(
            try results[2].rows.map { [try $0.integer(0, "the tokens"), try $0.integer(1, "the tokens")] }.first)
        try takeAndGive()
        try sweep()
        unloadIdle()
        tellPlacement()
        journal.shared.withLock { $0.leaseEnd = leaseEnd }
        status.withLock { $0.lookedAt = began }
        nextLook = isLoaded ? .now + min(sharing.lookInterval, wakeUp) : .now
    }

    /// Looks at some lives.
    func look(at ids: Set<Int>, _ names: Set<Name>) throws {
        let open = try connect()
        var parameters = Parameters()
        parameters.add(Array(ids))
        parameters.add(names.map(\.text))
        let begun = journal.shared.withLock { $0.begun }
        let result = try open.run([Look.some(parameters)], within: sharing.lookDeadline)[0]
        hinted.subtract(ids)
        try perform(compare(rows(result), .some(ids: ids, names: names), begun))
        try load(directory.asked(for: names))
        tellPlacement()
    }

    /// The connection; a new one where there is none.
    func connect() throws -> Connection {
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
            throw Committer.unregistered
        }
        connection = open
        return open
    }

    private func compare(
        _ rows: [LifeRow], _ scope: LifeDirectory.Scope, _ begun: [Int: LifeName]
    ) -> [LifeDirectory.Step] {
        status.withLock { status in
            status.looks += 1
            status.lagRecords = rows.reduce(0) { sum, row in
                guard let life = directory.lives[row.id], life.standing == .followed else { return sum }
                return sum + max(0, row.head - life.number)
            }
        }
        let steps = directory.note(rows, of: scope, begun: begun) { row in
            observer?.holds(row.name) == false ? nil : journal.acknowledged(row)
        }
        let found = begun.keys.filter { directory.lives[$0] != nil }
        if !found.isEmpty { journal.shared.withLock { shared in for id in found { shared.begun[id] = nil } } }
        return steps
    }
}

extension LifeRow {
    /// Reads and checks a row of a look.
    init(_ row: DatabaseRow) throws {
        let id = try row.integer(0, "a row of lives")
        let place = "life \(id)"
        let (director, epoch) = (try row.text(1, place), try row.text(2, place))
        guard try row.integer(6, place) == RowChecksum.life(id, director: director, epoch: epoch) else {
            throw RowChecksum.rows.fault(place)
        }
        self.init(
            id: id, name: LifeName(director: director, epoch: epoch), owner: try row.integer(3, place),
            term: try row.integer(4, place), head: try row.integer(5, place))
    }
}
