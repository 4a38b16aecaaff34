import Foundation
import ListDiff

/// Measures finding a difference against the standard library's `difference(from:).inferringMoves()`.
enum DiffBenchmarks {
    /// Runs all of them and prints a result line for each; it takes about a minute.
    static func run() {
        let small = DiffInput.ranges(count: 5_000, deleted: 2_000..<3_000, inserted: 3_000..<4_000, shuffled: 0..<200)
        let large = DiffInput.ranges(
            count: 100_000,
            deleted: 20_000..<30_000,
            inserted: 30_000..<40_000,
            shuffled: 0..<2_000
        )
        let smallScattered = DiffInput.scattered(count: 5_000, deleted: 1_000, inserted: 1_000, shuffled: 200)
        let largeScattered = DiffInput.scattered(count: 100_000, deleted: 10_000, inserted: 10_000, shuffled: 2_000)
        for input in [small, smallScattered] {
            DiffBenchmark(input: input, rounds: 25, repeats: 50, target: 100).run()
        }
        for input in [large, largeScattered] {
            DiffBenchmark(input: input, rounds: 5, repeats: 20, target: 200).run()
        }
    }
}

/// Two lists of UUIDs: the second lacks some, has others anew, and some in another order.
struct DiffInput {
    let name: String
    let source: [UUID]
    let target: [UUID]

    /// Changes one range each: what a page of results replaced or a block of rows pasted looks like.
    static func ranges(count: Int, deleted: Range<Int>, inserted: Range<Int>, shuffled: Range<Int>) -> Self {
        let source = (0..<count).map { _ in UUID() }
        var target = source
        target.removeSubrange(deleted)
        target.insert(contentsOf: inserted.map { _ in UUID() }, at: inserted.lowerBound)
        target[shuffled].shuffle()
        let name = self.name(count, deleted.count, inserted.count, shuffled.count, "in ranges")
        return Self(name: name, source: source, target: target)
    }

    /// Changes elements all over the list, so that there is no beginning or end in common to speak of.
    static func scattered(count: Int, deleted: Int, inserted: Int, shuffled: Int) -> Self {
        let source = (0..<count).map { _ in UUID() }
        let gone = Set(source.indices.shuffled().prefix(deleted))
        var target = source.indices.filter { !gone.contains($0) }.map { source[$0] }
        let places = Array(target.indices.shuffled().prefix(shuffled))
        for (place, element) in zip(places, places.shuffled().map { target[$0] }) {
            target[place] = element
        }
        let arrivals = Set((0..<(target.count + inserted)).shuffled().prefix(inserted))
        var staying = target.makeIterator()
        target = (0..<(target.count + inserted)).map { arrivals.contains($0) ? UUID() : staying.next() ?? UUID() }
        return Self(name: name(count, deleted, inserted, shuffled, "scattered"), source: source, target: target)
    }

    private static func name(_ count: Int, _ deleted: Int, _ inserted: Int, _ shuffled: Int, _ how: String) -> String {
        "diff of \(count) UUIDs, \(deleted) deleted, \(inserted) inserted, \(shuffled) shuffled, \(how)"
    }
}

/// One input, found the difference of in turn by both: each round's pair runs close together, so that both see the
/// machine in the same state, and the medians are compared.
struct DiffBenchmark {
    let input: DiffInput
    let rounds: Int
    /// How often we find the difference in each round.
    let repeats: Int
    let target: Double

    /// Runs the rounds and prints the result line.
    func run() {
        var ours: [Duration] = []
        var yardstick: [Duration] = []
        verify()
        for _ in 0..<rounds {
            // Ours is short, so that one reading covers many: what interrupts it counts as it does for the yardstick.
            let reading = ContinuousClock().measure {
                for _ in 0..<repeats {
                    keep(difference())
                }
            }
            ours.append(reading / repeats)
            yardstick.append(ContinuousClock().measure { keep(standardDifference()) })
        }
        BenchmarkResult.times(
            input.name, ours: median(ours), yardstick: "difference(from:).inferringMoves()", median(yardstick),
            target: .atLeast(target)
        ).report()
    }

    private func difference() -> StagedChangeset<LinearSection<UUID>> {
        StagedChangeset(from: input.source, to: input.target)
    }

    private func standardDifference() -> CollectionDifference<UUID> {
        input.target.difference(from: input.source).inferringMoves()
    }

    /// Stops the program unless both differences lead from the source to the target; not part of what is timed.
    private func verify() {
        guard (try? input.source.applying(difference())) == input.target else {
            refute("\(input.name): the replay does not give the target")
        }
        guard input.source.applying(standardDifference()) == input.target else {
            refute("\(input.name): the standard library's replay does not give the target")
        }
    }
}

extension UUID: Differentiable {}
