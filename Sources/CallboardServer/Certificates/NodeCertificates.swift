import HTTPClient
import Journal
import Logging
import Synchronization
import TLSEngine

/// The certificates between nodes (`cluster.tls…`): what the internal listener shows, and what this node shows and trusts
/// as a client of the others'. They are replaced together.
final class NodeCertificates: Sendable {
    /// Has the files read again.
    let watch: CertificateWatch
    private let identity: NodeIdentity

    /// Reads the files, which blocks.
    ///
    /// - Throws: `TLSConfigurationError` where a file is missing, open to others, or of no use between nodes.
    init(_ settings: ClusterSettings, logger: Logger) throws(TLSConfigurationError) {
        let identity = NodeIdentity(settings)
        self.identity = identity
        // Without HTTP/2: requests would share its bounds for streams, where each has a connection of its own.
        watch = try CertificateWatch(settings.tls, protocols: ["http/1.1"], logger: logger) {
            (configuration) throws(TLSConfigurationError) in try identity.replace(by: configuration)
        }
    }

    /// Gives connections to other nodes the newest certificates.
    var hook: TLSContextHook {
        TLSContextHook { [identity] context in identity.use(in: context) }
    }
}

/// The certificates that a node shows and trusts as a client of other nodes.
private final class NodeIdentity: Sendable {
    private let settings: ClusterSettings
    private let current = Mutex<MutualIdentity?>(nil)

    init(_ settings: ClusterSettings) {
        self.settings = settings
    }

    func replace(by configuration: TLSConfiguration) throws(TLSConfigurationError) {
        let identity = try settings.identity(configuration)
        current.withLock { $0 = identity }
    }

    func use(in context: UnsafeMutableRawPointer) {
        current.withLock { $0 }?.use(in: context)
    }
}

extension ClusterSettings {
    /// The TLS of the internal listener: clients have to show a certificate.
    var tls: TLSSettings {
        var settings = TLSSettings()
        (settings.certificate, settings.key, settings.clientAuthority) = (tlsCertificate, tlsKey, tlsTrust)
        settings.clientCertificates = .required
        return settings
    }

    /// Makes a node's identity of the files' content, at this time.
    ///
    /// - Throws: `TLSConfigurationError` where other nodes would not accept it.
    fileprivate func identity(_ configuration: TLSConfiguration) throws(TLSConfigurationError) -> MutualIdentity {
        let identity = try MutualIdentity(configuration, time: StoreClock.now())
        guard let host = reachedHost, !identity.isFor(host) else { return identity }
        throw .otherHost(tlsCertificate, host: host)
    }

    /// Reads the files of `cluster.tls…` as a start does, and uses none of them.
    ///
    /// - Returns: The faults that would keep the node from starting, and the warnings about a usable certificate.
    package func examinedCertificates() -> (faults: [TLSConfigurationError], warnings: [String]) {
        guard isOn, isSecure else { return ([], []) }
        let (faults, warnings) = tls.examined()
        guard faults.isEmpty else { return (faults, []) }
        do throws(TLSConfigurationError) {
            try checkCertificates()
            return ([], warnings)
        } catch {
            return ([error], [])
        }
    }

    /// Reads the files of `cluster.tls…` as a start does, which blocks.
    ///
    /// - Throws: The first fault.
    func checkCertificates() throws(TLSConfigurationError) {
        guard isSecure else { return }
        let read = try CertificateWatch.read(tls, protocols: [])
        _ = try TLSContext(read)
        _ = try identity(read)
    }
}
