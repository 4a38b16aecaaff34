import Journal

/// A transaction that a node has sent: it may run now, later or never, and is seen still later.
final class Transaction {
    /// How far it has come.
    enum Stage {
        /// It is on the way, or waits for a row.
        case sent
        /// It has run and holds its rows; nobody sees it before the standby has it.
        case waiting
        /// It is committed, or has found nothing to do.
        case seen
        /// It was lost with its connection or its server.
        case gone
    }

    /// What it does.
    enum Work {
        case append(CommitPlan)
        /// Gives lives to nodes, each by number, term and new owner.
        case give([(life: Int, term: Int, to: Int)])
        /// Fences off what its node has sent before, and raises the terms of lives: an attempt to connect anew whose answer
        /// was not waited for.
        case raise(Set<Int>)
    }

    /// The node that has sent it, since which doubt, and as its which one.
    let node: Int
    let incarnation: Int
    let unit: Int
    let work: Work
    var stage = Stage.sent
    /// Whether the standby has it.
    var isDurable = false
    /// Whether its node was not fenced off when it ran, and which lives it has changed.
    var isOurs = false
    var stored: Set<Int> = []
    /// What it writes, once it has run.
    var effect: (inout Content) -> Void = { _ in }

    init(node: Int, incarnation: Int, unit: Int, _ work: Work) {
        self.node = node
        self.incarnation = incarnation
        self.unit = unit
        self.work = work
    }

    /// The rows of lives that it locks.
    var lives: Set<Int> {
        switch work {
        case .append(let plan): Set(plan.parts.values.map(\.life.id))
        case .give(let given): Set(given.map(\.life))
        case .raise(let lives): lives
        }
    }

    /// The names that it begins a life of.
    var begun: Set<String> {
        guard case .append(let plan) = work else { return [] }
        return Set(plan.parts.values.filter(\.isNew).map(\.life.name.director))
    }

    /// Whether it locks its node's row.
    var isCounted: Bool {
        switch work {
        case .append(let plan): plan.isCounted
        case .give: false
        case .raise: true
        }
    }
}
