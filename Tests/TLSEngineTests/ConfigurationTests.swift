import COpenSSL
import Testing

@testable import TLSEngine

@Suite("A configuration")
struct ConfigurationTests {
    /// A key of RSA with 1024 bits and a certificate for it, which no context takes.
    static let weakPair = """
        -----BEGIN CERTIFICATE-----
        MIIB/DCCAWWgAwIBAgIUA3yEjylhsenQgxaflgm1PWm6FH4wDQYJKoZIhvcNAQEL
        BQAwDzENMAsGA1UEAwwEd2VhazAgFw0yNjExMjMwMjA2MjdaGA8yMTI2MTAzMDAy
        MDYyN1owDzENMAsGA1UEAwwEd2VhazCBnzANBgkqhkiG9w0BAQEFAAOBjQAwgYkC
        gYEA0Mbi1FuERghVQGv0diOl1G80fKuKMDMxxoa5TuaUv/KiM23Dnyu9b3sOaETc
        ihW7Y9RyVAGolELudYrZz3/RecL5crGuZ0hPv+XnaZdPkes+NZe6RJdsuu/pLYQV
        orgUrTTl0bH6ywVBM/p4q+NBaOJzFHWFcGcLc7FNEWKxygkCAwEAAaNTMFEwHQYD
        VR0OBBYEFAxh8w83p38vJWhTyCKJw5doqiRhMB8GA1UdIwQYMBaAFAxh8w83p38v
        JWhTyCKJw5doqiRhMA8GA1UdEwEB/wQFMAMBAf8wDQYJKoZIhvcNAQELBQADgYEA
        e8PKvFGj2ecCpwaFrDzakb8chqwawM9ByLfhV9wq8zDDwVMBjnmJvpXAMjYXqy16
        xMb0fKnkqx6Gzu6smMJdUw2g2mgfo2XlKwsfXOe2BGuzc1UVKi7f6ufgVm+eEp4q
        G4T2ui50FmZauy1GNZhGtcqBl99g/Z2yG6ANNFBuLWk=
        -----END CERTIFICATE-----
        -----BEGIN PRIVATE KEY-----
        MIICdgIBADANBgkqhkiG9w0BAQEFAASCAmAwggJcAgEAAoGBANDG4tRbhEYIVUBr
        9HYjpdRvNHyrijAzMcaGuU7mlL/yojNtw58rvW97DmhE3IoVu2PUclQBqJRC7nWK
        2c9/0XnC+XKxrmdIT7/l52mXT5HrPjWXukSXbLrv6S2EFaK4FK005dGx+ssFQTP6
        eKvjQWjicxR1hXBnC3OxTRFiscoJAgMBAAECgYAEjwMu7dyihtYNtQ2+cqLRU6hK
        vJgk20lP82sibOh8lHi0NMZbuGHHiGFVJ4PFRBo2YNIqQWsD6b45NNHytPDG9Lq5
        0iZ88MktaK5Xg/mwj2QC9BFRqYNm/yz/NqLkgN+UwLgdjtiV1Xet8GwjN7aFfuOo
        p0ftk1GyPyLyAYxmXQJBAPhSJl0aoQ146JUgxvtWA1ZBBZ+vg0bF8/+PQkLB/VFY
        uv9BBlygRkgQAjCYalUvORM9SXLWhZfJ7Jd2iHyDOSMCQQDXO67slV4+CcqjpjhJ
        0y1tWcs8gqno4V0bpSoc/e4TLLeoKSCsc0NuvnMRPeINIkAD9O+EGZCaE0V53urY
        g2DjAkAhvrgr6tR8CjRBH8UqnpOxgwCKpMVINtpjnko43DfaeB5hVarRp44leNdz
        VyMMFHDDJo72piRdbjlSk+8UTJjVAkB53+vfP31L99Ns81RwSUox32S78OkxW1uT
        qeS84fULmoisig1cWTBX5zPVEYuNEFXbZ7iwvqEo/bybk+S7kTktAkEAipSIY/yR
        oKo/w7Nuvv8iadLY2p+GwTiQOLY8jhxkVTCEc2PPjW/ridsFlpaorkbnuPVfCuka
        BiHAh4H88Z1GNg==
        -----END PRIVATE KEY-----
        """

    private static func pair(_ change: (inout TLSCertificate) throws -> Void) throws -> TLSCertificate {
        var pair = try Fixtures.first.get().issue("localhost")
        (pair.chainName, pair.keyName) = ("chain.pem", "key.pem")
        try change(&pair)
        return pair
    }

