import DirectorLife
import Directors
import Journal
import Webhooks

// What a hook's target brings about: on the director's loop and through the journal, as what a request does, but with no
// request that waits for it.

extension DirectorHost {
    /// The record of an applied answer, in the form of kept answers to requests.
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
    /// An answer that cannot be performed would fail again, so the event counts as delivered. If an answer cannot be
    /// stored, the delivery of a notification has failed and is tried again; a question is not asked again. An answer
    /// may do what was granted to the hook when it was registered, and nothing else. If the hook was registered anew
    /// since its target was called, it may do what both registrations grant to the same target.
    ///
    /// - Parameters:
    ///   - batch: The operations of the answer.
    ///   - event: The event's identifier.
    ///   - address: The hook's address.
    ///   - hook: The hook as it was when its target was called.
    ///   - unlessSame: Whether operations that leave the content as it is are not performed at all.
    package func apply(
        _ batch: OperationBatch, of event: String, from address: HookAddress, _ hook: EventHook,
        unlessSame: Bool = false
    ) async -> AppliedAnswer {
        // No client's key has a space in it.
        let key = CommandKey("event \(event)", fingerprint: 0)
        return await withCheckedContinuation { continuation in
            func end(_ outcome: ApplyOutcome) { continuation.resume(returning: AppliedAnswer(outcome: outcome)) }
            guard refusal(isRead: false) == nil else { return end(.nothing) }
            switch lookUp(key) {
            case .new: break
            case .repeated, .mismatch: return end(.applied)
            case .inFlight: return end(.tryAgain("the answer is being stored already"))
            }
            var draft = draft()
            let current = draft.director.hooks[address.level, address.event]
            guard let current, current.url == hook.url else { return continuation.resume(returning: .ofFormerTarget) }
            let granted = current.rights.intersection(hook.rights)
            let missing = batch.effects.subtracting(granted)
            guard missing.isEmpty else {
                return continuation.resume(returning: AppliedAnswer(withoutRight: missing))
            }
            do throws(DirectorError) {
                let before = unlessSame ? draft.director.working.list : nil
                try draft.perform(batch: batch.operations)
                if let before, before == draft.director.working.list { return end(.applied) }
                if batch.reload { _ = try draft.publish(batch.animations) }
            } catch {
                return end(.refused(error.detail))
            }
            // A removed adapter takes its hooks along, which no answer may do away with.
            guard draft.done.subtracting(granted).isEmpty else {
                return continuation.resume(returning: AppliedAnswer(withoutRight: draft.done.subtracting(granted)))
            }
            guard draft.isChange else { return end(.applied) }
            guard !isUnreadableForEarlierNodes(draft) else {
                return end(.refused("a node of an earlier version cannot read what it asks for"))
            }
            let tag = draft.tag()
            commit(draft, answer: key.answer(Self.noContent, now: StoreClock.now())) { error in
                var answer = AppliedAnswer(outcome: error.map { .tryAgain($0.description) } ?? .applied)
                if error == nil { answer.change = .done(tag: tag) }
                if case .inDoubt? = error { answer.change = .inDoubt }
                continuation.resume(returning: answer)
            }
        }
    }
}

/// The result of an answer that asks for operations.
package struct AppliedAnswer: Sendable {
    /// Its effects on the director.
    package enum Change: Sendable {
        /// Nothing: it was refused, or done before.
        case none
        /// It was changed.
        case done(tag: String)
        /// Whether it was changed is not known.
        case inDoubt
        /// Nothing, for want of a right.
        case refused
    }

    /// What the dispatcher is told.
    let outcome: ApplyOutcome
    /// Its effects on the director.
    fileprivate(set) var change = Change.none

    fileprivate init(outcome: ApplyOutcome) {
        self.outcome = outcome
    }

    /// The result where another target is in the place of the one that has answered, or none.
    fileprivate static var ofFormerTarget: Self {
        var answer = Self(outcome: .refused("the hook has led elsewhere since its target was called"))
        answer.change = .refused
        return answer
    }

    fileprivate init(withoutRight missing: Effects) {
        let names = missing.rightNames.joined(separator: ", ")
        outcome = .refused(
            "it needs rights that the hook does not have (\(names)); a client that has them has to register the hook"
        )
        change = .refused
    }
}

/// Something that a hook's target has brought about: no request tells of it.
package struct HookDeed: Sendable {
    /// What was done.
    package enum Kind: String, Sendable {
        /// Operations were performed, or a reload, as its answer asked.
        case applyAnswer = "applyHookAnswer"
        /// The hook was disabled, since its target is gone.
        case disable = "disableHook"
    }

    /// The kind of what was done or refused.
    package let kind: Kind
    /// The hook.
    package let address: HookAddress
    /// What came of it.
    package let change: AppliedAnswer.Change
}

extension WebhookDispatcher {
    /// Takes note of hooks that a command has changed, or that their director is gone.
    nonisolated func note(_ changes: HookChanges, director: String, epoch: String) {
        if changes.isOver { return forget(director: director, epoch: epoch) }
        for hook in changes.put { hookChanged(hook.address, isElsewhere: hook.isElsewhere) }
        for address in changes.removed { hookRemoved(address) }
    }
}
