import Directors
import Journal
import Webhooks

// What a hook's target brings about: on the director's loop and through the journal, as what a request does, but with no
// request that waits for it.

extension DirectorHost {
    /// The hook that is stored at an address of this life.
    func storedHook(at address: HookAddress) -> EventHook? {
        stored.hooks[address.level, address.event]
    }

    /// Disables a hook whose target is gone.
    ///
    /// - Returns: Why that was not stored; nil where it was, or where there was nothing to disable.
    func disableHook(at address: HookAddress, reason: String) async -> JournalError? {
        await withCheckedContinuation { continuation in
            guard case .living = phase else { return continuation.resume(returning: nil) }
            let before = director
            guard director.disableHook(on: address.event, at: address.level, reason: reason) else {
                return continuation.resume(returning: nil)
            }
            var outcome = Outcome(reply: Reply())
            redefine(since: before, &outcome)
            store(outcome, for: .hook { continuation.resume(returning: $0) }, key: nil)
        }
    }

    /// Performs what an answer asks for, as one batch; once for each event, however often its answer comes.
    ///
    /// An answer that cannot be performed will not be any better when it comes again, so the event counts as delivered;
    /// one that could not be stored will.
    func apply(_ batch: OperationBatch, of event: String) async -> ApplyOutcome {
        // No client's key has a space in it.
        let key = "event \(event)"
        return await withCheckedContinuation { continuation in
            guard case .living = phase else { return continuation.resume(returning: .nothing) }
            switch idempotency.look(up: key, fingerprint: 0) {
            case .new: break
            case .repeated, .mismatch: return continuation.resume(returning: .applied)
            case .underWay: return continuation.resume(returning: .tryAgain("the answer is being stored already"))
            }
            let operations = batch.operations.map(\.resolved)
            do throws(DirectorError) {
                try director.perform(batch: operations)
            } catch {
                return continuation.resume(returning: .refused(error.detail))
            }
            var outcome = Outcome(reply: .noContent(etag: nil))
            if !operations.isEmpty { outcome.entries = [.performed(operations, revision: director.revision)] }
            if batch.reload { publish(batch.animations, into: &outcome) }
            guard !outcome.entries.isEmpty else { return continuation.resume(returning: .applied) }
            store(
                outcome,
                for: .hook { error in
                    continuation.resume(returning: error.map { .tryAgain(Problem($0).detail) } ?? .applied)
                }, key: key)
        }
    }
}
