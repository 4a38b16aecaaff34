import HTTPServer
import Hosting
import Journal
import Logging
import Metrics
import Reactor
import Synchronization
import TLSEngine

/// Reads a server's certificates, and reads them again where their files have changed.
///
/// The content decides and not the time of a file, so that links that are swapped are seen as well. While what the files
/// hold does not fit together, as between the two steps of replacing them, the certificates before stay.
final class CertificateWatch: Sendable {
    private struct State {
        /// The content of the files: of each certificate the chain, the key and the passphrase; last the client
        /// authority.
        var content: [[UInt8]]
        /// The last message about unusable files, kept so that each is logged once.
        var fault: String?
        /// The day on which was told what expires soon.
        var warned = 0
    }

    /// The certificates that the HTTP server gives to new connections.
    let certificates: ServerCertificates

    private let settings: TLSSettings
    private let protocols: [String]
    private let logger: Logger
    private let take: @Sendable (TLSConfiguration) throws(TLSConfigurationError) -> Void
    private let state: Mutex<State>
    private let threads = WaitingThreads(name: "certificates", limit: 1, maxWaiting: 1)

    /// How long a change may go unnoticed.
    static let interval = Duration.seconds(10)
    /// The protocols that clients may choose from (RFC 7301), the one that is liked best first.
    static let protocols = ["h2", "http/1.1"]

    /// Reads the files, which blocks.
    ///
    /// - Parameters:
    ///   - settings: The files.
    ///   - protocols: The protocols that clients may choose from.
    ///   - logger: The log.
    ///   - take: Called with what was read before the server uses it; the certificates before stay where it throws.
    /// - Throws: `TLSConfigurationError` where a file is missing, open to others, or of no use.
    init(
        _ settings: TLSSettings, protocols: [String] = CertificateWatch.protocols, logger: Logger,
        take: @escaping @Sendable (TLSConfiguration) throws(TLSConfigurationError) -> Void = {
            (_) throws(TLSConfigurationError) in
        }
    ) throws(TLSConfigurationError) {
        self.settings = settings
        self.protocols = protocols
        self.logger = logger
        self.take = take
        let read = try Self.read(settings, protocols: protocols)
        let context = try TLSContext(read)
        try take(read)
        certificates = ServerCertificates(context)
        state = Mutex(State(content: Self.content(of: read)))
        warn()
    }

    /// Looks at the files from now on, every ten seconds and until the loop has ended.
    func begin(on loop: EventLoop) {
        loop.schedule(after: Self.interval) { [self] in
            look()
            begin(on: loop)
        }
    }

    /// Reads the files again, on a thread beside the loops.
    func look() {
        // One look at a time; where one is under way, it will do.
        _ = threads.run { self.readAgain() }
    }

    /// Declares when each certificate of some watches ends.
    static func declareMetrics(of watches: [CertificateWatch], in metrics: MetricsRegistry) {
        guard !watches.isEmpty else { return }
        metrics.add { text in
            text.begin(
                "callboard_tls_certificate_days_left", .gauge,
                "Whole days until a certificate expires; negative once it has.")
            for info in watches.flatMap(\.certificates.current.certificates) {
                text.sample(
                    "callboard_tls_certificate_days_left", [("certificate", info.name)],
                    info.daysLeft(at: StoreClock.now()))
            }
        }
    }

    /// Reads the files, which blocks.
    static func read(
        _ settings: TLSSettings, protocols: [String]
    ) throws(TLSConfigurationError) -> TLSConfiguration {
        var certificates: [TLSCertificate] = []
        for file in settings.files { certificates.append(try file.read()) }
        var configuration = TLSConfiguration(certificates: certificates, applicationProtocols: protocols)
        configuration.clientAuthority = try settings.readAuthority()
        return configuration
    }

    private static func content(of configuration: TLSConfiguration) -> [[UInt8]] {
        configuration.certificates.flatMap { [$0.chain, $0.key, $0.passphrase ?? []] }
            + [configuration.clientAuthority?.certificates ?? []]
    }

    private func readAgain() {
        do throws(TLSConfigurationError) {
            let read = try Self.read(settings, protocols: protocols)
            let content = Self.content(of: read)
            guard state.withLock({ $0.content != content }) else { return clearFault() }
            let context = try TLSContext(read, ticketKeys: certificates.current.ticketKeys)
            try take(read)
            certificates.replace(with: context)
            state.withLock { $0 = State(content: content) }
            logger.notice(
                "the certificates were read again: new connections get them",
                metadata: ["file": "\(settings.files[0].chain)"])
        } catch {
            let isNews = state.withLock { state in
                defer { state.fault = error.description }
                return state.fault != error.description
            }
            if isNews {
                logger.error(
                    "the certificates have changed and cannot be used; the server keeps the earlier ones",
                    metadata: ["reason": "\(error)"])
            }
        }
        warn()
    }

    private func clearFault() {
        let wasFaulty = state.withLock { state in
            defer { state.fault = nil }
            return state.fault != nil
        }
        if wasFaulty { logger.notice("the certificates' files are again what they were") }
        warn()
    }

    /// Tells, once a day, what expires soon.
    private func warn() {
        let now = StoreClock.now()
        let isDue = state.withLock { state in
            defer { state.warned = now / 86_400 }
            return state.warned != now / 86_400
        }
        guard isDue else { return }
        for warning in certificates.current.certificates.compactMap({ $0.warning(at: now) }) {
            logger.warning("a certificate expires soon, or is not valid now", metadata: ["certificate": "\(warning)"])
        }
    }
}
