import Directors
import JSONValues
import Logging
import Webhooks

/// Where the dispatcher asks what a hook is at this moment, and brings what its target has said.
///
/// It holds the registry and no more, so that a server that is let go leaves nothing behind.
package final class HookDesk: HookDirectory {
    private let registry: DirectorRegistry
    private let logger: Logger

    /// Makes a desk for the hooks of these directors.
    init(registry: DirectorRegistry, logger: Logger) {
        self.registry = registry
        self.logger = logger
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
            if isDisabled { logger.notice("a hook is disabled", metadata: metadata) }
            return isDisabled
        case .failure(let error):
            logger.error("a hook could not be disabled", metadata: metadata.merging(["error": "\(error)"]) { $1 })
            return false
        }
    }

    package nonisolated(nonsending) func apply(_ answer: [UInt8], of delivery: Delivery) async -> ApplyOutcome {
        // Many receivers answer something of their own, which need not be JSON: that asks for nothing.
        guard let document = try? JSONDocument(answer), document.root.kind == .object else { return .nothing }
        let answer = HookAnswer.decodeNotification(document.root)
        guard answer.faults.isEmpty else {
            return refused("the answer asks for what is no operation: \(answer.faults.sentence)", delivery.address)
        }
        guard let batch = answer.batch else { return .nothing }
        guard let host = host(of: delivery.address) else { return .nothing }
        return note(await host.apply(batch, of: delivery.id), delivery.address)
    }

    /// Writes down what came of an answer, where that was not what the target wanted.
    func note(_ outcome: ApplyOutcome, _ address: HookAddress) -> ApplyOutcome {
        switch outcome {
        case .applied, .nothing: return outcome
        case .refused(let reason): return refused(reason, address)
        case .tryAgain(let reason):
            logger.warning(
                "an answer could not be stored", metadata: ["hook": "\(address.path)", "error": "\(reason)"])
            return outcome
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
