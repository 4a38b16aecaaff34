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
        case append(Append)
        /// Gives lives to nodes: the requested handovers, and those of them whose lives the sending node writes.
        case give([FollowerMachine.Handover], [(life: LifeIndex.Life, node: Int)])
        /// Fences off what its node has sent before: an attempt to connect anew whose answer was not waited for.
        case raise(CommitterMachine.Attempt)
    }

    /// The fence of the node that has sent it.
    let fence: NodeFence
    let work: Work
    var stage = Stage.sent
    /// Whether the standby has it.
    var isDurable = false
    /// Whether its node was not fenced off when it ran, and which lives it has found as they were to be.
    var isOurs = false
    var found: Set<Int> = []
    /// What it writes, once it has run.
    var effect: (inout Content) -> Void = { _ in }

    init(_ fence: NodeFence, _ work: Work) { (self.fence, self.work) = (fence, work) }

    var node: Int { fence.node }

    /// The rows of lives that it locks.
    var lives: Set<Int> {
        switch work {
        case .append(let append): Set(append.parts.map(\.life.id))
        case .give(_, let lives): Set(lives.map(\.life.id))
        case .raise(let attempt): Set(attempt.lives)
        }
    }

    /// The names that it begins a life of.
    var begun: Set<String> {
        guard case .append(let append) = work else { return [] }
        return Set(append.parts.filter(\.isNew).map(\.life.director))
    }

    /// Whether it locks its node's row.
    var isCounted: Bool {
        switch work {
        case .append(let append): append.plan.isCounted
        case .give: false
        case .raise: true
        }
    }
}

/// What a transaction stores of a batch, with the changes that the plan has the units of.
struct Append {
    /// What it stores of one life.
    struct Part {
        /// The life as it stands afterwards, and the number of its newest record before.
        let life: LifeIndex.Life
        let before: Int
        let isNew: Bool
        let isEnded: Bool
        let changes: [Change]
        let answers: [Content.Answer]
    }

    let plan: BatchPlan
    let parts: [Part]

    /// Makes it of a plan and the changes of each unit.
    init(_ plan: BatchPlan, _ changes: [[Change]]) {
        self.plan = plan
        var taken: [(change: Change, life: Int)] = []
        for (changes, result) in zip(changes, plan.results) {
            switch result {
            case .success(.one(let life)): taken += changes.map { ($0, life) }
            case .success(.two(let one, let other)): taken += [(changes[0], one), (changes[1], other)]
            case .success(.none), .failure: break
            }
        }
        parts = plan.touched.values.map { touched in
            let id = touched.life.id
            let changes = taken.filter { $0.life == id }.map(\.change)
            let answers = zip(
                plan.answers.filter { $0.life == id }, changes.filter { $0.record.answer != nil && $0.step != .ends })
            return Part(
                life: touched.life, before: touched.before, isNew: touched.isNew, isEnded: touched.isEnded,
                changes: changes, answers: answers.map { Content.Answer(id: $0.0.row.id, change: $0.1) })
        }
    }
}
