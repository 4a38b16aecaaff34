import Testing

@testable import TLSEngine

@Suite("Clients' certificates")
struct ClientCertificateTests {
    private func context(_ mode: TLSConfiguration.ClientCertificates) throws -> TLSContext {
        try Fixtures.context(clients: .init(certificates: try Fixtures.first.get().authority.chain, mode: mode))
    }

    private func options(
        _ version: TLSSession.Version, with certificate: TLSCertificate?
    ) throws -> TestClient.Options {
        var options = try Fixtures.options(version)
        options.certificate = certificate.map { ($0.chain, $0.key) }
        return options
    }

    @Test(
        "of the authority are accepted with their names", arguments: bothVersions,
        TLSConfiguration.ClientCertificates.allCases)
    func acceptsGood(version: TLSSession.Version, mode: TLSConfiguration.ClientCertificates) throws {
        let names: [TLSName] = [
            .uri("spiffe://example.org/loader"), .dns("loader.example"), .email("a@example.org"), .address("10.1.2.3"),
            .address("2001:db8::1"),
        ]
        let certificate = try Fixtures.first.get().issue(names)
        let (client, server) = try connected(to: context(mode), options(version, with: certificate))
        #expect(client.isOpen && server.state == .open)
        #expect(server.session.clientCertificate?.names == names)
        #expect(server.session.clientCertificate?.subject == "CN=spiffe://example.org/loader")
        #expect(server.session.clientCertificate?.notAfter == Fixtures.valid.upperBound)
    }

    @Test("may be missing only where they are optional", arguments: bothVersions)
    func knowsMissing(version: TLSSession.Version) throws {
        let (client, server) = try connected(to: context(.optional), options(version, with: nil))
        #expect(client.isOpen && server.state == .open && server.session.clientCertificate == nil)
        let (refused, strict) = try connected(to: context(.required), options(version, with: nil))
        #expect(strict.failure == .clientCertificateMissing && refused.failure != nil)
    }

    @Test(
        "of another authority or expired are refused with the reason", arguments: bothVersions,
        TLSConfiguration.ClientCertificates.allCases)
    func refusesBad(version: TLSSession.Version, mode: TLSConfiguration.ClientCertificates) throws {
        let foreign = try Fixtures.second.get().issue("loader.example")
        let old = try Fixtures.first.get().issue("loader.example", validity: Fixtures.expired)
        let early = try Fixtures.first.get().issue(
            "loader.example", validity: Fixtures.now + 3600...Fixtures.now + 7200)
        for (certificate, reason) in [
            (foreign, "unable to get local issuer certificate"), (old, "certificate has expired"),
            (early, "certificate is not yet valid"),
        ] {
            let (client, server) = try connected(to: context(mode), options(version, with: certificate))
            #expect(server.failure == .clientCertificate(reason))
            #expect(client.failure != nil && server.session.clientCertificate == nil)
        }
    }

    @Test("are known by their authorities")
    func knowsAuthorities() throws {
        #expect(try context(.optional).clientAuthorities.map(\.subject) == ["CN=First authority"])
        #expect(try Fixtures.context().clientAuthorities.isEmpty)
    }

    @Test("are not asked for where no authority is configured", arguments: bothVersions)
    func areNotAskedFor(version: TLSSession.Version) throws {
        let certificate = try Fixtures.first.get().issue("loader.example")
        let (_, server) = try connected(to: Fixtures.context(), options(version, with: certificate))
        #expect(server.state == .open && server.session.clientCertificate == nil)
    }
}
