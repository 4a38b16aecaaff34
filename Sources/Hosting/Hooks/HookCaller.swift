import Directors
import HTTPClient
import Journal
import Logging
import Notation
import Reactor
import Webhooks

/// The caller of a server's event hooks: a loop of its own, the transport on it, and the dispatcher of questions and
/// notifications.
///
/// The loop is none of the HTTP server's, so that neither a slow handshake nor a flood of deliveries delays a request.
/// ``start(living:)`` is called once, before the server listens, and ``shutdown(within:)`` after it has stopped.
package final class HookCaller: Sendable {
    /// Orders and retries notifications, and asks questions.
    package let dispatcher: WebhookDispatcher
    /// Answers what the dispatcher asks of directors.
    package let desk: HookDesk
    /// Which targets may be called.
    package let policy: AddressPolicy
    /// Counts of questions.
    package let counters = QuestionCounters()

    private let loop: EventLoop
    let transport: HTTPClient
    private let isLoopbackImplied: Bool
    private let logger: Logger

    /// Makes a caller that calls nobody yet; its loop runs from here on.
    ///
    /// - Parameters:
    ///   - configuration: The settings of hooks.
    ///   - isLocal: Whether the server can be reached from this machine only.
    ///   - version: The program's version, which its calls name.
    ///   - trust: Gives connections the certificates to trust.
    ///   - registry: The directors whose hooks are called.
    ///   - store: Where notifications are kept until they are delivered.
    ///   - logger: The log.
    /// - Throws: ``HooksConfigurationError`` for an entry of `hooks.allow` that means nothing; what the machine or
    ///   libcurl does not give.
    package init(
        configuration: HooksConfiguration, isLocal: Bool, version: String, trust: TLSContextHook,
        registry: DirectorRegistry, store: any DeliveryStore, logger: Logger
    ) throws {
        self.logger = logger
        isLoopbackImplied = isLocal && configuration.allow.contains(HooksConfiguration.automatic)
        policy = AddressPolicy(allowing: try configuration.rules(isLocal: isLocal))
        loop = try EventLoop(name: "hooks")
        transport = try HTTPClient(
            loop: loop, rules: policy, configuration: configuration.transport(version: version, trust: trust))
        desk = HookDesk(registry: registry, logger: logger)
        dispatcher = WebhookDispatcher(
            loop: loop, store: store, transport: transport, directory: desk,
            settings: configuration.dispatcher, clock: WallTime.now)
    }

    /// Takes over the notifications that were waiting when the server was stopped, and begins to deliver them.
    ///
    /// - Parameter directors: The names of the directors that are there, and which life each is in.
    /// - Throws: `DeliveryStoreError` where what is stored cannot be read.
    package func start(living directors: [Name: String]) async throws {
        if isLoopbackImplied {
            logger.notice(
                "event hooks may call targets on this machine, since the server itself listens there only",
                metadata: ["setting": "hooks.allow"])
        }
        let recovered = try await dispatcher.start(living: directors)
        desk.followSources(of: directors.keys)
        guard recovered.pending + recovered.dead > 0 else { return }
        logger.info(
            "recovered deliveries",
            metadata: [
                "pending": .stringConvertible(LogQuantity.count(recovered.pending)),
                "dead": .stringConvertible(LogQuantity.count(recovered.dead)),
            ])
    }

    /// Ends: what is under way has so long to be answered, and what is not stays for the next start.
    package func shutdown(within grace: Duration) async {
        await dispatcher.shutdown(grace: grace)
        await transport.shutdown()
    }

    /// Stops the loop, once nobody asks for anything any more.
    package func stop() async {
        await loop.stopAndWait()
    }
}
