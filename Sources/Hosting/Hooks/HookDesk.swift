import Directors
import JSONValues
import Logging
import Notation
import Reactor
import Synchronization
import Webhooks

/// The dispatcher's access to the present hooks, and the receiver of targets' answers.
///
/// It holds the registry and no more, so that a server that is let go leaves nothing behind.
package final class HookDesk: HookDirectory {
    private let registry: DirectorRegistry
    private let logger: Logger
    /// Told what hooks' targets have brought about; for the audit.
    private let witness = Mutex<(@Sendable (HookDeed) -> Void)?>(nil)

    /// Makes a desk for the hooks of these directors.
    init(registry: DirectorRegistry, logger: Logger) {
        self.registry = registry
        self.logger = logger
    }

    /// Has somebody told what hooks' targets bring about; from any thread.
    package func tell(_ witness: @escaping @Sendable (HookDeed) -> Void) {
        self.witness.withLock { $0 = witness }
    }

    private func note(_ kind: HookDeed.Kind, _ change: AppliedAnswer.Change, _ address: HookAddress) {
        if case .none = change { return }
        witness.withLock { $0 }?(HookDeed(kind: kind, address: address, change: change))
    }

    /// Has directors ask their sources, after a start.
    ///
    /// - Complexity: A look-up and a message to a loop for each name.
    func followSources(of directors: some Sequence<Name>) {
        for name in directors { registry.host(named: name.text)?.send { $0.followSources(afterStart: true) } }
    }

    /// The host of a hook's director, where that life of it goes on.
    private func host(of address: HookAddress) -> DirectorHost? {
        registry.host(named: address.director).flatMap { $0.epoch == address.epoch ? $0 : nil }
    }

    package nonisolated(nonsending) func hook(at address: HookAddress) async -> EventHook? {
        await host(of: address)?.storedHook(at: address)
    }

    package nonisolated(nonsending) func disable(
        _ hook: EventHook, at address: HookAddress, reason: String
    ) async -> Bool {
        guard let host = host(of: address) else { return true }
        let metadata: Logger.Metadata = ["hook": "\(address.path)", "reason": "\(reason)"]
        switch await host.disableHook(hook, at: address, reason: reason) {
        case .success(let isDisabled):
            if isDisabled {
                note(.disable, .done(tag: await host.tag), address)
                logger.notice("a hook is disabled", metadata: metadata)
            }
            return isDisabled
        case .failure(let error):
            if case .inDoubt = error { note(.disable, .inDoubt, address) }
            logger.error("a hook could not be disabled", metadata: metadata.merging(["error": "\(error)"]) { $1 })
            return false
        }
    }

    package nonisolated(nonsending) func apply(
        _ answer: [UInt8], of delivery: Delivery, by hook: EventHook
    ) async -> ApplyOutcome {
        // Many receivers answer something of their own, which need not be JSON: that asks for nothing.
        guard let document = try? JSONDocument(answer), document.root.kind == .object else { return .nothing }
        let answer = HookAnswer.decodeNotification(document.root)
        guard answer.faults.isEmpty else {
            return refused("the answer asks for what is no operation: \(answer.faults.sentence)", delivery.address)
        }
        guard let batch = answer.batch else { return .nothing }
        guard let host = host(of: delivery.address) else { return .nothing }
        return note(await host.apply(batch, of: delivery.id, from: delivery.address, hook), delivery.address)
    }

    /// Writes down what came of an answer, where that was not what the target wanted.
    ///
    /// - Parameter known: The reason that was told of the target last; a refusal for the same reason is not told again. For
    ///   a source, which is asked again and again.
    func note(_ answer: AppliedAnswer, _ address: HookAddress, unless known: String? = nil) -> ApplyOutcome {
        if case .refused(let reason) = answer.outcome, reason == known { return answer.outcome }
        note(.applyAnswer, answer.change, address)
        switch answer.outcome {
        case .applied, .nothing: return answer.outcome
        case .refused(let reason): return refused(reason, address)
        case .tryAgain(let reason):
            logger.warning(
                "an answer could not be stored", metadata: ["hook": "\(address.path)", "error": "\(reason)"])
            return answer.outcome
        }
    }

    private func refused(_ reason: String, _ address: HookAddress) -> ApplyOutcome {
        logger.warning("an answer was not applied", metadata: ["hook": "\(address.path)", "error": "\(reason)"])
        return .refused(reason)
    }
}

extension [Fault] {
    /// The first fault with its place; how many more there are.
    package var sentence: String {
        guard let first else { return "" }
        return count == 1 ? "\(first)" : "\(first), and \(count - 1) more"
    }
}
