import DirectorLife
import Journal

/// A node's writing thread: it commits what is queued, and settles what is in doubt.
struct Writer {
    /// What is queued.
    enum Item {
        case change(Change, Host)
        /// Lives to be given to nodes, of which nothing is in flight.
        case give([(id: Int, director: String, to: Int)])
    }

    /// What the follower has found, and is taken over between two commits.
    enum IndexChange {
        case own(IndexedLife)
        case disown(LifeRow)
    }

    /// What runs in the database at this moment.
    struct Running {
        let transaction: Transaction
        /// Whose results it brings; none for lives that are given.
        let hosts: [Host]
        /// The lives that are given, where it is about that.
        var given: [Int] = []
    }

    var index: [String: IndexedLife] = [:]
    var queue: [Item] = []
    var isConnected = true
    var incarnation = 1
    var unit = 0
    var running: Running?
    /// A transaction of which it is not known whether it is stored.
    var doubt: Running?
    /// What is known and was not told yet.
    var results: [(change: Change, host: Host, error: StorageError?)] = []
    /// What was told, and the follower has not been told of: lives as they were then, and their directors.
    var told: (lives: [IndexedLife], directors: Set<String>) = ([], [])
    /// What is to be taken over before the next commit.
    var changes: [IndexChange] = []
    /// Lives of which it is not known whether they were handed over.
    var handoversInDoubt: Set<Int> = []
    /// Whether the node is fenced off as a whole.
    var isTaken = false

    /// Whether there is nothing to do.
    var isIdle: Bool {
        queue.isEmpty && running == nil && doubt == nil && results.isEmpty && told.directors.isEmpty && changes.isEmpty
    }

    /// Takes the next transaction from the queue.
    mutating func next(_ database: SimulatedDatabase, node: Int) -> (Transaction, hosts: [Host], given: [Int])? {
        guard let first = queue.first else { return nil }
        if case .give(let lives) = first {
            queue.removeFirst()
            let owned = lives.compactMap { life in
                index[life.director].flatMap { $0.id == life.id && !$0.isTaken ? ($0, life.to) : nil }
            }
            let work = Transaction.Work.give(owned.map { (life: $0.0.id, term: $0.0.term, to: $0.1) })
            return (Transaction(node: node, incarnation: incarnation, unit: unit, work), [], lives.map(\.id))
        }
        var plan = CommitPlan(checksOwnership: database.fault != .keepsQueued)
        var hosts: [Host] = []
        while case .change(let change, let host)? = queue.first {
            guard plan.add(change, index, newLife: database.takeLife) else { break }
            queue.removeFirst()
            hosts.append(host)
        }
        unit += 1
        return (Transaction(node: node, incarnation: incarnation, unit: unit, .append(plan)), hosts, [])
    }

    /// Takes over what a transaction has stored, and what its requesters are to be told.
    mutating func apply(_ plan: CommitPlan, stored: Set<Int>, inDoubt: Set<Int> = [], hosts: [Host]) {
        for (director, part) in plan.parts {
            guard stored.contains(part.life.id) else {
                setTaken(director, part.life.id)
                continue
            }
            if part.isEnded {
                if index[director]?.id == part.life.id { index[director] = nil }
            } else {
                index[director] = part.life
            }
        }
        for ((change, life), host) in zip(plan.results, hosts) {
            let error: StorageError? =
                switch life {
                case let life? where stored.contains(life): nil
                case let life? where inDoubt.contains(life): .inDoubt("a snapshot stands for it")
                default: .superseded("it is not the next one, or was taken")
                }
            results.append((change, host, error))
        }
    }

    mutating func setTaken(_ director: String, _ id: Int) {
        if index[director]?.id == id { index[director]?.isTaken = true }
    }

    /// Takes over what the follower has found.
    mutating func takeChanges() {
        for change in changes {
            switch change {
            case .own(let life): index[life.name.director] = life
            case .disown(let row):
                if index[row.name.director]?.id == row.id { index[row.name.director] = nil }
            }
        }
        changes = []
    }
}
