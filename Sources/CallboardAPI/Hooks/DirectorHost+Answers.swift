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

    /// Disables a hook whose target is gone, unless another one has taken its place.
    ///
    /// - Parameter hook: The hook as it was when its target was called.
    /// - Returns: Whether there is nobody to be called at the address any more, or why that was not stored.
    func disableHook(
        _ hook: EventHook, at address: HookAddress, reason: String
    ) async -> Result<Bool, JournalError> {
        await withCheckedContinuation { continuation in
            guard case .living = phase, let current = director.hooks[address.level, address.event], !current.isDisabled
            else { return continuation.resume(returning: .success(true)) }
            let before = director
            guard current == hook, director.disableHook(on: address.event, at: address.level, reason: reason) else {
                return continuation.resume(returning: .success(false))
            }
            var outcome = Outcome(reply: Reply())
            // The dispatcher, which asks for this, calls the target no more.
            outcome.entries.append(.defined(director))
            announceShownDefinition(since: before, &outcome)
            store(
                outcome,
                for: .hook { error in continuation.resume(returning: error.map { .failure($0) } ?? .success(true)) },
                key: nil)
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
            let before = director
            do throws(DirectorError) {
                try director.perform(batch: operations)
            } catch {
                return continuation.resume(returning: .refused(error.detail))
            }
            var outcome = Outcome(reply: .noContent(etag: nil))
            if !operations.isEmpty { outcome.entries = [.performed(operations, revision: director.revision)] }
            if operations.contains(where: \.changesDefinition) { announceDefinition(since: before, &outcome) }
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
