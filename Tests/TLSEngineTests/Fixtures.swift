import Foundation
import Synchronization

@testable import TLSEngine

/// Certificates that several tests use, made once.
enum Fixtures {
    static let now = Int(Date().timeIntervalSince1970)
    static let valid = now - 3600...now + 30 * 86_400
    static let expired = now - 7200...now - 3600

    /// An authority, and a certificate for each of these groups of names.
    struct Identity: Sendable {
        let authority: TLSCertificate

        func issue(_ names: String..., validity: ClosedRange<Int> = Fixtures.valid) throws -> TLSCertificate {
            try CertificateMaker(authority: authority).issue(
                names: names.compactMap(TLSName.init(host:)), validity: validity)
        }

        func issue(_ names: [TLSName], validity: ClosedRange<Int> = Fixtures.valid) throws -> TLSCertificate {
            try CertificateMaker(authority: authority).issue(names: names, validity: validity)
        }
    }

    static func authority(_ name: String) throws -> Identity {
        Identity(authority: try CertificateMaker(authority: name, validity: now - 3600...now + 365 * 86_400).authority)
    }

    static let first = Result { try authority("First authority") }
    static let second = Result { try authority("Second authority") }
    private static let localhost = Result { try first.get().issue("localhost") }

    /// A context with one certificate for `localhost` and these rules.
    static func context(
        protocols: [String] = [], clients: TLSConfiguration.ClientAuthority? = nil, keys: TLSTicketKeys = .init()
    ) throws -> TLSContext {
        try TLSContext(
            TLSConfiguration(
                certificates: [try localhost.get()], applicationProtocols: protocols, clientAuthority: clients),
            ticketKeys: keys)
    }

    /// What a client that trusts the first authority asks of `localhost`, in one version.
    static func options(_ version: TLSSession.Version? = nil, name: String? = "localhost") throws -> TestClient.Options
    {
        var options = TestClient.Options(serverName: name, authority: try first.get().authority.chain)
        if version == .tls12 { options.highest = 0x0303 }
        if version == .tls13 { options.lowest = 0x0304 }
        return options
    }
}

/// A clock that stands still until it is moved.
final class TestClock: Sendable {
    private let seconds = Mutex(0)

    var read: @Sendable () -> Int { { self.seconds.withLock { $0 } } }

    func advance(_ count: Int) { seconds.withLock { $0 += count } }
}

let bothVersions: [TLSSession.Version] = [.tls12, .tls13]
