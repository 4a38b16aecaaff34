import TestSupport
import Testing

@testable import CallboardServer

@Suite("The numbers that were taken of a node's messages")
struct SequenceWindowTests {
    /// What a window is to do, in a set that forgets nothing.
    private struct Model {
        var taken: Set<Int> = []
        var highest = 0

        mutating func take(_ number: Int) -> Bool {
            guard number > 0, number > highest - SequenceWindow.size else { return false }
            highest = max(highest, number)
            return taken.insert(number).inserted
        }
    }

    /// A window that is asked in an expression.
    private final class Asked {
        private var window = SequenceWindow()

        func take(_ number: Int) -> Bool { window.take(number) }
    }

    @Test("random numbers around the window's ends are taken as a set takes them")
    func random() {
        var generator = SeededGenerator(seed: runSeed)
        let steps = [1, 2, 63, 64, 65, 1000, SequenceWindow.size - 1, SequenceWindow.size, SequenceWindow.size + 1]
        for _ in 0..<20 {
            let window = Asked()
            var model = Model()
            for _ in 0..<20_000 {
                let step = steps[generator.below(steps.count)]
                let number: Int
                switch generator.below(8) {
                case 0: number = model.highest + step
                case 1: number = model.highest - step
                case 2: number = model.highest - generator.below(2 * SequenceWindow.size)
                case 3: number = model.highest + generator.below(200)
                default: number = model.highest + 1 - generator.below(64)
                }
                let expected = model.take(number)
                #expect(window.take(number) == expected, "\(number), behind \(model.highest); seed \(runSeed)")
            }
        }
    }

    @Test("each number is taken once, in order and the other way round")
    func order() {
        let window = Asked()
        for number in 1...3 * SequenceWindow.size { #expect(window.take(number)) }
        for number in 1...3 * SequenceWindow.size { #expect(!window.take(number)) }
        let backwards = Asked()
        for number in (1...SequenceWindow.size).reversed() { #expect(backwards.take(number)) }
        for number in 1...SequenceWindow.size { #expect(!backwards.take(number)) }
    }

    @Test("the ends of Int are no trap")
    func ends() {
        let window = Asked()
        for number in [Int.min, -1, 0] { #expect(!window.take(number)) }
        #expect(window.take(.max) && !window.take(.max) && window.take(.max - 1) && !window.take(1))
        #expect(!window.take(.max - SequenceWindow.size) && window.take(.max - SequenceWindow.size + 1))
    }
}
