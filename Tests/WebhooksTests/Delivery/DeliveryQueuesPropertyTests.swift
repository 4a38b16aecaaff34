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

    @Test("notifications that come together count as they are placed: in the place of another, or behind it")
    func together() {
        let now = DeliveryWorld().now
        func waiting(_ delays: [Duration?]) -> Int {
            var queues = DeliveryQueues(settings: DispatcherSettings(maximumWaiting: .init(count: 2, bytes: 1 << 20)))
            let drafts = delays.enumerated().map { number, delay in
                DeliveryDraft(id: "\(number)", address: DeliveryWorld.hooks[0], body: [], coalesce: delay)
            }
            queues.accept(drafts, ticket: 1, at: now)
            return queues.waiting.count
        }
        #expect(waiting([nil, .zero, .zero]) == 2)
        #expect(waiting([.seconds(1), .seconds(1), nil]) == 2)
        #expect(waiting([nil, .zero, nil]) == 0, "three are too many")
        #expect(waiting([.zero, .zero, nil]) == 0, "the first is due, and is not replaced")
    }
}
