import Access
import DirectorLife
import Foundation
import Journal
import Notation

// The connection, looks, and what is written of nodes and owners.
extension FollowerDriver {
    private enum Look {
        static let listen = Statement("listen", "LISTEN callboard")
        static let barrier = Statement(
            "barrier", [.int8], "UPDATE callboard.fences SET unit = unit WHERE node = $1 RETURNING node")
        private static let columns = "SELECT life, director, epoch, owner, term, head, checksum FROM callboard.lives"
        static let all = Statement("look-at-all", "\(columns) WHERE NOT ended")
        /// The oldest transaction that is not over. A statement after this one sees everything that earlier transactions have
        /// changed.
        static let position = Statement(
            "look-at-position", "SELECT pg_snapshot_xmin(pg_current_snapshot())::text::bigint")
        /// The lives that transactions from one on ($1) have changed, and some other lives ($2).
        static let changed = Statement(
            "look-at-changes", [.int8, .int8s],
            """
            WITH noted AS MATERIALIZED (
                SELECT DISTINCT unnest(lives) AS life FROM callboard.changes WHERE transaction >= $1::text::xid8
                UNION SELECT unnest($2::bigint[]))
            SELECT found.life, director, epoch, owner, term, head, checksum, noted.life
            FROM noted LEFT JOIN callboard.lives AS found ON found.life = noted.life AND NOT ended
            """)
        static let some = Statement(
            "look-at-some", [.int8s, .texts],
            """
            \(columns) WHERE NOT ended AND life = ANY ($1)
            UNION \(columns) WHERE NOT ended AND director = ANY ($2)
            """)
        static let nodes = Statement(
            "look-at-nodes",
            """
            SELECT node, name, url, state, (extract(epoch FROM expires) * 1000000)::bigint,
                \(NodeConnections.exist(of: "node")), program
            FROM callboard.nodes
            """)
        static let version = Statement("look-at-version", "SELECT version FROM callboard.version")
        static let tokens = Statement(
            "look-at-tokens", "SELECT count(*), coalesce(bit_xor(checksum), 0)::bigint FROM callboard.tokens")
    }

    private enum Own {
        static let abandoned = Statement(
            "find-abandoned",
            """
            SELECT life FROM callboard.lives WHERE ended AND NOT EXISTS (
                SELECT FROM callboard.nodes WHERE node = lives.owner AND expires > clock_timestamp())
            ORDER BY life LIMIT 256
            """)
        static let prune = Statement(
            "prune-changes", [.int8], "DELETE FROM callboard.changes WHERE transaction < $1::text::xid8")
        static let setState = Statement(
            "set-state", [.int8, .int8, .text],
            "UPDATE callboard.nodes SET state = $2, url = $3 WHERE node = $1 RETURNING node")
    }

    private static let cancelledWait = DatabaseFault.lost("the database's wait for a standby was cancelled")

    /// The connection, which the machine has asked for.
    func open() throws(DatabaseFault) -> Connection {
        guard let connection else { throw .unreachable("there is no connection") }
        return connection
    }

    mutating func connect() throws {
        connection = nil
        let open = try Connection.open(
            address, within: sharing.lookDeadline, session: Statements.session, node: machine.node)
        _ = try open.run([Look.listen()], within: sharing.lookDeadline)
        connection = open
    }

    /// Writes something that waits for the standbys; see ``FollowerMachine/Action/waitForStandbys``.
    static func waitForStandbys(_ open: Connection, node: Int, within deadline: Duration) throws {
        let warnings = open.warnings
        let found = try open.run([Look.barrier(Parameters(node))], within: deadline)[0]
        guard open.warnings == warnings else { throw cancelledWait }
        guard found.count > 0 else { throw Committer.unregistered }
    }

