import CallboardAPI
import Foundation
import Testing

@Suite("Mutations")
struct MutationTests {
    private static let sections = "/v1/directors/d/sections"

    @Test("If-Match with another revision answers 412 and changes nothing; If-None-Match answers 304")
    func preconditions() async throws {
        try await TestServer.run { server in
            try server.makeDirector()
            let connection = try TestConnection(port: server.port)
            let tag = try #require(try connection.send("GET", "/v1/directors/d").fields["etag"])
            #expect(tag.hasSuffix("-r1-v0\""))
            let epoch = tag.prefix { $0 != "-" }
            let stale = try connection.send("POST", Self.sections, "{}", headers: ["If-Match": "\(epoch)-r0\""]).expect(
                412)
            #expect(stale.text.contains("r1"))
            #expect(try connection.send("GET", "/v1/directors/d").fields["etag"] == tag)
            let added = try connection.send("POST", Self.sections, #"{"id":"s"}"#, headers: ["If-Match": tag]).expect(
                201)
            #expect(added.fields["etag"]?.hasSuffix("-r2\"") == true)
            #expect(added.fields["location"] == "/v1/directors/d/sections/s")
            try connection.send("GET", Self.sections, headers: ["If-None-Match": "\(epoch)-r2\""]).expect(304)
            try connection.send("GET", Self.sections, headers: ["If-None-Match": "W/\(epoch)-r2\", \"x\""]).expect(304)
            try connection.send("GET", Self.sections, headers: ["If-None-Match": "\(epoch)-r1\""]).expect(200)
            let minimal = try connection.send(
                "PUT", Self.sections, #"[{"id":"t"}]"#, headers: ["Prefer": "return=minimal"]
            ).expect(204)
            #expect(minimal.fields["etag"]?.hasSuffix("-r3\"") == true)
        }
    }

