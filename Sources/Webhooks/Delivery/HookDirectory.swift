import Directors

/// Knows the hooks as they are now; the dispatcher asks it, and hands it what the receivers answer.
///
/// Its methods run where the dispatcher does unless they go elsewhere by themselves, so that no other thread is needed.
package protocol HookDirectory: Sendable {
    /// The hook at an address at this moment; nil where there is none any more.
    ///
    /// Asked before each attempt, so that another target or secret counts for what waits already.
    nonisolated(nonsending) func hook(at address: HookAddress) async -> EventHook?

    /// Disables a hook whose receiver wants nothing more (410), for a reason to be shown.
    ///
    /// - Parameter hook: The hook as it was when its receiver was called: one that has taken its place meanwhile has
    ///   another receiver, which has not been asked.
    /// - Returns: Whether the address is not called any more; false if another hook is there, or storing has failed.
    nonisolated(nonsending) func disable(_ hook: EventHook, at address: HookAddress, reason: String) async -> Bool

    /// Applies what a receiver has answered to a notification: the content of a 2xx, which is not empty.
    ///
    /// May be called again with the same delivery: where it was applied and the process ended before that was noted.
    ///
    /// - Parameter hook: The hook as it was when its receiver was called, which bounds what the answer may do.
    nonisolated(nonsending) func apply(
        _ answer: [UInt8], of delivery: Delivery, by hook: EventHook
    ) async -> ApplyOutcome
}

/// The result of a receiver's answer.
package enum ApplyOutcome: Sendable, Hashable {
    /// Its request has been carried out, now or earlier.
    case applied
    /// It asked for nothing.
    case nothing
    /// Its request cannot be carried out, for this reason. The delivery has arrived all the same.
    case refused(String)
    /// It cannot be done now. The delivery counts as failed, and is made again later with the same identifier.
    case tryAgain(String)
}

/// A question that a receiver is asked for a UI that waits.
package struct WebhookQuestion: Sendable {
    /// The identifier, which the receiver gets as `webhook-id`.
    package var id: String
    /// The hook's address, for its health.
    package var address: HookAddress
    /// The hook.
    package var hook: EventHook
    /// What is sent.
    package var body: [UInt8]

    /// Makes a question.
    package init(id: String = Delivery.newID(), address: HookAddress, hook: EventHook, body: [UInt8]) {
        self.id = id
        self.address = address
        self.hook = hook
        self.body = body
    }
}

/// Why a question has no answer.
package enum QuestionFailure: Error, Sendable, Hashable {
    /// Nothing came back in time.
    case timedOut(String)
    /// The target is inside of the network, and nothing allows it.
    case refused(String)
    /// Too much waits for the target already.
    case crowded(String)
    /// The answer is larger than it may be.
    case tooLarge(String)
    /// The target answered with a status that is not a success.
    case status(Int)
    /// The hook is disabled, by its owner or since its target had answered 410.
    case disabled(String)
    /// It failed in another way.
    case failed(String)
    /// The server is closing.
    case closed
}

extension QuestionFailure: CustomStringConvertible {
    /// A sentence without its full stop.
    package var description: String {
        switch self {
        case .timedOut(let what), .refused(let what), .crowded(let what), .tooLarge(let what), .failed(let what): what
        case .status(let status): "the target answered \(status)"
        case .disabled(let reason): "the hook is disabled: \(reason)"
        case .closed: "the server is closing"
        }
    }
}
