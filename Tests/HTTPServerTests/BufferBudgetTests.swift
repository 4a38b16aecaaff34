import HTTPWire
import Testing

@testable import HTTPServer

@Suite("The budget of what is kept for clients")
struct BufferBudgetTests {
    @Test("threads that keep and let go of the same frames, at the bound and below it, leave nothing charged")
    func sharedFrames() async {
        for limit in [2500, 1_000_000] {
            let budget = BufferBudget(limit: limit)
            let frames = (0..<4).map { _ in
                EventFrame(ServerSentEvent(event: "e", data: [UInt8](repeating: 120, count: 1000)))
            }
            await withTaskGroup { group in
                for task in 0..<4 {
                    group.addTask {
                        var held: [EventFrame] = []
                        for step in 0..<20_000 {
                            // Each task keeps and lets go in a rhythm of its own.
                            if step % (5 + task) < 3 {
                                let frame = frames[(step + task) % frames.count]
                                if held.count < 3, budget.keep(frame) { held.append(frame) }
                            } else if let frame = held.popLast() {
                                budget.letGo(frame)
                            }
                        }
                        for frame in held { budget.letGo(frame) }
                    }
                }
            }
            #expect(budget.current == 0)
            #expect(frames.allSatisfy { $0.keepers.load(ordering: .relaxed) == 0 })
        }
    }

    @Test("what does not fit is not charged, and leaves room for what does")
    func bound() {
        let budget = BufferBudget(limit: 100)
        #expect(budget.take(60) && !budget.take(41) && budget.take(40) && !budget.take(1))
        #expect(budget.current == 100 && !budget.hasRoom(for: 1))
        budget.release(60)
        #expect(budget.hasRoom(for: 60) && !budget.hasRoom(for: 61))
    }
}
