import ListDiff
import TestSupport
import Testing

@Suite("A list that is shown and lags behind")
struct ShownTests {
    /// Working state, the working state of the last reload, and what subscribers have been told.
    private struct Chain {
        var working: PersistentList<GlimpseShelf>
        var reference: PersistentList<GlimpseShelf>
        var shown: PersistentList<GlimpseShelf>

        init(_ list: PersistentList<GlimpseShelf>) {
            working = list
            reference = list
            shown = list
        }

        /// Whether what is shown looks like the working state.
        var isUpToDate: Bool {
            shown.elementsEqual(working) { shelf, other in
                shelf.id == other.id && shelf.isContentEqual(to: other)
                    && shelf.content.elementsEqual(other.content) { $0.id == $1.id && $0.isValueEqual(to: $1) }
            }
        }
    }

    @Test("is updated where what it shows differs, over long chains of reloads", arguments: 0..<4)
    func chains(shard: Int) throws {
        var generator = SeededGenerator(seed: runSeed &+ UInt64(shard))
        var (reloads, lagging) = (0, 0)
        for _ in 0..<120 {
            var chain = Chain(generator.glimpses())
            for _ in 0..<12 {
                for _ in 0..<(1 + generator.below(8)) {
                    generator.change(&chain.working)
                }
                let staged = StagedChangeset(from: chain.reference, to: chain.working, shown: chain.shown)
                // What is compared directly with what is shown says which operations are due.
                let expected = StagedChangeset(from: Array(chain.shown), to: Array(chain.working))
                #expect(staged.counts == expected.counts, "CALLBOARD_SEED=\(runSeed) shard \(shard)")
                chain.shown = try chain.shown.applying(staged)
                chain.reference = chain.working
                reloads += 1
                lagging += chain.shown == chain.working ? 0 : 1
                guard chain.isUpToDate else {
                    Issue.record("CALLBOARD_SEED=\(runSeed) shard \(shard): \(staged) leaves \(chain.shown)")
                    return
                }
            }
        }
        #expect(lagging * 4 > reloads, "too seldom did the list lag behind: \(lagging) of \(reloads)")
    }
}

extension StagedChangeset {
    /// How many operations of each kind there are, and how many elements are replaced.
    fileprivate var counts: [Int] {
        [
            stages.reduce(0) { $0 + $1.elementUpdated.count }, stages.reduce(0) { $0 + $1.sectionDeleted.count },
            stages.reduce(0) { $0 + $1.elementDeleted.count }, stages.reduce(0) { $0 + $1.sectionInserted.count },
            sectionMoves, stages.reduce(0) { $0 + $1.elementInserted.count }, elementMoves,
            stages.reduce(0) { $0 + $1.sectionUpdated.count }, replaced.count,
        ]
    }
}

extension SeededGenerator {
    /// Lists without duplicates, so that it is plain what continues what.
    fileprivate mutating func glimpses() -> PersistentList<GlimpseShelf> {
        PersistentList(
            (0..<(1 + below(4))).map { id in
                GlimpseShelf(id, PersistentList((0..<below(90)).map { Glimpse(id: id * 1_000 + $0) }))
            })
    }

    fileprivate mutating func change(_ list: inout PersistentList<GlimpseShelf>) {
        let shelf = below(list.count)
        let count = list[shelf].content.count
        switch below(10) {
        case 0: list.move(from: shelf, to: below(list.count))
        case 1: list.update(at: shelf) { $0.title = below(3) }
        case 2: list.update(at: shelf) { $0.detail += 1 }
        case 3: list.update(at: shelf) { $0.content.insert(Glimpse(id: Int(next() >> 8)), at: below(count + 1)) }
        case _ where count == 0: break
        case 4: list.update(at: shelf) { _ = $0.content.remove(at: below(count)) }
        case 5: list.update(at: shelf) { $0.content.move(from: below(count), to: below(count)) }
        case 6: cross(&list, shelf, below(count))
        case 7: list.update(at: shelf) { shelf in shelf.content.update(at: below(count)) { $0.content = below(3) } }
        case 8: list.update(at: shelf) { shelf in shelf.content.update(at: below(count)) { $0.detail = below(3) } }
        default: list.update(at: shelf) { shelf in shelf.content.update(at: below(count)) { $0.spelling += 1 } }
        }
    }

    private mutating func cross(_ list: inout PersistentList<GlimpseShelf>, _ shelf: Int, _ element: Int) {
        let item = list.update(at: shelf) { $0.content.remove(at: element) }
        list.update(at: below(list.count)) { $0.content.insert(item, at: below($0.content.count + 1)) }
    }
}