    /// Encrypts a key in PEM form (PKCS #8).
    private static func encrypted(_ pem: [UInt8], passphrase: String) throws -> [UInt8] {
        let stream = try TestClient.stream(pem)
        // SAFETY: everything is freed here; the library copies what it is given.
        defer { BIO_free(stream) }
        let key = try #require(PEM_read_bio_PrivateKey(stream, nil, nil, nil))
        defer { EVP_PKEY_free(key) }
        let output = try #require(BIO_new(BIO_s_mem()))
        defer { BIO_free(output) }
        var secret = Array(passphrase.utf8CString)
        try #require(
            PEM_write_bio_PKCS8PrivateKey(
                output, key, EVP_aes_256_cbc(), &secret, Int32(secret.count - 1), nil, nil) == 1)
        return PEM.bytes(of: output)
    }

    private func fault(_ change: (inout TLSCertificate) throws -> Void) throws -> TLSConfigurationError? {
        let pair = try Self.pair(change)
        do throws(TLSConfigurationError) {
            _ = try TLSContext(TLSConfiguration(certificates: [pair]))
            return nil
        } catch {
            #expect(error.description.hasSuffix(".") || error.description.contains("chmod"))
            #expect(ERR_peek_error() == 0)
            return error
        }
    }

    @Test("that fits gives a context with what is known of its certificates")
    func isAccepted() throws {
        let pair = try Self.pair { _ in }
        let context = try TLSContext(TLSConfiguration(certificates: [pair]))
        let info = try #require(context.certificates.first)
        #expect(info.name == "chain.pem" && info.subject == "CN=localhost" && info.names == [.dns("localhost")])
        #expect(info.notBefore == Fixtures.valid.lowerBound && info.notAfter == Fixtures.valid.upperBound)
        #expect(info.daysLeft(at: Fixtures.now) == 30)
        #expect(info.warning(at: Fixtures.now) == nil)
        #expect(info.warning(at: Fixtures.now + 17 * 86_400)?.contains("in 13 days") == true)
        #expect(info.warning(at: info.notBefore - 10)?.contains("not valid yet") == true)
    }

    @Test("with an expired certificate is accepted and says so")
    func acceptsExpired() throws {
        let pair = try Fixtures.first.get().issue("localhost", validity: Fixtures.expired)
        let info = try #require(try TLSContext(TLSConfiguration(certificates: [pair])).certificates.first)
        #expect(info.daysLeft(at: Fixtures.now) == -1)
        #expect(info.warning(at: Fixtures.now + 2 * 86_400)?.contains("expired 2 days ago") == true)
    }

    @Test("needs a certificate and application protocols with names")
    func needsCertificates() throws {
        #expect(throws: TLSConfigurationError.noCertificates) { try TLSContext(TLSConfiguration(certificates: [])) }
        for name in ["", String(repeating: "a", count: 256)] {
            #expect(throws: TLSConfigurationError.applicationProtocol(name)) {
                try Fixtures.context(protocols: ["h2", name])
            }
        }
    }

    @Test("says what is wrong with a certificate")
    func saysCertificateFaults() throws {
        #expect(try fault { $0.chain = [] } == .empty("chain.pem"))
        #expect(try fault { $0.chain = Array("garbage".utf8) } == .noCertificate("chain.pem"))
        #expect(try fault { $0.chain = $0.key } == .noCertificate("chain.pem"))
        #expect(try fault { $0.chain = [0x30, 0x82, 1, 2, 3] } == .binary("chain.pem"))
        #expect(try fault { $0.chain = Array(repeating: 65, count: 1 << 20 + 1) } == .tooLarge("chain.pem"))
        let broken = "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"
        guard case .damagedCertificate("chain.pem", number: 2, _) = try fault({ $0.chain += Array(broken.utf8) }),
            case .damagedCertificate("chain.pem", number: 1, _) = try fault({ $0.chain.removeLast(40) })
        else {
            Issue.record("a damaged certificate is not told")
            return
        }
    }

    @Test("says what is wrong with a key")
    func saysKeyFaults() throws {
        #expect(try fault { $0.key = [] } == .empty("key.pem"))
        #expect(try fault { $0.key = Array("garbage".utf8) } == .noKey("key.pem"))
        #expect(try fault { $0.key = $0.chain } == .noKey("key.pem"))
        #expect(try fault { $0.key = [0x30, 0x77, 2, 1, 1] } == .binary("key.pem"))
        let broken = "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n"
        guard case .damagedKey("key.pem", _) = try fault({ $0.key = Array(broken.utf8) }) else {
            Issue.record("a damaged key is not told")
            return
        }
    }

    @Test("says what is wrong with a passphrase")
    func saysPassphraseFaults() throws {
        func encrypt(_ pair: inout TLSCertificate, _ passphrase: String?) throws {
            pair.key = try Self.encrypted(pair.key, passphrase: "correct horse")
            pair.passphrase = passphrase.map { Array($0.utf8) }
        }
        #expect(try fault { try encrypt(&$0, nil) } == .passphraseMissing("key.pem"))
        #expect(try fault { try encrypt(&$0, "wrong") } == .passphraseWrong("key.pem"))
        #expect(try fault { try encrypt(&$0, String(repeating: "a", count: 5000)) } == .passphraseWrong("key.pem"))
        #expect(try fault { try encrypt(&$0, "correct horse") } == nil)
        #expect(try fault { $0.passphrase = [1] } == nil, "a passphrase that nobody asks for")
    }

    @Test("says when certificate and key do not belong together")
    func saysMismatch() throws {
        let other = try Fixtures.first.get().issue("other")
        let authority = try Fixtures.first.get().authority.chain
        #expect(try fault { $0.key = other.key } == .mismatch("chain.pem", key: "key.pem"))
        #expect(
            try fault { $0.chain = authority + $0.chain } == .order("chain.pem", key: "key.pem", number: 2))
        #expect(try fault { $0.chain += authority } == nil)
    }

    @Test("refuses a weak key")
    func refusesWeakKey() throws {
        guard
            case .unusable("chain.pem", let reason) = try fault({
                ($0.chain, $0.key) = (Array(Self.weakPair.utf8), Array(Self.weakPair.utf8))
            })
        else {
            Issue.record("a key of 1024 bits is taken")
            return
        }
        #expect(reason.contains("too small"))
    }

    @Test("says what is wrong with the client authority")
    func saysAuthorityFaults() throws {
        #expect(throws: TLSConfigurationError.noCertificate("ca.pem")) {
            try Fixtures.context(clients: .init(certificates: [1, 2], mode: .optional, name: "ca.pem"))
        }
        #expect(throws: TLSConfigurationError.empty("ca.pem")) {
            try Fixtures.context(clients: .init(certificates: [], mode: .required, name: "ca.pem"))
        }
    }
}
