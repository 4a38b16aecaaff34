import ListDiff

@testable import ListDiffTesting

/// Judges the changeset between two persistent lists: by the oracle, and beside the batch algorithm.
struct ReloadJudge {
    let source: PersistentList<Shelf>
    let target: PersistentList<Shelf>

    /// What is wrong with the changeset that the library finds, or nil.
    func violation() -> Violation? {
        violation(of: StagedChangeset(from: source, to: target))
    }

    /// What is wrong with a changeset from the source to the target, or nil.
    func violation(of staged: StagedChangeset<Shelf>) -> Violation? {
        let pair = Pair(source: source.plain, target: target.plain)
        let plain = staged.plain
        guard plain.stages.allSatisfy(\.isAscending), plain.isReplacedAscending else {
            return Violation("a stage is not in ascending order: \(plain)")
        }
        return Judge(pair).violation(of: plain) ?? moves(plain, pair) ?? replay(staged, plain, pair)
    }

    /// As many moves as the batch algorithm finds, where one pairing of the sections is right.
    private func moves(_ staged: StagedChangeset<Group>, _ pair: Pair) -> Violation? {
        let batch = StagedChangeset(from: pair.source, to: pair.target)
        let sections = batch.sectionMoves == staged.sectionMoves
        if sections && (batch.elementMoves == staged.elementMoves || !pair.hasOnePairing) {
            return nil
        }
        return Violation(
            "\(staged.sectionMoves) and \(staged.elementMoves) moves, \(batch.sectionMoves) and \(batch.elementMoves) in batch"
        )
    }

    /// Persistent lists are changed as arrays are.
    private func replay(_ staged: StagedChangeset<Shelf>, _ plain: StagedChangeset<Group>, _ pair: Pair) -> Violation? {
        do {
            let replayed = try source.applying(staged)
            return replayed.plain == pair.target ? nil : Violation("the replay on the tree gives \(replayed.plain)")
        } catch {
            return Violation("the replay on the tree is refused: \(error)")
        }
    }
}

extension Pair {
    /// Whether the sections can be paired in one way only: no identifier of both sides is repeated on either.
    fileprivate var hasOnePairing: Bool {
        let counts = [source, target].map { sections in
            Dictionary(sections.map { ($0.id, 1) }, uniquingKeysWith: +)
        }
        return counts[0].allSatisfy { id, count in counts[1][id].map { count == 1 && $0 == 1 } ?? true }
    }
}

extension StagedChangeset {
    var sectionMoves: Int { stages.reduce(0) { $0 + $1.sectionMoved.count } }
    var elementMoves: Int { stages.reduce(0) { $0 + $1.elementMoved.count } }
}
