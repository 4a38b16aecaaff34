import Foundation
import Journal
import Notation

// What commits have come to: told to the loops, counted, and noted for the follower.
extension PostgresJournal {
    func deliver(_ settled: [CommitQueue.Outcome], took: Duration) {
        guard !settled.isEmpty else { return }
        let stored = StoredBatch(of: settled)
        let (reconnects, doubts) = thread.committer.withLock { ($0.connections - 1, $0.machine.doubts) }
        // A doubt may have raised the terms of lives of which nothing is stored.
        let directors =
            stored.units == settled.count
            ? Set(texts: stored.directors) : Set(directorsOf: settled.lazy.map(\.waiting))
        let (due, lives) =
            directors.isEmpty
            ? ([], [])
            : thread.committer.withLock {
                ($0.due(of: stored.directors, threshold: settings.snapshotThreshold), $0.lives(of: directors))
            }
        note(settled, stored, due: due, took: took) { metrics in
            (metrics.reconnects, metrics.doubts) = (reconnects, doubts)
            metrics.fenced += settled.count {
                if case .failure(.superseded) = $0.result { true } else { false }
            }
        }
        noteBegun(lives)
        CommitQueue.tell(settled)
        noteOwned(lives, settled)
        let news = Set(texts: stored.directors)
        hint(lives.lazy.filter { news.contains($0.director) }.map(\.id))
    }

    private func noteBegun(_ lives: [LifeIndex.Life]) {
        guard settings.sharing != nil else { return }
        shared.withLock { $0.writing.settled(lives) }
    }

    private func noteOwned(_ lives: [LifeIndex.Life], _ settled: [CommitQueue.Outcome]) {
        guard settings.sharing != nil else { return }
        shared.withLock { $0.writing.told(lives, Set(directorsOf: settled.lazy.map(\.waiting))) }
    }

    /// Takes note that the terms of the lives in doubt are about to be raised by this node itself.
    func noteDoubt() {
        let lives = thread.committer.withLock { $0.machine.inDoubt?.lives ?? [] }
        shared.withLock { $0.writing.doubted(lives) }
    }

    /// Takes note of lives that a commit is about to begin, for the follower, which sees them before it has ended.
    func noteBeginning(_ batch: ArraySlice<CommitQueue.Waiting>) {
        guard settings.sharing != nil else { return }
        let names = batch.compactMap(\.unit?.beginning)
        if !names.isEmpty { shared.withLock { $0.writing.begins(names) } }
    }
}

extension Committer {
    /// Some directors' lives, as this server has written them.
    func lives(of directors: Set<Name>) -> [LifeIndex.Life] {
        directors.compactMap { machine.index.lives[$0] }
    }
}
