import Foundation
import Testing

@testable import TLSEngine

@Suite("An authority of one's own")
struct CertificateMakerTests {
    @Test("issues what a client that trusts it accepts")
    func issues() throws {
        let maker = try CertificateMaker(authority: "Callboard on a desk", validity: Fixtures.valid)
        #expect(maker.info.subject == "CN=Callboard on a desk")
        #expect(maker.info.notAfter == Fixtures.valid.upperBound)
        let names = ["localhost", "127.0.0.1", "::1", "*.example.org"].compactMap(TLSName.init(host:))
        #expect(names == [.dns("localhost"), .address("127.0.0.1"), .address("::1"), .dns("*.example.org")])
        let pair = try maker.issue(names: names, validity: Fixtures.valid)
        let context = try TLSContext(TLSConfiguration(certificates: [pair]))
        #expect(context.certificates.first?.names == names)
        for name in ["localhost", "a.example.org"] {
            let options = TestClient.Options(serverName: name, authority: try maker.authority.chain)
            let (client, server) = try connected(to: context, options)
            #expect(client.isOpen && server.state == .open)
        }
        let options = TestClient.Options(serverName: "other", authority: try maker.authority.chain)
        #expect(try connected(to: context, options).client.failure == "certificate verify failed")
    }

    @Test("goes on where its certificate and key are kept")
    func goesOn() throws {
        let kept = try CertificateMaker(authority: "Kept", validity: Fixtures.valid).authority
        let maker = try CertificateMaker(authority: kept)
        #expect(try maker.authority.chain == kept.chain && maker.authority.key == kept.key)
        var mixed = kept
        mixed.key = try Fixtures.first.get().authority.key
        #expect(throws: CertificateMakerError.authority(.mismatch("the certificate", key: "the key"))) {
            try CertificateMaker(authority: mixed)
        }
        mixed.key = []
        #expect(throws: CertificateMakerError.authority(.empty("the key"))) { try CertificateMaker(authority: mixed) }
    }

    @Test(
        "refuses names that cannot stand in a certificate",
        arguments: [
            TLSName.dns(""), .dns("a,DNS:b"), .dns("a b"), .dns("-a"), .dns("a."), .dns("*"), .dns("a.*.b"),
            .dns(String(repeating: "a", count: 64)), .dns("ä"), .address("1.2.3"), .address("x"), .uri("a,b"),
            .email(""), .uri("urn:\u{7F}"),
        ])
    func refusesNames(name: TLSName) throws {
        let maker = try CertificateMaker(authority: Fixtures.first.get().authority)
        #expect(throws: CertificateMakerError.name(name)) {
            try maker.issue(names: [.dns("a"), name], validity: Fixtures.valid)
        }
        #expect(throws: CertificateMakerError.noNames) { try maker.issue(names: [], validity: Fixtures.valid) }
    }

    @Test(
        "takes a text for an address or a name",
        arguments: [("", false), ("a b", false), ("a.b", true), ("1.2.3.4", true)])
    func readsNames(text: String, isName: Bool) {
        #expect((TLSName(host: text) != nil) == isName)
    }

    @Test(
        "makes certificates that openssl verifies",
        .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/openssl"), "openssl is not installed"))
    func isVerified() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "callboard-ca-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let maker = try CertificateMaker(authority: "Verified", validity: Fixtures.valid)
        let pair = try maker.issue(names: [.dns("localhost"), .address("127.0.0.1")], validity: Fixtures.valid)
        try Data(maker.authority.chain).write(to: folder.appending(path: "ca.pem"))
        try Data(pair.chain).write(to: folder.appending(path: "leaf.pem"))
        for check in [
            ["-purpose", "sslserver", "-verify_hostname", "localhost"],
            ["-purpose", "sslclient", "-verify_ip", "127.0.0.1"],
        ] {
            let process = Process()
            process.executableURL = URL(filePath: "/usr/bin/openssl")
            process.arguments =
                ["verify", "-x509_strict", "-CAfile", folder.appending(path: "ca.pem").path] + check
                + [folder.appending(path: "leaf.pem").path]
            process.standardOutput = FileHandle.nullDevice
            try process.run()
            process.waitUntilExit()
            #expect(process.terminationStatus == 0)
        }
    }
}
