import CallboardAPI
import Foundation
import Testing

@Suite("Pointers and sentences of errors")
struct PointerTests {
    /// A request that is refused, and the pointer of its first fault.
    private static let refused: [(method: String, target: String, body: String, pointer: String)] = [
        ("POST", "/sections/s/elements?model=M", #"[{"id":"a"},{"none":1}]"#, "/1"),
        ("POST", "/sections/s/elements?model=M", #"{"none":1}"#, ""),
        ("POST", "/sections/s/elements?model=None", #"[{"id":"a"}]"#, "/0"),
        ("PUT", "/sections/s/elements/a?model=M", #"{"none":1}"#, ""),
        ("PUT", "/sections/s/elements/a?model=None", #"{"id":"a"}"#, ""),
        ("PUT", "/sections/s/elements?model=M", #"[1,{"none":1}]"#, "/1"),
        ("POST", "/sections/s/elements", #"[{"value":{"id":"a"}},{"value":{"none":1}}]"#, "/1/value"),
        ("POST", "/sections/s/elements", #"{"value":{"none":1}}"#, "/value"),
        ("POST", "/sections/s/elements", #"{"elements":[{"value":{"none":1}}]}"#, "/elements/0/value"),
        ("POST", "/elements", #"[{"value":{"none":1}}]"#, "/0/value"),
        ("PUT", "/sections/s/elements/a", #"{"value":{"none":1}}"#, "/value"),
        ("PUT", "/sections/s/elements/x", #"{"value":{"id":"y"}}"#, "/value"),
        (
            "PUT", "/sections", #"{"sections":[{"id":"t","elements":[{"value":1},{"value":{}}]}]}"#,
            "/sections/0/elements/1/value"
        ),
        ("PUT", "/sections", #"[{"id":"t","headerView":"V"}]"#, "/0/headerView"),
        ("POST", "/sections", #"{"id":"t","headerView":"V"}"#, "/headerView"),
        ("PUT", "/sections/s", #"{"headerView":"V"}"#, "/headerView"),
        ("PATCH", "/sections/s", #"{"headerView":"V"}"#, "/headerView"),
        ("PATCH", "", #"{"properties":{"itemSize":"default"}}"#, "/properties/itemSize"),
        ("PUT", "", #"{"kind":"table","properties":{"itemSize":"default"}}"#, "/properties/itemSize"),
        (
            "POST", "/operations",
            #"{"operations":[{"op":"removeAllSections"},{"op":"addElements","elements":[{"value":{}}]}]}"#,
            "/operations/1/elements/0/value"
        ),
        ("POST", "/operations", #"{"operations":[{"op":"moveSection","from":0,"to":"zz"}]}"#, "/operations/0/to"),
        ("POST", "/sections:move", #"{"from":0,"to":9}"#, "/to"),
        ("PUT", "/adapters/M", #"{"cell":"C","identifier":"{other}"}"#, "/identifier"),
        (
            "PUT", "/adapters",
            #"{"adapters":[{"model":"N","cell":"C"},{"model":"M","cell":"C","identifier":"{other}"}]}"#,
            "/adapters/1/identifier"
        ),
        ("PUT", "/adapters", #"[{"model":"N","cell":"C"},{"model":"M"}]"#, "/1"),
    ]

    @Test(
        "a pointer names a member of the body as it was sent, and the detail names the same", arguments: refused.indices
    )
    func pointers(_ index: Int) async throws {
        let (method, target, body, pointer) = Self.refused[index]
        try await TestServer.run { server in
            try server.makeDirector()
            try server.send("POST", "/v1/directors/d/sections", #"{"id":"s","elements":[{"value":{"id":"a"}}]}"#)
                .expect(201)
            let answer = try server.send(method, "/v1/directors/d" + target, body).expect(422)
            let problem = try answer.json
            let errors = try #require(problem["errors"] as? [[String: String]], "\(answer.text)")
            #expect(errors.first?["pointer"] == pointer, "\(answer.text)")
            let detail = try #require(problem["detail"] as? String)
            // A pointer in the detail is one that the errors name, and not one on another form of the body.
            let named = detail.matches(of: #/(?:^|; |operation [0-9]+: )(/[^: ]*): /#).map { String($0.1) }
            for name in named { #expect(errors.contains { $0["pointer"] == name }, "\(answer.text)") }
            #expect(JSONReading.find(pointer, in: body) != nil, "\(pointer) is not in \(body)")
        }
    }

    @Test("a fault of what the query or the path says has no pointer into the body")
    func outsideTheBody() async throws {
        try await TestServer.run { server in
            try server.makeDirector()
            let answer = try server.send("POST", "/v1/directors/d/sections?at=9", "{}").expect(422)
            #expect(try answer.json["errors"] == nil, "\(answer.text)")
        }
    }

    @Test("a sentence does not begin with an identifier or an event's name in a capital")
    func sentences() async throws {
        try await TestServer.run { server in
            try server.makeDirector()
            try server.send("POST", "/v1/directors/d/sections?reload=true", #"{"id":"s"}"#).expect(201)
            for (target, body) in [
                ("/sections:move", #"{"from":"zz","to":0}"#), ("/sections?at=zz", "{}"),
                ("/events", #"{"event":"footerHeight","indexPath":[0,0]}"#),
                ("/operations", #"{"operations":[{"op":"swapSections","at":"zz","with":0}]}"#),
            ] {
                let detail = try #require(
                    try server.send("POST", "/v1/directors/d" + target, body).expect(422).json["detail"] as? String)
                #expect(!detail.hasPrefix("Zz") && !detail.hasPrefix("FooterHeight"), "\(detail)")
                #expect(detail.first?.isUppercase == true && detail.hasSuffix("."), "\(detail)")
            }
        }
    }
}

/// Looks into a body by a pointer, independently of the code under test.
private enum JSONReading {
    static func find(_ pointer: String, in body: String) -> Any? {
        var value = try? JSONSerialization.jsonObject(with: Data(body.utf8), options: .fragmentsAllowed)
        for token in pointer.split(separator: "/") {
            if let list = value as? [Any], let index = Int(token), list.indices.contains(index) {
                value = list[index]
            } else {
                value = (value as? [String: Any])?[String(token)]
            }
        }
        return value
    }
}
