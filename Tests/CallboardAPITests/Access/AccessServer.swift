import Access
import CallboardServer
import Foundation
import Journal
import Testing

@testable import CallboardAPI

/// A server that asks for credentials, and tokens for it.
struct AccessServer {
    let server: TestServer
    /// A token with every right.
    let admin: String

    /// Runs `body` against a server with `auth.mode` `required` and one token with every right.
    static func run(
        _ adjust: (inout CallboardConfiguration) -> Void = { _ in }, _ body: (AccessServer) async throws -> Void
    ) async throws {
        let journal = MemoryJournal()
        let admin = StaticToken.random()
        let entry = TokenEntry(
            name: "admin", digest: admin.digest, grants: .everything, createdAt: Int(Date().timeIntervalSince1970))
        journal.tokens.write([.put(entry)]) { _ in }
        try await TestServer.run(journal: journal) {
            $0.access.mode = .required
            adjust(&$0)
        } _: { server in
            try await body(AccessServer(server: server, admin: admin.text))
        }
    }

    /// One request with a token, or without one.
    @discardableResult
    func send(
        _ token: String?, _ method: String, _ target: String, _ body: String? = nil, headers: [String: String] = [:]
    ) throws -> TestResponse {
        let credential = token.map { ["Authorization": "Bearer \($0)"] } ?? [:]
        return try server.send(method, target, body, headers: headers.merging(credential) { $1 })
    }

    /// Makes a token over the API; its text and its identifier.
    func makeToken(_ grants: String, expiresAt: Int? = nil, name: String = "test") throws -> (text: String, id: String)
    {
        let end = expiresAt.map { ",\"expiresAt\":\"\(Date(timeIntervalSince1970: Double($0)).formatted(.iso8601))\"" }
        let answer = try send(
            admin, "POST", "/v1/tokens", "{\"name\":\"\(name)\",\"grants\":\(grants)\(end ?? "")}"
        ).expect(201).json
        return (answer["token"] as? String ?? "", answer["id"] as? String ?? "")
    }

    /// A token with these rights to some directors.
    func token(_ rights: [Right], on directors: [String] = ["d"]) throws -> String {
        let actions = rights.map { "\"\($0.rawValue)\"" }.joined(separator: ",")
        let names =
            rights == [.operate] ? "" : ",\"directors\":[" + directors.map { "\"\($0)\"" }.joined(separator: ",") + "]"
        return try makeToken("[{\"actions\":[\(actions)]\(names)}]").text
    }

    /// A director with an adapter `M`, a section `s` with the element `a`, and one of rows.
    func makeDirector(_ name: String = "d") throws {
        let path = "/v1/directors/\(name)"
        try send(admin, "PUT", path, #"{"kind":"table"}"#)
        try send(admin, "PUT", path + "/adapters/M", #"{"cell":"Cell"}"#)
        let sections = #"[{"id":"s","elements":[{"model":"M","value":"a"}]},{"id":"rows","rows":[]}]"#
        try send(admin, "PUT", path + "/sections?reload=true", sections).expect(200)
    }
}
