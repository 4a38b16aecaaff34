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
        let song = AnyDifferentiable(Song(differenceIdentifier: 1, title: "a"))
        let adverts = ["x", "y"].map { AnyDifferentiable(Advert(differenceIdentifier: 1, text: $0)) }
        let (before, after) = ([song, adverts[0]], [adverts[1], song])
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
        #expect(
            Optional(a).isContentEqual(to: a) && !Optional(a).isContentEqual(to: b)
                && !Optional(a).isContentEqual(to: nil))
        #expect(Optional<Song>.none.isContentEqual(to: nil) && Optional<Song>.none.differenceIdentifier == nil)
        #expect([a].isContentEqual(to: [a]) && ![a].isContentEqual(to: [b]) && ![a].isContentEqual(to: [a, a]))
        #expect([a].differenceIdentifier == [1])
    }

    @Test("a section of a model and elements is followed by its model; a lazy list counts as a list")
    func sections() {
        typealias Part = ArraySection<Song, Number>
        func part(_ title: String, _ numbers: [Int]) -> Part {
            Part(model: Song(differenceIdentifier: 1, title: title), elements: numbers.lazy.map { Number($0) })
        }
        let (before, after) = ([part("a", [1, 2, 3])], [part("b", [1, 3])])
        let changeset = StagedChangeset(from: before, to: after)
        #expect(changeset.stages.flatMap(\.sectionUpdated).count == 1)
        #expect(changeset.stages.flatMap(\.elementDeleted).count == 1)
        #expect((try? before.applying(changeset)) == after)
        let lazy = StagedChangeset(from: (0..<3).lazy.map { Number($0) }, to: (1..<4).lazy.map { Number($0) })
        #expect(lazy == StagedChangeset(from: (0..<3).map { Number($0) }, to: (1..<4).map { Number($0) }))
    }

    private struct Number: Differentiable, Hashable {
        let value: Int

        init(_ value: Int) { self.value = value }
    }
}
