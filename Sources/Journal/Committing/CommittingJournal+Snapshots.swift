import DirectorLife
import Notation

/// Passes the chunks of a snapshot on, in order.
package typealias SnapshotChunks = @Sendable (_ take: ([UInt8]) throws -> Void) throws -> Void

// Snapshots, whose chunks are jobs of the writing thread.
extension CommittingJournal {
    package func isSnapshotDue(for director: String) -> Bool {
        thread.state.withLock { $0.due.contains(director) && !$0.inProgress.contains(director) }
    }

    package func isSnapshotWorthwhile(for director: String) -> Bool {
        thread.committer.withLock { committer in
            committer.life(of: director)?.isSnapshotWorthwhile(threshold: thread.snapshotThreshold) ?? false
        }
    }

    package func snapshot(_ state: LifeState, completion: @escaping @Sendable () -> Void) {
        writeSnapshot(SnapshotHead(of: state), chunks: state.forEachSnapshotChunk) { _ in completion() }
    }

    /// Writes a snapshot on the snapshots' thread.
    ///
    /// - Parameter chunks: Passes the chunks on in order, and is held back where it is faster than storing.
    package func writeSnapshot(
        _ head: SnapshotHead, chunks: @escaping SnapshotChunks,
        completion: @escaping @Sendable (Result<Void, JournalError>) -> Void
    ) {
        thread.state.withLock { state in
            state.due.remove(Name(head.director))
            state.inProgress.insert(Name(head.director))
        }
        thread.encoder.async {
            let result = Result { try self.store(head, chunks) }.mapError { Committer.journalError($0) }
            self.thread.state.withLock { state in
                state.inProgress.remove(Name(head.director))
                if case .success = result { state.metrics.snapshots += 1 }
            }
            completion(result)
        }
    }

    private func store(_ head: SnapshotHead, _ chunks: SnapshotChunks) throws {
        var draft = try wait { try $0.beginSnapshot(head) }
        do {
            try chunks { chunk in
                let last = draft
                draft = try wait { try $0.append(chunk, to: last) }
            }
            let whole = draft
            try wait { try $0.finish(whole) }
        } catch {
            let given = draft
            try? wait { $0.abandon(given) }
            throw error
        }
    }
}
