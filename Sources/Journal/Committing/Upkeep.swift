/// Rows that are no longer needed, and are deleted a few at a time between commits.
package struct Upkeep: Sendable {
    /// A piece of the work.
    package enum Step: Sendable {
        /// Records of a life up to a number.
        case records(life: Int, through: Int)
        /// Snapshots of a life up to a number, whether complete or not, with their chunks.
        case snapshots(life: Int, through: Int)
        /// Answers of a life.
        case answers(life: Int, [Int])
        /// Notifications of a life that has ended, which its owner has not come to forget.
        case deliveries(Int)
        /// Everything of a life that has ended.
        case life(Int)
    }

    /// The pieces, in order.
    package private(set) var steps: [Step] = []

    /// Nothing to do yet.
    package init() {}

    /// Whether there is nothing to do.
    package var isEmpty: Bool { steps.isEmpty }

    /// The next piece.
    package var first: Step? { steps.first }

    /// Adds a piece.
    package mutating func add(_ step: Step) { steps.append(step) }

    /// Has answers deleted.
    package mutating func forget(_ answers: [Int], of life: Int) {
        if !answers.isEmpty { steps.append(.answers(life: life, answers)) }
    }

    /// Has everything of a life deleted, the life itself at last.
    package mutating func end(_ life: Int) {
        steps += [.records(life: life, through: .max), .snapshots(life: life, through: .max), .life(life)]
    }

    /// Has everything deleted of a life that has ended under a server that is gone; nothing where that is to be done already.
    package mutating func endAbandoned(_ life: Int) {
        guard !steps.contains(where: { $0.life == life }) else { return }
        steps.append(.deliveries(life))
        end(life)
    }

    /// Leaves what is to be done for a life to its next owner, which finds it by itself.
    package mutating func leave(_ life: Int) {
        steps.removeAll { $0.life == life }
    }

    /// Removes the first piece, which is done.
    package mutating func finishFirst() {
        if !steps.isEmpty { steps.removeFirst() }
    }
}

extension Upkeep.Step {
    /// The life that it is about.
    package var life: Int {
        switch self {
        case .records(let life, _), .snapshots(let life, _), .answers(let life, _), .deliveries(let life),
            .life(let life):
            life
        }
    }
}
