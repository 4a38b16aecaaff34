import Access
import Foundation
import Journal

// What a look finds of nodes and tokens.
extension LifeFollower {
    /// - Returns: How long until the first lease of another node may run out.
    func noteNodes(_ result: DatabaseResult) throws -> Duration {
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

    /// Reads a row that stands for itself. A damaged row is left out and told: one token, notification or kept answer
    /// does not hold up the lists.
    func leavingOutDamage(_ read: () throws -> Void) throws {
        do {
            try read()
        } catch let damage as JournalDamage {
            observer?.leftOut(damage)
        }
    }

    func noteTokens(_ digest: [Int]?) throws {
        guard digest != tokenDigest, let connection, let observer else { return }
        var entries: [TokenEntry] = []
        try connection.stream(TokenEntry.selection(), within: settings.deadline) { row in
            try leavingOutDamage { entries.append(try TokenEntry(row)) }
        }
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

extension JournalNode {
    /// Reads a row of a look.
    fileprivate init(_ row: DatabaseRow) throws {
        let place = "a row of nodes"
        // A state that a newer program knows: nothing is placed there, and nothing is taken from there while it lives.
        let state = State(rawValue: try row.integer(3, place)) ?? .leaving
        self.init(
            number: try row.integer(0, place), name: try row.text(1, place), url: try row.text(2, place), state: state,
            expiresAt: try row.integer(4, place), isLiving: try row.flag(5, place))
    }
}
