import Testing

@testable import TLSEngine

@Suite("One end of mutual TLS")
struct MutualIdentityTests {
    private static func identity(
        _ certificate: TLSCertificate, of authority: Fixtures.Identity, time: Int = Fixtures.now
    ) throws -> MutualIdentity {
        var configuration = TLSConfiguration(certificates: [certificate])
        configuration.clientAuthority = .init(
            certificates: authority.authority.chain, mode: .required, name: "the authority")
        return try MutualIdentity(configuration, time: time)
    }

    @Test("a certificate of the authority is for its names and no others")
    func names() throws {
        let authority = try Fixtures.first.get()
        let identity = try Self.identity(authority.issue("node-a.internal", "10.0.0.5", "::1"), of: authority)
        for host in ["node-a.internal", "NODE-A.internal", "10.0.0.5", "::1"] {
            #expect(identity.isFor(host), "\(host)")
        }
        for host in ["node-b.internal", "internal", "10.0.0.6", "::2", ""] { #expect(!identity.isFor(host), "\(host)") }
    }

    @Test("one that has expired, or is not valid yet, is refused by name")
    func times() throws {
        let authority = try Fixtures.first.get()
        let old = try authority.issue([.dns("a")], validity: Fixtures.expired)
        #expect(throws: TLSConfigurationError.expired("the certificate", days: 0)) {
            try Self.identity(old, of: authority)
        }
        let next = try authority.issue("a")
        #expect(throws: TLSConfigurationError.early("the certificate", seconds: 60)) {
            try Self.identity(next, of: authority, time: Fixtures.valid.lowerBound - 60)
        }
    }

    @Test("one of another authority is refused, and one whose key is another's")
    func strangers() throws {
        let (first, second) = (try Fixtures.first.get(), try Fixtures.second.get())
        let certificate = try first.issue("a")
        #expect {
            try Self.identity(certificate, of: second)
        } throws: {
            guard case .untrusted("the certificate", authority: "the authority", _)? = $0 as? TLSConfigurationError
            else {
                return false
            }
            return true
        }
        var mixed = certificate
        mixed.key = try first.issue("a").key
        #expect(throws: TLSConfigurationError.mismatch("the certificate", key: "the key")) {
            try Self.identity(mixed, of: first)
        }
    }
}