    @Test("a repeated Idempotency-Key answers the first answer and does nothing twice; another body is 422")
    func idempotency() async throws {
        try await TestServer.run { server in
            try server.makeDirector()
            let connection = try TestConnection(port: server.port)
            let headers = ["Idempotency-Key": "k-1"]
            let first = try connection.send("POST", Self.sections, #"{"id":"s"}"#, headers: headers).expect(201)
            let again = try connection.send("POST", Self.sections, #"{"id":"s"}"#, headers: headers).expect(201)
            #expect(again.body == first.body)
            #expect(again.fields["etag"] == first.fields["etag"])
            try connection.send("POST", Self.sections, #"{"id":"other"}"#, headers: headers).expect(422)
            #expect(try connection.send("GET", "/v1/directors/d").json["revision"] as? Int == 2)
            let failing = ["Idempotency-Key": "k-2"]
            try connection.send("POST", Self.sections + "?at=9", "{}", headers: failing).expect(422)
            try connection.send("POST", Self.sections + "?at=9", "{}", headers: failing).expect(422)
            try connection.send("POST", Self.sections, "{}", headers: ["Idempotency-Key": "a b"]).expect(400)
        }
    }

    @Test("a batch applies whole or not at all, and the error's pointer names the operation")
    func batches() async throws {
        try await TestServer.run { server in
            try server.makeDirector()
            let connection = try TestConnection(port: server.port)
            let sections = #"[{"id":"s","elements":[{"value":{"id":"1"}}]}]"#
            try connection.send("PUT", Self.sections + "?reload=true", sections).expect(200)
            let before = try connection.send("GET", Self.sections)
            let failing = #"""
                {"operations":[{"op":"addElements","section":"s","elements":[{"value":{"id":"2"}}]},
                {"op":"removeElement","section":"s","element":"none"}],"reload":true}
                """#
            let answer = try connection.send("POST", "/v1/directors/d/operations", failing).expect(404)
            let errors = try #require(try answer.json["errors"] as? [[String: String]])
            #expect(errors.first?["pointer"] == "/operations/1/element")
            let after = try connection.send("GET", Self.sections)
            #expect(after.body == before.body)
            #expect(after.fields["etag"] == before.fields["etag"])
        }
    }

    @Test("a dry run answers the changeset and changes nothing")
    func dryRun() async throws {
        try await TestServer.run { server in
            try server.makeDirector()
            let connection = try TestConnection(port: server.port)
            let body = #"{"operations":[{"op":"addSections","sections":[{"id":"s"}]}],"dryRun":true}"#
            let answer = try connection.send("POST", "/v1/directors/d/operations", body).expect(200)
            #expect((try answer.json["stages"] as? [Any])?.count == 1)
            #expect(try connection.send("GET", "/v1/directors/d").json["revision"] as? Int == 1)
            let reload = try connection.send("POST", "/v1/directors/d/reload").expect(200)
            #expect((try reload.json["stages"] as? [Any])?.isEmpty == true)
            #expect(try reload.json["version"] as? Int == 0)
        }
    }

    @Test("an identifier that stands for several elements answers 409 and names the positions")
    func ambiguity() async throws {
        try await TestServer.run { server in
            try server.makeDirector()
            let connection = try TestConnection(port: server.port)
            let twins = #"[{"id":"s","elements":[{"value":{"id":"x"}},{"value":{"id":"y"}},{"value":{"id":"x"}}]}]"#
            try connection.send("PUT", Self.sections, twins).expect(200)
            let answer = try connection.send("GET", Self.sections + "/s/elements/x").expect(409)
            #expect(answer.text.contains("@0") && answer.text.contains("@2"))
            try connection.send("GET", Self.sections + "/s/elements/@2").expect(200)
        }
    }

    @Test("POST and PUT of sections whose id is there already are taken; GET and PUT by that id answer 409")
    func duplicateSections() async throws {
        try await TestServer.run { server in
            try server.makeDirector()
            let connection = try TestConnection(port: server.port)
            try connection.send("PUT", Self.sections, #"[{"id":"x"},{"id":"y"}]"#).expect(200)
            let twin = #"{"id":"x","headerTitle":"2"}"#
            let added = try connection.send("POST", Self.sections + "?at=1", twin).expect(201)
            #expect(added.fields["location"] == Self.sections + "/@1")
            let body = #"{"id":"x","headerTitle":"3"}"#
            let renamed = try connection.send("PUT", Self.sections + "/@2", body).expect(200)
            #expect(try renamed.json["headerTitle"] as? String == "3")
            for (method, body) in [("GET", nil), ("PUT", "{}"), ("PATCH", "{}"), ("DELETE", nil)] {
                let answer = try connection.send(method, Self.sections + "/x", body).expect(409)
                #expect(answer.text.contains("stands for 3 sections, at @0, @1, @2"))
            }
            let element = try connection.send("POST", Self.sections + "/@1/elements", #"{"value":{"id":"1"}}"#)
            #expect(element.status == 201)
            #expect(element.fields["location"]?.hasPrefix(Self.sections + "/@1/elements/") == true)
            let change = try connection.send("POST", "/v1/directors/d/reload", "{}").expect(200).json
            #expect((change["counts"] as? [String: Int])?["sections"] == 3)
            try connection.send("DELETE", Self.sections + "/@0").expect(204)
            try connection.send("DELETE", Self.sections + "/@0").expect(204)
            try connection.send("GET", Self.sections + "/x").expect(200)
        }
    }

    @Test("PUT and PATCH of `itemSize` on a collection are taken, and answered as they were sent")
    func collectionItemSize() async throws {
        try await TestServer.run { server in
            let connection = try TestConnection(port: server.port)
            let size = #"{"explicit":{"width":10,"height":20.5}}"#
            let body = #"{"kind":"collection","properties":{"itemSize":\#(size)}}"#
            #expect(try connection.send("PUT", "/v1/directors/c", body).expect(201).text.contains(size))
            let patch = #"{"properties":{"itemSize":null}}"#
            let patched = try connection.send("PATCH", "/v1/directors/c", patch).expect(200)
            #expect(patched.text.contains(#""properties":{"itemSize":"default"}"#))
        }
    }

    @Test("numbers go out with the digits they came in with, and a percent-encoded identifier finds its element")
    func valuesPassThrough() async throws {
        try await TestServer.run { server in
            try server.makeDirector()
            let connection = try TestConnection(port: server.port)
            let value = #"{"id":"a/b c@é","n":1.10,"big":123456789012345678901234567890,"e":1E+2}"#
            try connection.send("PUT", Self.sections, #"[{"id":"@s","elements":[{"value":\#(value)}]}]"#).expect(200)
            let target = Self.sections + "/@@s/elements/a%2Fb%20c%40%C3%A9"
            let answer = try connection.send("GET", target).expect(200)
            let place = #""section":"@s","indexPath":[0,0]"#
            #expect(answer.text == #"{"id":"a/b c@é","model":"M","value":\#(value),\#(place)}"#)
        }
    }

    @Test("a version that is no longer retained answers 410, one that is not there yet 404")
    func versions() async throws {
        try await TestServer.run {
            $0.feed.retainedVersions = 3
        } _: { server in
            try server.makeDirector()
            let connection = try TestConnection(port: server.port)
            for number in 0..<6 {
                try connection.send("POST", Self.sections + "?reload=true", #"{"id":"s\#(number)"}"#).expect(201)
            }
            let page = try connection.send("GET", Self.sections + "?state=published&version=5").expect(200)
            #expect(try page.json["total"] as? Int == 5)
            try connection.send("GET", Self.sections + "?state=published&version=2").expect(410)
            try connection.send("GET", Self.sections + "?state=published&version=9").expect(404)
            let spanning = try connection.send("GET", "/v1/directors/d/changesets?from=4&to=6").expect(200)
            #expect(try spanning.json["from"] as? Int == 4)
            let list = try connection.send("GET", "/v1/directors/d/changesets?since=4").expect(200)
            #expect((try list.json["changesets"] as? [[String: Any]])?.compactMap { $0["version"] as? Int } == [5, 6])
            try connection.send("GET", "/v1/directors/d/changesets?since=1").expect(410)
        }
    }
}
