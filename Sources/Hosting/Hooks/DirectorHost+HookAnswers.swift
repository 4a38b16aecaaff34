import DirectorLife
import Directors
import Journal
import Webhooks

// What a hook's target brings about: on the director's loop and through the journal, as what a request does, but with no
// request that waits for it.

extension DirectorHost {
    /// What is kept for an event whose answer was applied, in the form in which answers to requests are kept.
    private static let noContent = Array(#"{"status":204,"type":"application/json","body":""}"#.utf8)

    /// The hook that is stored at an address of this life.
    package func storedHook(at address: HookAddress) -> EventHook? {
        stored.director.hooks[address.level, address.event]
    }

    /// Disables a hook whose target is gone, unless another one has taken its place.
    ///
    /// - Parameters:
    ///   - hook: The hook as it was when its target was called.
    ///   - address: Where it is.
    ///   - reason: Why, a sentence without its full stop.
    /// - Returns: Whether there is nobody to be called at the address any more, or why that was not stored.
    package func disableHook(
        _ hook: EventHook, at address: HookAddress, reason: String
    ) async -> Result<Bool, StorageError> {
        await withCheckedContinuation { continuation in
            var draft = draft()
            guard refusal(isRead: false) == nil, let current = draft.director.hooks[address.level, address.event],
                !current.isDisabled
            else { return continuation.resume(returning: .success(true)) }
            // The dispatcher, which asks for this, calls the target no more.
            guard current == hook,
                draft.define(
                    tellsDispatcher: false, { $0.disableHook(on: address.event, at: address.level, reason: reason) })
            else { return continuation.resume(returning: .success(false)) }
            commit(draft) { error in continuation.resume(returning: error.map { .failure($0) } ?? .success(true)) }
        }
    }

    /// Performs what an answer asks for, as one batch; once for each event, however often its answer comes.
    ///
    /// An answer that cannot be performed will not be any better when it comes again, so the event counts as delivered;
    /// one that could not be stored will.
    package func apply(_ batch: OperationBatch, of event: String) async -> ApplyOutcome {
        // No client's key has a space in it.
        let key = CommandKey("event \(event)", fingerprint: 0)
        return await withCheckedContinuation { continuation in
            guard refusal(isRead: false) == nil else { return continuation.resume(returning: .nothing) }
            switch lookUp(key) {
            case .new: break
            case .repeated, .mismatch: return continuation.resume(returning: .applied)
            case .inFlight: return continuation.resume(returning: .tryAgain("the answer is being stored already"))
            }
            var draft = draft()
            do throws(DirectorError) {
                try draft.perform(batch: batch.operations)
                if batch.reload { _ = try draft.publish(batch.animations) }
            } catch {
                return continuation.resume(returning: .refused(error.detail))
            }
            guard draft.isChange else { return continuation.resume(returning: .applied) }
            commit(draft, answer: key.answer(Self.noContent, now: StoreClock.now())) { error in
                continuation.resume(returning: error.map { .tryAgain($0.description) } ?? .applied)
            }
        }
    }
}

extension WebhookDispatcher {
    /// Takes note of hooks that a command has changed, or that their director is gone.
    nonisolated func note(_ changes: HookChanges, director: String, epoch: String) {
        if changes.isOver { return forget(director: director, epoch: epoch) }
        for hook in changes.put { hookChanged(hook.address, isElsewhere: hook.isElsewhere) }
        for address in changes.removed { hookRemoved(address) }
    }
}