    mutating func read(_ scope: LifeDirectory.Scope) throws {
        let start = journal.shared.withLock { $0.writing.lookStart }
        let found: FollowerMachine.Found
        switch scope {
        case .all:
            let lives = machine.image.position(.now).map { position in
                var parameters = Parameters(position)
                parameters.add(machine.damagedRows.sorted())
                return Look.changed(parameters)
            }
            // The position comes first: what changes behind it may be read twice, and never not at all.
            let calls = [Look.nodes(), Look.position(), lives ?? Look.all(), Look.tokens(), Look.version()]
            var results = try open().run(calls, within: sharing.lookDeadline)
            let position = try results.remove(at: 1).first?.integer(0, "the notes of changes")
            let version = try results[3].first?.integer(0, "the table of the version") ?? 0
            guard version <= Schema.version else { throw Schema.tooNew(version) }
            let nodes = try results[0].rows.map { try FollowerMachine.FoundNode($0) }
            let digest = try results[2].first.map {
                [try $0.integer(0, "the tokens"), try $0.integer(1, "the tokens")]
            }
            let changed =
                lives == nil ? nil : Set(try results[1].rows.map { try $0.integer(7, "the notes of changes") })
            found = .init(
                start, rows: try rows(results[1]), nodes: nodes, tokens: digest ?? [], version: version,
                changed: changed,
                position: position)
        case .some(let ids, let names):
            var parameters = Parameters()
            parameters.add(Array(ids))
            parameters.add(names.map(\.text))
            let result = try open().run([Look.some(parameters)], within: sharing.lookDeadline)[0]
            found = .init(start, rows: try rows(result))
        }
        machine.looked(found, .now, holds: observer.holds) { [journal] row in
            journal.shared.withLock { $0.writing.writing(row) }
        }
        if case .all = scope { publishNodes() }
    }

    private func rows(_ result: DatabaseResult) throws -> [FollowerMachine.FoundRow] {
        try result.rows.filter { !$0.isNull(0) }.map { row in
            do {
                return .life(try LifeRow(row))
            } catch let damage as JournalDamage {
                guard let id = try? row.integer(0, damage.place) else { throw damage }
                return .damaged(id: id, director: try? row.text(1, damage.place), reason: damage.description)
            }
        }
    }

    // MARK: Writing

    func setState(_ state: JournalNode.State) throws {
        var parameters = Parameters(machine.node, state.rawValue)
        parameters.add(servedURL)
        let calls = [Statements.boundWaiting(), Own.setState(parameters), HintSender.notify("all")]
        _ = try open().run(calls, within: sharing.lookDeadline)
    }

    func findAbandoned() throws -> [Int] {
        try open().run([Own.abandoned()], within: sharing.lookDeadline)[0].rows.map {
            try $0.integer(0, "a row of lives")
        }
    }

    /// Deletes the notes of changes that every node has seen: of transactions that were over a while ago.
    mutating func pruneChanges() throws {
        if let over, .now - over.since < LifeImage.retention { return }
        let prune = over.map { [Statements.boundWaiting(), Own.prune(Parameters($0.position))] } ?? []
        let results = try open().run([Look.position()] + prune, within: sharing.lookDeadline)
        over = try results[0].first.map { (position: try $0.integer(0, "the notes of changes"), since: .now) }
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

extension JournalNode {
    /// Reads a row of a look.
    fileprivate init(_ row: DatabaseRow) throws {
        let place = "a row of nodes"
        // A state that a newer program knows: nothing is placed there, and nothing is taken from there while it lives.
        let state = State(rawValue: try row.integer(3, place)) ?? .leaving
        self.init(
            number: try row.integer(0, place), name: try row.text(1, place), url: try row.text(2, place), state: state,
            expiresAt: try row.integer(4, place) / 1_000_000, isLiving: true, program: try row.text(6, place))
    }
}

extension FollowerMachine.FoundNode {
    /// Reads a row of a look.
    fileprivate init(_ row: DatabaseRow) throws {
        let place = "a row of nodes"
        self.init(
            try JournalNode(row), lease: try row.integer(4, place), isConnected: try row.flag(5, place))
    }
}
