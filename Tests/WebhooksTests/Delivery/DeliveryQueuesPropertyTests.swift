import Directors
import TestSupport
import Testing

@testable import Webhooks

/// Random things happen to the queues, and what was promised holds after each.
struct DeliveryQueuesPropertyTests {
    private static func violation(_ steps: [DeliveryStep], fault: DeliveryWorld.Fault? = nil) -> String? {
        var world = DeliveryWorld(fault: fault)
        for step in steps where world.violation == nil { world.take(step) }
        world.finish()
        return world.violation
    }

    private static func steps(_ seed: UInt64, _ count: Int) -> [DeliveryStep] {
        var random = SeededGenerator(seed: seed)
        return (0..<count).map { _ in DeliveryStep(&random) }
    }

    @Test("order, bounds and what was acknowledged hold, whatever is stored, arrives, fails or is killed")
    func everythingHolds() {
        let seed = SeededGenerator.seedOfRun("delivery queues")
        for round in 0..<120 as Range<UInt64> {
            let steps = Self.steps(seed &+ round, 150)
            guard Self.violation(steps) != nil else { continue }
            let fewer = steps.shrunk { Self.violation($0) != nil }
            Issue.record("seed \(seed &+ round): \(Self.violation(fewer) ?? "") after \(fewer)")
            return
        }
    }

    @Test("a fault that is planted is seen", arguments: DeliveryWorld.Fault.allCases)
    func plantedFault(_ fault: DeliveryWorld.Fault) {
        let seed = SeededGenerator.seedOfRun("delivery queues with a fault")
        let isSeen = (0..<200 as Range<UInt64>).contains {
            Self.violation(Self.steps(seed &+ $0, 150), fault: fault) != nil
        }
        #expect(isSeen, "seed \(seed)")
    }
}
