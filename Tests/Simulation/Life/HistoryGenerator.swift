import TestSupport

/// Makes histories in which commands, results of the journal and losses of nodes meet often.
struct HistoryGenerator: HistorySource {
    var random: SeededGenerator
    /// The most nodes of a history.
    let nodes: Int

    init(seed: UInt64, nodes: Int = 2) {
        random = SeededGenerator(seed: seed)
        self.nodes = nodes
    }

    mutating func history() -> History {
        let names = random.below(8) == 0 ? 2 : 1
        let nodes = random.below(4) == 0 ? 1 : self.nodes
        let steps = (0..<10 + random.below(8)).map { _ in
            let node = random.below(3) == 0 ? random.below(nodes) : 0
            return Step(action: action(), name: random.below(names), node: node)
        }
        return History(names: names, nodes: nodes, isEmpty: random.below(10) == 0, steps: steps)
    }

    private mutating func action() -> Step.Action {
        switch random.below(100) {
        case 0..<38: .command(command(), random.below(3) == 0 ? key() : nil)
        case 38..<41: .beginQuestion(key())
        case 41..<45: .endQuestion(isAnswered: random.below(4) > 0)
        case 45..<57: .store(1 + random.below(3))
        case 57..<61: .fail
        case 61..<74: .deliver(1 + random.below(3), isSnapshotDue: random.below(3) == 0)
        case 74..<81: .follow(1 + random.below(4))
        case 81..<84: .takeOver
        case 84..<87: .stop(durable: random.below(3))
        case 87..<90: .start(fromSnapshot: random.below(2) == 0)
        case 90..<95: .connect(random.below(Subscriber.count))
        case 95..<98: .disconnect(random.below(Subscriber.count))
        default: .wait(hours: 1 + random.below(20))
        }
    }

    private mutating func key() -> Key {
        Key(name: random.below(2), fingerprint: random.below(8) == 0 ? 1 : 0)
    }

    private mutating func command() -> Command {
        switch random.below(60) {
        case 0..<30: .set
        case 30, 31: .append(isReloaded: false)
        case 32..<39: .append(isReloaded: true)
        case 39: .reload
        case 40: .setHeight(random.below(3))
        case 41: .register(random.below(3))
        case 42: .registerTwo(random.below(3))
        case 43: .batch(random.below(3))
        case 44: .registerByOperation(random.below(3))
        case 45: .setHook(event: random.below(2), target: random.below(2))
        case 46: .setTwoHooks(target: random.below(2))
        case 47: .removeHook(event: random.below(2))
        case 48: .failingBatch
        case 49, 50: .nothing
        case 51: .refresh
        case 52..<55: .delete
        default: .create
        }
    }
}
