import Foundation
import TestSupport
import Testing

@testable import CallboardAPI

@Suite("Limits and the audit log")
struct LimitTests {
    @Test("an allowance takes its burst at once, then its rate, and is whole again after a pause")
    func allowance() {
        let allowance = Allowance()
        let interval: UInt64 = 100
        let start: UInt64 = 1_000_000
        for _ in 0..<5 { #expect(allowance.take(now: start, interval: interval, burst: 5) == nil) }
        #expect(allowance.take(now: start, interval: interval, burst: 5) == 100)
        #expect(allowance.take(now: start + 99, interval: interval, burst: 5) == 1)
        #expect(allowance.take(now: start + 100, interval: interval, burst: 5) == nil)
        #expect(allowance.take(now: start + 100, interval: interval, burst: 5) == 100)
        for _ in 0..<5 { #expect(allowance.take(now: start + 10_000, interval: interval, burst: 5) == nil) }
        #expect(allowance.take(now: start + 10_000, interval: interval, burst: 5) != nil)
        #expect(!allowance.isUnused(now: start + 10_000) && allowance.isUnused(now: start + 11_000))
    }

    @Test("streams are taken of each allowance or of none, and given back")
    func leases() {
        let (token, address) = (Allowance(), Allowance())
        var leases = (0..<2).compactMap { _ in StreamLease([token, address], limit: 2) }
        #expect(leases.count == 2 && StreamLease([Allowance(), address], limit: 2) == nil)
        leases.removeLast()
        #expect(StreamLease([token, address], limit: 2) != nil)
        leases.removeAll()
        #expect(token.isUnused(now: 1) && address.isUnused(now: 1))
    }

    @Test("names that are not in use are forgotten when there are many")
    func forgotten() {
        var book = AllowanceBook()
        let kept = book.allowance(of: "kept", now: 0)
        #expect(kept.beginStream(limit: 1))
        for number in 0..<25_000 { _ = book.allowance(of: "\(number)", now: 0) }
        #expect(book.allowance(of: "kept", now: 0) === kept)
    }

    @Test("one token's requests are bounded, with the seconds to wait, and another's are not")
    func requests() async throws {
        try await AccessServer.run {
            $0.limits.requestsPerSecond = 2
            $0.limits.burst = 60
        } _: { server in
            try server.makeDirector()
            let statuses = try (0..<80).map { _ in try server.send(server.admin, "GET", "/v1/directors/d") }
            let refused = try #require(statuses.first { $0.status == 429 })
            #expect((refused.fields["retry-after"].flatMap { Int($0) } ?? 0) >= 1)
            #expect(statuses.first?.status == 200 && refused.text.contains("limits.requestsPerSecond"))
        }
    }

    @Test("one stream more than may be open is 429; there is room again when one has ended")
    func streams() async throws {
        try await AccessServer.run {
            $0.limits.streams = 2
        } _: { server in
            try server.makeDirector()
            let token = try server.token([.read])
            let fields = ["Authorization": "Bearer \(token)"]
            let first = try TestStream(port: server.server.port, fields: fields)
            do {
                let second = try TestStream(port: server.server.port, fields: fields)
                #expect(try second.nextContent()?.name == "snapshot")
                let accept = ["Accept": "text/event-stream"]
                try server.send(token, "GET", "/v1/directors/d/changesets", headers: accept).expect(429)
            }
            #expect(try first.nextContent()?.name == "snapshot")
            try await eventually("there is room again") {
                (try? TestStream(port: server.server.port, fields: fields)) != nil
            }
        }
    }

    @Test("the audit log has a line for each change and each refusal, without values and secrets, across a rotation")
    func audit() async throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "audit-\(UUID().uuidString)").path
        defer {
            try? FileManager.default.removeItem(atPath: path)
            try? FileManager.default.removeItem(atPath: path + ".1")
        }
        var secrets: [String] = []
        try await AccessServer.run {
            $0.access.auditFile = path
        } _: { server in
            try server.makeDirector()
            let reader = try server.makeToken(#"[{"actions":["read"],"directors":["d"]}]"#, name: "reader")
            secrets = [server.admin, reader.text, "precious"]
            try server.send(reader.text, "GET", "/v1/directors/d").expect(200)
            try server.send(reader.text, "DELETE", "/v1/directors/d").expect(403)
            try server.send(nil, "GET", "/v1/directors/d").expect(401)
            try FileManager.default.moveItem(atPath: path, toPath: path + ".1")
            server.server.service.refresh()
            try server.send(server.admin, "PUT", "/v1/directors/d/variables/v", #""precious""#).expect(201)
        }
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        let lines = try [path + ".1", path].flatMap {
            try String(contentsOfFile: $0, encoding: .utf8).split(separator: "\n")
        }
        let entries = try lines.map {
            try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
        }
        let told = entries.map { "\($0["operation"] ?? "") \($0["status"] ?? "") \($0["outcome"] ?? "")" }
        #expect(
            told == [
                "putDirector 201 done", "putAdapter 201 done", "setSections 200 done", "createToken 201 done",
                "deleteDirector 403 refused", "readDirector 401 refused", "setVariable 201 done",
            ])
        let refusal = entries[4]
        #expect(
            (refusal["principal"] as? String)?.hasSuffix("(reader)") == true && refusal["director"] as? String == "d")
        #expect((entries[2]["etag"] as? String)?.contains("-r") == true && refusal["address"] as? String == "127.0.0.1")
        for secret in secrets { #expect(!lines.contains { $0.contains(secret) }) }
    }
}
