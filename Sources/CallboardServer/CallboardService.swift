import Access
import CallboardAPI
import Foundation
import HTTPClient
import HTTPServer
import HTTPWire
import Hosting
import Journal
import Logging
import Notation
import Reactor
import Synchronization
import TLSEngine

/// A whole Callboard server: loops, directors, the HTTP server in front of them.
///
/// One process may run several, as tests do. ``start()`` is called once, ``shutdown()`` after it.
package final class CallboardService: Sendable {
    /// The settings it was made with.
    package let configuration: CallboardConfiguration

    private let group: EventLoopGroup
    let application: Application
    private let hooks: HookCaller
    private let server: HTTPServer
    private let certificates: CertificateWatch?
    private let nodeCertificates: NodeCertificates?
    let logger: Logger
    let journal: any Journal
    private let cluster: Cluster?
    private let peers: Peers?
    private let internalServer: HTTPServer?
    private let isShutDown = Atomic<Bool>(false)
    /// Why the server has to end though nobody asked it to: another one has taken what it serves.
    package let losses: AsyncStream<String>
    let noteLoss: AsyncStream<String>.Continuation

    /// Makes a server that does not listen yet; its loops run from here on.
    ///
    /// - Parameters:
    ///   - configuration: The settings.
    ///   - journal: Where mutations are stored; the server closes it when it is shut down.
    ///   - recovered: The directors that were read from that journal.
    ///   - secret: What the nodes share; nil for a server by itself.
    ///   - sharing: The node's part of the journal; nil for a server by itself.
    ///   - logger: The log.
    /// - Throws: `SystemError` where the machine has no descriptors or threads to give; `HooksConfigurationError` for
    ///   a setting of event hooks that means nothing; `TLSConfigurationError` for certificates that cannot be used.
    package init(
        configuration: CallboardConfiguration, journal: any Journal = MemoryJournal(),
        recovered: [RecoveredDirector] = [], secret: SharedSecret? = nil, sharing: (any SharedJournal)? = nil,
        logger: Logger
    ) throws {
        (losses, noteLoss) = AsyncStream.makeStream(of: String.self, bufferingPolicy: .bufferingOldest(1))
        self.journal = journal
        self.configuration = configuration
        self.logger = logger
        let count = configuration.loops > 0 ? configuration.loops : ProcessInfo.processInfo.activeProcessorCount
        group = try EventLoopGroup(count: count)
        var api = configuration.api
        api.storageRemedy = configuration.storage.remedy
        let trust = TLSContextHook(try TrustStore().use)
        nodeCertificates =
            secret != nil && configuration.cluster.isSecure
            ? try NodeCertificates(configuration.cluster, logger: logger) : nil
        peers = try secret.map { [nodeCertificates] in try Self.peers(secret: $0, api, nodeCertificates, logger) }
        let application = try Application(
            configuration: api, group: group, journal: journal, secret: secret, peers: peers, logger: logger)
        ProcessMetrics.declare(version: Application.version, in: application.metrics)
        self.application = application
        hooks = try HookCaller(
            configuration: configuration.hooks, isLocal: api.isLocal, version: Application.version, trust: trust,
            registry: application.environment.registry, store: journal.deliveries, logger: logger)
        application.attach(hooks)
        certificates = configuration.tls.isOn ? try CertificateWatch(configuration.tls, logger: logger) : nil
        let watches = [certificates, nodeCertificates?.watch].compactMap(\.self)
        CertificateWatch.declareMetrics(of: watches, in: application.metrics)
        var settings = api.server
        settings.tls = certificates?.certificates
        let maxList = api.maxList
        settings.limits.largeBodies = [
            LargeBody(method: .put, prefix: "/v1/directors/", suffix: "/content", maxBody: maxList)
        ]
        server = HTTPServer(configuration: settings, group: group, application: application)
        application.attach(server)
        application.environment.adopt(recovered)
        cluster = sharing.map { sharing in
            Cluster(
                sharing, environment: application.environment, limits: configuration.limitsOfDirectors, logger: logger
            ) { [unowned application] in application.access.replace($0) }
        }
        if let cluster {
            application.attach(cluster)
            peers?.join(cluster, in: application.metrics)
        }
        internalServer = secret.map { [group, nodeCertificates] secret in
            var settings = api.server
            settings.tls = nodeCertificates?.watch.certificates
            (settings.host, settings.port, settings.unixSocketPath) = ("", nil, nil)
            if let address = configuration.cluster.address { (settings.host, settings.port) = address }
            // What the node adds to a request must not make it too long, nor must quoting it in JSON and base64.
            settings.limits.maxHead = 3 * settings.limits.maxHead + 64 << 10
            settings.limits.largeBodies = [
                LargeBody(method: .post, prefix: ForwardedRequest.path, suffix: "", maxBody: maxList)
            ]
            return HTTPServer(
                configuration: settings, group: group, application: InternalApplication(application, secret: secret))
        }
    }

    private static func peers(
        secret: SharedSecret, _ configuration: APIConfiguration, _ certificates: NodeCertificates?, _ logger: Logger
    ) throws(JournalError) -> Peers {
        do {
            let maxList = max(configuration.maxList, configuration.server.limits.maxBody)
            return try Peers(secret: secret, maxList: maxList, trust: certificates?.hook, logger: logger)
        } catch {
            throw .unavailable("the way to other nodes cannot be made: \(error)")
        }
    }

    /// How many directors there are, and how many of them are in memory here.
    var directorCounts: (all: Int, loaded: Int) {
        (application.environment.directorCount, application.environment.registry.count)
    }

    /// Reads what is stored and follows the other nodes from then on.
    func follow() throws(JournalError) {
        guard let cluster else { return }
        try cluster.journal.follow(cluster)
    }

    /// Ends the loops of a server that was never started.
    func abandon() {
        Task { [group] in await group.stop() }
    }

    /// Listens for other nodes and takes part.
    private func join() async throws {
        guard let cluster, let internalServer else { return }
        let addresses: [SocketAddress]
        do {
            addresses = try await internalServer.start()
        } catch {
            throw InternalListenerError(reason: "\(error)")
        }
        let own = configuration.cluster.url
        let url = own.isEmpty ? "\(configuration.cluster.scheme)://\(addresses.first.map(\.description) ?? "")" : own
        cluster.journal.serve(at: url)
        cluster.watchLease(on: group.loops[0])
        logger.info("taking part", metadata: ["node": .number(cluster.node), "url": "\(url)"])
    }

    /// Hands over what this node owns.
    private func leave(by deadline: ContinuousClock.Instant) async {
        guard let cluster else { return }
        let limit = max(.zero, ContinuousClock.now.duration(to: deadline)) / 4
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                cluster.journal.leave(within: limit)
                continuation.resume()
            }
        }
    }

    /// Binds and begins to answer, and to deliver what was waiting when the server was stopped.
    ///
    /// - Returns: the addresses with the ports that were taken, and the path of the Unix-domain socket, if any.
    /// - Throws: what the system said of the address, such as "address already in use"; `DeliveryStoreError` where
    ///   deliveries that are stored cannot be read.
    package func start() async throws -> [SocketAddress] {
        let living = application.environment.registry.sorted().map { (Name($0.name), $0.epoch) }
        try await hooks.start(living: Dictionary(uniqueKeysWithValues: living))
        try await join()
        let addresses = try await server.start()
        application.access.fetchKeys()
        certificates?.begin(on: group.loops[0])
        nodeCertificates?.watch.begin(on: group.loops[0])
        application.keepHistory(on: group.loops[0])
        watchJournal(on: group.loops[0])
        application.setReady(true)
        logger.info(
            "listening",
            metadata: [
                "addresses": "\(addresses.map(\.description).joined(separator: ", "))",
                "loops": .stringConvertible(LogQuantity.count(group.loops.count)),
            ])
        return addresses
    }

    /// Opens the audit file anew, fetches the keys of issuers and reads certificates again; on SIGHUP.
    package func refresh() {
        application.audit?.reopen()
        application.access.fetchKeys()
        certificates?.look()
        nodeCertificates?.watch.look()
    }

    /// Ends gracefully: accepts nothing more, finishes what is running, ends the streams with `end`, lets calls of
    /// hooks that are under way end for a quarter of the time that is left, makes snapshots where logs are long, and
    /// stops the loops. Undelivered messages stay for the next start.
    ///
    /// - Returns: false where the deadline of `server.shutdownDeadline` cut something off; true for a server that was
    ///   shut down before.
    @discardableResult
    package func shutdown() async -> Bool {
        guard !isShutDown.exchange(true, ordering: .relaxed) else { return true }
        application.setReady(false)
        let deadline = ContinuousClock.now + configuration.server.shutdownDeadline
        await leave(by: deadline)
        let isClean = await server.shutdown()
        // The directors' loops still turn: an answer that comes now is applied, so that it need not come again.
        // A target that hangs must not take the time that snapshots need: what is given up is made at the next start.
        await hooks.shutdown(within: max(.zero, ContinuousClock.now.duration(to: deadline)) / 4)
        await snapshotLongLogs(within: max(.zero, ContinuousClock.now.duration(to: deadline)))
        // Until here, other nodes are told that what they ask for has moved.
        _ = await internalServer?.shutdown()
        await peers?.stop()
        await group.stop()
        await application.audit?.flush()
        let start = ContinuousClock.now
        journal.close()
        await hooks.stop()
        var metadata: Logger.Metadata = ["clean": "\(isClean)"]
        if let metrics = journal.metrics {
            metadata["took"] = .stringConvertible(LogQuantity.duration(start.duration(to: .now)))
            metadata["records"] = .stringConvertible(LogQuantity.count(metrics.records))
            metadata["size"] = .stringConvertible(LogQuantity.bytes(metrics.bytesOnDisk))
        }
        logger.info("stopped", metadata: metadata)
        return isClean
    }
}

/// The internal listener cannot be bound.
package struct InternalListenerError: Error, Sendable {
    /// What the system said.
    package let reason: String
}
