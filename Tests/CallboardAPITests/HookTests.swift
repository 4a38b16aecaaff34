import CallboardAPI
import Foundation
import Testing

@Suite("Event hooks")
struct HookTests {
    static let director = "/v1/directors/d"
    static let didSelect = director + "/adapters/M/events/didSelect"

    /// A table of two sections with an adapter and a view, published.
    static func fill(_ server: TestServer) throws {
        try server.makeDirector()
        try server.send("PUT", director + "/header-footer-adapters/V", "{}").expect(201)
        let sections = #"""
            [{"id":"s","headerView":"V","elements":[{"value":{"id":"1"}},{"value":{"id":"2"}},{"value":{"id":"3"}}]},
             {"id":"t","headerTitle":"T"}]
            """#
        try server.send("PUT", director + "/sections?reload=true", sections).expect(200)
    }

    static func register(_ server: TestServer, _ target: String, _ url: String, _ members: String = "") throws {
        try server.send("PUT", target, #"{"url":"\#(url)"\#(members)}"#).expect(201)
    }

    static func report(_ server: TestServer, _ body: String, headers: [String: String] = [:]) throws -> TestResponse {
        try server.send("POST", director + "/events", body, headers: headers)
    }

    @Test("a notification is stored, delivered and gone from the list")
    func notification() async throws {
        try await HookReceiver.run { receiver in
            try await TestServer.run { server in
                try Self.fill(server)
                try Self.register(server, Self.didSelect, receiver.url())
                let answer = try Self.report(server, #"{"event":"didSelect","indexPath":[0,1]}"#).expect(202)
                let id = try #require(try answer.json["delivery"] as? String)
                let call = try #require(try await receiver.wait(1).first)
                #expect(call.id == id)
                let message = try call.json
                #expect(message["type"] as? String == "didSelect")
                let data = try #require(message["data"] as? [String: Any])
                #expect((data["element"] as? [String: Any])?["id"] as? String == "2")
                #expect(data["indexPath"] as? [Int] == [0, 1])
                try await eventually("it has arrived") {
                    (try? server.send("GET", "/v1/deliveries/\(id)").status) == 404
                }
                #expect(try server.send("GET", "/v1/deliveries").json["total"] as? Int == 0)
            }
        }
    }

    @Test("a question is answered by its target, else by the hook's default, else by UIKit's")
    func question() async throws {
        try await HookReceiver.run { receiver in
            try await TestServer.run { server in
                try Self.fill(server)
                let ask = #"{"event":"rowHeight","indexPath":[0,0]}"#
                #expect(try Self.report(server, ask).expect(200).text == #"{"value":-1,"source":"default"}"#)
                let target = Self.director + "/adapters/M/events/rowHeight"
                try Self.register(server, target, receiver.url(), #","default":44"#)
                receiver.answer(.json(#"{"value":81.5}"#))
                #expect(try Self.report(server, ask).expect(200).text == #"{"value":81.5,"source":"hook"}"#)
                receiver.answer(.json(#"{"value":"tall"}"#))
                let bad = try Self.report(server, ask).expect(200).json
                #expect(bad["value"] as? Int == 44 && bad["source"] as? String == "default")
                #expect((bad["reason"] as? String)?.isEmpty == false)
            }
        }
    }
}
