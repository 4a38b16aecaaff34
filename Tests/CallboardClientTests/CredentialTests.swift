import Foundation
import Testing

@testable import CallboardClient

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Credentials", .timeLimit(.minutes(1)))
struct CredentialTests {
    private func client(_ transport: TestTransport, _ credential: Credential) throws -> Callboard {
        let fields = ["Authorization": "Basic old", "X-Other": "kept"]
        return try Callboard(
            server: "http://localhost", transport: transport,
            configuration: .init(fields: credential.description == "(none)" ? [:] : fields, credential: credential))
    }

    @Test("the token is in the header of every request and stream, and in no address")
    func header() async throws {
        let transport = TestTransport([
            .noDirectors, .status(204, fields: [:], body: ""), .stream([": \n"], stays: true),
            .stream([": \n"], stays: true),
        ])
        let client = try client(transport, .token("abc-._~+/1=="))
        _ = try await client.directors()
        try await client.director("d").delete()
        for try await event in client.director("d").events() where event == .connection(.open) { break }
        for try await event in client.events(directors: ["a", "b"]) where event == .connection(.open) { break }
        #expect(transport.authorizations == Array(repeating: "Bearer abc-._~+/1==", count: 4))
        #expect(transport.requests.allSatisfy { $0.value(forHTTPHeaderField: "X-Other") == "kept" })
        #expect(transport.requests.allSatisfy { $0.url?.absoluteString.contains("abc") == false })
    }

    @Test("a client without a credential sends none")
    func none() async throws {
        let transport = TestTransport([.noDirectors])
        _ = try await client(transport, .none).directors()
        #expect(transport.authorizations == [nil])
    }

    @Test(
        "what is no token is refused when it is given, and not quoted",
        arguments: [
            "", "se cret", "secret\n", "\tsecret", "=secret", "sec=ret", "s\u{E9}cret", "secret,", "\"secret\"",
        ])
    func invalid(text: String) {
        #expect {
            _ = try Credential.token(text)
        } throws: { error in
            guard case .invalidToken = error as? ClientError else { return false }
            return !"\(error)".contains("cret")
        }
        #expect(throws: ClientError.self) { try AccessToken(text) }
    }

    @Test("no description, dump or reflection has the token")
    func secrecy() async throws {
        let transport = TestTransport([
            .refusal(401, "The token has expired"), .failure("no route"), .status(500, fields: [:], body: ""),
        ])
        let client = try client(transport, .token("hush123"))
        let token = try AccessToken("hush123", expiresAt: Date())
        let provider = Credential.provider { token }
        _ = try await provider.giveToken()
        let values: [Any] = [token, client, client.configuration, client.tokens, provider, client.director("d")]
        for value in values {
            var dumped = ""
            dump(value, to: &dumped)
            for text in [dumped, "\(value)", String(reflecting: value)] { #expect(!text.contains("hush123")) }
        }
        #expect("\(token) \(try Credential.token("x")) \(Credential.none)" == "(secret) (secret) (none)")
        for _ in 0..<3 {
            let error = await #expect(throws: ClientError.self) { try await client.directors() }
            #expect(error.map { "\($0) \(String(reflecting: $0))".contains("hush123") } == false)
        }
    }

    @Test("401 and 403 are errors of their own, with the server's words and what to do")
    func refusals() async throws {
        let challenge = #"Bearer error="invalid_token", error_description="It was \"old\"""#
        let transport = TestTransport([
            .refusal(401, "The token has expired"), .refusal(403, "The right mutate is missing"),
            .status(401, fields: ["WWW-Authenticate": challenge], body: "<html>"), .status(401, fields: [:], body: ""),
            .status(403, fields: [:], body: "keep out"),
        ])
        let client = try client(transport, .token("t"))
        var errors: [ClientError] = []
        for _ in 0..<5 {
            errors.append(try #require(await #expect(throws: ClientError.self) { try await client.directors() }))
        }
        #expect(errors.map(\.status) == [401, 403, 401, 401, 403])
        #expect(
            errors.map { $0.problem?.detail } == [
                "The token has expired", "The right mutate is missing", #"It was "old""#, nil, "keep out",
            ])
        guard case .unauthorized = errors[0], case .forbidden = errors[1] else {
            return #expect(Bool(false), "\(errors)")
        }
        #expect(
            errors[0].description
                == "not authorized: The token has expired (401); give the client a credential that the server accepts")
        #expect(
            errors[1].description
                == "not permitted: The right mutate is missing (403); use a credential that has this right")
        // A fixed token is not tried again.
        #expect(transport.requests.count == 5)
    }
}

extension Credential {
    /// Asks the provider for a token.
    fileprivate func giveToken() async throws -> AccessToken? {
        try await TokenSource(self).token()?.token
    }
}

@Suite("Redirects")
struct RedirectionTests {
    private func redirect(_ source: String, to target: String, original: String = "https://a.example/v1/x") -> [String?]
    {
        func request(_ address: String) -> URLRequest {
            var request = URLRequest(url: URL(string: address) ?? URL(fileURLWithPath: "/"))
            for name in ["Authorization", "Cookie", "Accept"] { request.setValue(name, forHTTPHeaderField: name) }
            return request
        }
        let answer = Redirection.request(request(target), from: URL(string: source), original: request(original))
        return ["Authorization", "Cookie", "Accept"].map { answer.value(forHTTPHeaderField: $0) }
    }

    @Test(
        "within one origin the token goes along",
        arguments: ["https://a.example/v1/y", "https://A.example:443/", "HTTPS://a.example/"])
    func sameOrigin(target: String) {
        #expect(redirect("https://a.example/v1/x", to: target) == ["Authorization", "Cookie", "Accept"])
    }

    @Test(
        "another origin gets no token and no cookie",
        arguments: [
            "https://b.example/v1/x", "http://a.example/v1/x", "https://a.example:8443/v1/x", "https://x.a.example/",
            "https://a.example.b.example/", "https://a.example@b.example/", "file:///v1/x",
        ])
    func otherOrigin(target: String) {
        #expect(redirect("https://a.example/v1/x", to: target) == [nil, nil, "Accept"])
    }

    @Test("another origin cannot send the token anywhere, not even back")
    func backAgain() {
        #expect(redirect("https://b.example/", to: "https://a.example/") == [nil, nil, "Accept"])
        #expect(redirect("https://b.example/", to: "https://b.example/y") == [nil, nil, "Accept"])
    }

    @Test("a redirect within the origin has its token back where the system took it away")
    func restored() throws {
        let address = try #require(URL(string: "http://localhost:8080/x"))
        var original = URLRequest(url: address)
        original.setValue("Bearer t", forHTTPHeaderField: "Authorization")
        let answer = Redirection.request(URLRequest(url: address), from: address, original: original)
        #expect(answer.value(forHTTPHeaderField: "Authorization") == "Bearer t")
    }
}
