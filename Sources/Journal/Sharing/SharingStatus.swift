import Directors
import Notation

/// A server among those that share a journal, as it has registered itself.
package struct JournalNode: Sendable, Hashable {
    /// What it does.
    package enum State: Int, Sendable, Hashable {
        /// It has the journal for itself.
        case alone = 0
        /// It reads what is stored, and owns nothing yet.
        case joining = 1
        /// It owns directors.
        case serving = 2
        /// It has handed over what it owned, and is about to end.
        case leaving = 3
    }

    /// Its number.
    package let number: Int
    /// What people call it.
    package let name: String
    /// Where other nodes reach it.
    package let url: String
    /// What it does.
    package let state: State
    /// When its lease ends, in seconds since 1970 by the database's clock.
    package let expiresAt: Int
    /// Whether it lived when it was looked at: its lease had not run out, and it had not ended.
    package private(set) var isLiving: Bool
    /// The version of its program, for people; empty for one that does not tell.
    package let program: String

    /// Makes a node.
    package init(
        number: Int, name: String, url: String, state: State, expiresAt: Int, isLiving: Bool, program: String = ""
    ) {
        self.number = number
        self.name = name
        self.url = url
        self.state = state
        self.expiresAt = expiresAt
        self.isLiving = isLiving
        self.program = program
    }

    /// The node with what was found out about its life.
    package func with(isLiving: Bool) -> JournalNode {
        var node = self
        node.isLiving = isLiving
        return node
    }

    /// Whether it takes part: directors are placed on it.
    package var isServing: Bool { state == .serving && isLiving }
}

/// The nodes that share the journal and the owner of each director, at one look.
package struct Placement: Sendable {
    /// The nodes by number.
    package var nodes: [Int: JournalNode] = [:]
    /// The owner of each director by name.
    package var owners: [Name: Int] = [:]

    /// The owner of a director that this node has taken and not loaded yet: no node has this number.
    package static let nobody = 0

    /// Makes a placement of nothing.
    package init() {}

    /// Takes note of owners that have changed; nil for directors that are gone.
    package mutating func note(_ changes: [Name: Int?]) {
        for (director, owner) in changes { owners[director] = owner }
    }

    /// The node that a new director of this name belongs to; nil where none takes part.
    package func preferred(for director: String) -> Int? {
        Rendezvous.owner(of: director, among: nodes.values.lazy.filter(\.isServing).map(\.number))
    }

    /// How many directors each node owns.
    package var counts: [Int: Int] {
        owners.values.reduce(into: [:]) { $0[$1, default: 0] += 1 }
    }
}

/// Highest random weight: each director belongs to the node that has the largest hash with it (Thaler and Ravishankar,
/// "Using name-based mappings to increase hit rates", 1998). A node that joins or leaves moves its own share alone.
package enum Rendezvous {
    /// The node of a director; nil among none.
    ///
    /// - Complexity: One hash for each node.
    package static func owner(of director: String, among nodes: some Sequence<Int>) -> Int? {
        nodes.lazy.map { weight(director, $0) }.max { $0 < $1 }?.1
    }

    private static func weight(_ director: String, _ node: Int) -> (UInt64, Int) {
        var hash = StableHash()
        hash.combine(director)
        hash.combine(node)
        return (hash.value, node)
    }
}

/// The state of following other nodes, and its counts since the journal was opened.
package struct SharingStatus: Sendable {
    /// The nodes and owners at the last look.
    package var placement = Placement()
    /// Records that are stored and not given to the observer yet, at the last look.
    package var lagRecords = 0
    /// The start of the last successful look at everything; the content here is as new as that.
    package var lookedAt: ContinuousClock.Instant?
    /// Looks that succeeded.
    package var looks = 0
    /// Directors taken from nodes that were gone.
    package var takeovers = 0
    /// Directors handed over to other nodes.
    package var handovers = 0
    /// Directors that another node has taken.
    package var losses = 0
    /// Lives that had to be begun anew since records in between were not there any more.
    package var restarts = 0
    /// Lives that were read as a whole.
    package var loads = 0
    /// Lives of other nodes that were unloaded since nobody had asked for them.
    package var unloads = 0
    /// The version that every program of the journal knows: nothing of a newer kind is stored.
    package var version = ContentVersion.plain
    /// Why the last look failed; nil where it succeeded.
    package var failure: String?

    /// Nothing done yet.
    package init() {}
}
