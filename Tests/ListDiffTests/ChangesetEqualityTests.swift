import ListDiff
import TestSupport
import Testing

@testable import ListDiffTesting

@Suite("Equal changesets")
struct ChangesetEqualityTests {
    @Test("the order of the operations within a stage means nothing, and everything else does")
    func order() {
        let seed = SeededGenerator.seedOfRun("equal changesets")
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<500 {
            let pair = generator.pair()
            let changeset = StagedChangeset(from: pair.source, to: pair.target)
            var other = changeset
            for index in other.stages.indices { other.stages[index].shuffle(using: &generator) }
            other.replaced.shuffle(using: &generator)
            #expect(changeset == other)
            guard let stage = other.stages.indices.randomElement(using: &generator) else { continue }
            other.stages[stage].sectionDeleted.append(1_000_000)
            #expect(changeset != other)
            other = changeset
            other.stages.append(other.stages.removeFirst())
            #expect((changeset == other) == (changeset.stages.count == 1))
        }
    }
}

extension Changeset {
    fileprivate mutating func shuffle(using generator: inout SeededGenerator) {
        elementUpdated.shuffle(using: &generator)
        sectionDeleted.shuffle(using: &generator)
        elementDeleted.shuffle(using: &generator)
        sectionInserted.shuffle(using: &generator)
        sectionMoved.shuffle(using: &generator)
        elementInserted.shuffle(using: &generator)
        elementMoved.shuffle(using: &generator)
        sectionUpdated.shuffle(using: &generator)
    }
}
