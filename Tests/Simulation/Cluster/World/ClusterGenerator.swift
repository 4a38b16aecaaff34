import TestSupport

/// Makes histories of clusters in which commits, looks and losses meet often.
struct ClusterGenerator: HistorySource {
    var random: SeededGenerator
    /// The most nodes of a history.
    let nodes: Int

    init(seed: UInt64, nodes: Int) {
        random = SeededGenerator(seed: seed)
        self.nodes = nodes
    }

    /// A random history; every other one has a sequence in it that leads to a place where faults show.
    mutating func history() -> ClusterHistory {
        let names = random.below(4) == 0 ? 2 : 1
        let nodes = 2 + random.below(self.nodes - 1)
        // One node is the one that most happens to, so that things follow from each other.
        let owner = random.below(nodes)
        let isLed = random.below(2) == 0
        let count = isLed ? 1 + random.below(8) : 12 + random.below(14)
        var steps = (0..<count).map { _ in step(names, nodes, owner) }
        if isLed { lead(&steps, names, nodes, owner) }
        return ClusterHistory(names: names, nodes: nodes, owner: owner, steps: steps)
    }

    private mutating func step(_ names: Int, _ nodes: Int, _ owner: Int) -> ClusterStep {
        let node = random.below(2) == 0 ? random.below(nodes) : owner
        return ClusterStep(action: action(), name: random.below(names), node: node)
    }

    /// Puts a sequence between random steps, with few random steps in it.
    private mutating func lead(_ steps: inout [ClusterStep], _ names: Int, _ nodes: Int, _ owner: Int) {
        let sequence = ClusterSequence.all[random.below(ClusterSequence.all.count)]
        let other = (owner + 1 + random.below(nodes - 1)) % nodes
        var place = random.below(steps.count + 1)
        for next in sequence.steps(owner: owner, other: other, name: random.below(names)) {
            if random.below(12) == 0 {
                steps.insert(step(names, nodes, owner), at: place)
                place += 1
            }
            steps.insert(next, at: place)
            place += 1
        }
    }

    private mutating func action() -> ClusterStep.Action {
        switch random.below(144) {
        case 0..<26: .command(command(), key: random.below(4) == 0 ? random.below(2) : nil)
        case 26..<44: .write(1 + random.below(3))
        case 44..<49: .loseAnswer
        case 49..<61: .handle(1 + random.below(4))
        case 61..<69: .look(takes: random.below(2) == 0, gives: random.below(2) == 0)
        case 69..<74: .beginLook(takes: random.below(2) == 0, gives: random.below(2) == 0)
        case 74..<84: .goOnLooking(1 + random.below(4))
        case 84..<89: .hint(random.below(4), isRepeated: random.below(4) == 0)
        case 89: .loseHints
        case 90, 91: .loseLook(isAway: random.below(2) == 0)
        case 92..<96: .proceed(random.below(4))
        case 96: .replicate
        case 97, 98: .restartPrimary
        case 99: .failOver
        case 100..<104: .pause
        case 104..<107: .goOn
        case 107..<109: .kill
        case 109: .leave
        case 110..<112: .start
        case 112: .renew
        case 113..<117: .wait(1 + random.below(12))
        case 117: .snapshot
        case 118: .unload(isForced: random.below(2) == 0)
        case 119..<122: .read
        case 122..<127: .connect(random.below(4))
        case 127: .damage(isRow: random.below(4) == 0)
        case 128: .mend
        case 135..<140: .work(1 + random.below(4))
        case 140: .loseJobs
        case 141..<144: .pair
        case 129, 130: .setClock(random.below(3) * 60 - 60)
        default: .disconnect(random.below(4))
        }
    }

    private mutating func command() -> Command {
        switch random.below(20) {
        case 0..<9: .set
        case 9: .append(isReloaded: false)
        case 10..<15: .append(isReloaded: true)
        case 15: .nothing
        case 16, 17: .delete
        default: .create
        }
    }
}
