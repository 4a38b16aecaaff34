import ListDiff
import Testing

@Suite("Lists of several types, and ready-made sections")
struct AnyDifferentiableTests {
    private struct Song: Differentiable, Equatable {
        let differenceIdentifier: Int
        var title: String
    }

    private struct Advert: Differentiable, Equatable {
        let differenceIdentifier: Int
        var text: String
    }

    @Test("values of two types with one identifier are two things; one of the same type is followed")
    func types() {
        let before = [AnyDifferentiable(Song(differenceIdentifier: 1, title: "a")), AnyDifferentiable(Advert(differenceIdentifier: 1, text: "x"))]
        let after = [AnyDifferentiable(Advert(differenceIdentifier: 1, text: "y")), AnyDifferentiable(Song(differenceIdentifier: 1, title: "a"))]
        let stages = StagedChangeset(from: before, to: after).stages
        #expect(stages.flatMap(\.elementUpdated).count == 1 && stages.flatMap(\.elementMoved).count == 1)
        #expect(stages.flatMap(\.elementDeleted).isEmpty && stages.flatMap(\.elementInserted).isEmpty)
    }

    @Test("a value that is wrapped twice is the value that is wrapped once")
    func twice() {
        let song = Song(differenceIdentifier: 1, title: "a")
        let (once, twice) = (AnyDifferentiable(song), AnyDifferentiable(AnyDifferentiable(song)))
        #expect(once.differenceIdentifier == twice.differenceIdentifier && twice.base as? Song == song)
        #expect(once.isContentEqual(to: twice) && once.isValueEqual(to: twice))
    }

    @Test("optional values and arrays are equal in content where what they hold is")
    func containers() {
        let (a, b) = (Song(differenceIdentifier: 1, title: "a"), Song(differenceIdentifier: 1, title: "b"))
        #expect(Optional(a).isContentEqual(to: a) && !Optional(a).isContentEqual(to: b) && !Optional(a).isContentEqual(to: nil))
        #expect(Optional<Song>.none.isContentEqual(to: nil) && Optional<Song>.none.differenceIdentifier == nil)
        #expect([a].isContentEqual(to: [a]) && ![a].isContentEqual(to: [b]) && ![a].isContentEqual(to: [a, a]))
        #expect([a].differenceIdentifier == [1])
    }

    @Test("a section of a model and elements is followed by its model; a lazy list counts as a list")
    func sections() {
        typealias Part = ArraySection<Song, Int>
        let before = [Part(model: Song(differenceIdentifier: 1, title: "a"), elements: [1, 2, 3])]
        let after = [Part(model: Song(differenceIdentifier: 1, title: "b"), elements: [3, 1].reversed())]
        let changeset = StagedChangeset(from: before, to: after)
        #expect(changeset.stages.flatMap(\.sectionUpdated).count == 1)
        #expect(changeset.stages.flatMap(\.elementDeleted).count == 1)
        #expect((try? before.applying(changeset)) == after)
        let lazy = StagedChangeset(from: (0..<3).lazy.map { $0 }, to: (1..<4).lazy.map { $0 })
        #expect(lazy == StagedChangeset(from: [0, 1, 2], to: [1, 2, 3]))
    }
}
