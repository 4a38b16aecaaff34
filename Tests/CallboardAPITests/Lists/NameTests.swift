import Foundation
import Notation
import Testing

@testable import CallboardAPI

/// Names and identifiers from outside: equal is equal bytes, in every resource.
@Suite("Names from outside")
struct NameTests {
    /// Texts that `String` takes for equal, and whose bytes differ.
    static let pairs = [
        ("caf\u{E9}", "cafe\u{301}"), ("\u{212A}1", "K1"), ("\u{212B}", "A\u{30A}"), ("\u{AC00}", "\u{1100}\u{1161}"),
    ]

    /// A resource that is put under a name: its path up to the name, and a body that fits it.
    struct Place: Sendable {
        let path: String
        let suffix: String
        let body: @Sendable (String) -> String

        init(_ path: String, suffix: String = "", _ body: @escaping @Sendable (String) -> String) {
            (self.path, self.suffix, self.body) = (path, suffix, body)
        }
    }

    static let places = [
        Place("/v1/directors/") { _ in #"{"kind":"table"}"# },
        Place("/v1/directors/d/variables/") { _ in "1" },
        Place("/v1/directors/d/adapters/") { _ in #"{"cell":"C"}"# },
        Place("/v1/directors/d/header-footer-adapters/") { _ in "{}" },
        Place("/v1/directors/d/sections/") { _ in "{}" },
        Place("/v1/directors/d/sections/s/elements/") { #"{"model":"M","value":{"id":"\#($0)"}}"# },
        Place("/v1/directors/d/sections/r/rows/") { _ in #"{"type":"constant","cell":"C"}"# },
    ]

    static func encoded(_ name: String) -> String {
        name.utf8.map { "%" + ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    private func prepare(_ server: TestServer) throws {
        try server.makeDirector()
        try server.send("PUT", "/v1/directors/d/sections", #"[{"id":"s"},{"id":"r","rows":[]}]"#).expect(200)
    }

    @Test("one spelling of a name is not found, replaced or removed by another", arguments: pairs)
    func spellings(_ one: String, _ other: String) async throws {
        try await TestServer.run { server in
            try prepare(server)
            for place in Self.places {
                let (first, second) = (place.path + Self.encoded(one), place.path + Self.encoded(other))
                try server.send("PUT", first, place.body(one)).expect(201)
                try server.send("GET", second).expect(404)
                try server.send("DELETE", second).expect(404)
                try server.send("PUT", second, place.body(other)).expect(201)
                for (path, name) in [(first, one), (second, other)] {
                    let text = try server.send("GET", path).expect(200).text
                    if !place.path.hasSuffix("variables/") {
                        #expect(text.utf8.contains(name.utf8), "\(path): \(text)")
                    }
                }
                try server.send("DELETE", second).expect(204)
                try server.send("GET", first).expect(200)
            }
        }
    }

    @Test("hooks belong to the spelling that they are registered under", arguments: pairs)
    func hooks(_ one: String, _ other: String) async throws {
        try await TestServer.run { server in
            try prepare(server)
            for name in [one, other] {
                try server.send("PUT", "/v1/directors/d/adapters/" + Self.encoded(name), #"{"cell":"C"}"#).expect(201)
            }
            func event(_ name: String) -> String {
                "/v1/directors/d/adapters/\(Self.encoded(name))/events/rowHeight"
            }
            try server.send("PUT", event(one), #"{"default":44}"#).expect(201)
            try server.send("GET", event(other)).expect(404)
            try server.send("PUT", event(other), #"{"default":45}"#).expect(201)
            #expect(try server.send("GET", event(one)).expect(200).json["default"] as? Int == 44)
        }
    }

    @Test(
        "members, variables and titles that differ in spelling differ, in changes and in expressions",
        arguments: pairs)
    func values(_ one: String, _ other: String) async throws {
        try await TestServer.run { server in
            try prepare(server)
            let element = "/v1/directors/d/sections/s/elements/e"
            try server.send("PUT", element, #"{"value":{"id":"e","t":"\#(one)","\#(one)":1}}"#).expect(201)
            try server.send("POST", "/v1/directors/d/reload").expect(200)
            let before = try server.send("GET", "/v1/directors/d").expect(200).json["version"] as? Int
            try server.send("PATCH", element, #"{"t":"\#(other)","\#(other)":2}"#).expect(200)
            let text = try server.send("GET", element).expect(200).text
            #expect(text.utf8.contains("\"\(one)\":1".utf8) && text.utf8.contains("\"\(other)\":2".utf8))
            #expect(text.utf8.contains("\"t\":\"\(other)\"".utf8))
            try server.send("POST", "/v1/directors/d/reload").expect(200)
            #expect(try server.send("GET", "/v1/directors/d").expect(200).json["version"] as? Int == (before ?? 0) + 1)
            let section = "/v1/directors/d/sections/s"
            try server.send("PATCH", section, #"{"headerTitle":"\#(one)"}"#).expect(200)
            try server.send("PATCH", section, #"{"headerTitle":"\#(other)"}"#).expect(200)
            #expect(try server.send("GET", section).expect(200).text.utf8.contains("\"\(other)\"".utf8))
            try server.send("PUT", "/v1/directors/d/variables/" + Self.encoded(one), "true").expect(201)
            for (name, isShown) in [(one, true), (other, false)] {
                let row = #"{"type":"constant","cell":"C","hideWhen":{"!":[{"var":"variables.\#(name)"}]}}"#
                try server.send("PUT", "/v1/directors/d/sections/r/rows/x?reload=true", row)
                let shown = try server.send("GET", "/v1/directors/d/sections/r?state=published")
                #expect((shown.status == 200 && shown.text.contains(#""row":"x""#)) == isShown, "\(shown.text)")
            }
        }
    }

    @Test("what a grant's bytes do not name is not found by another spelling, and stays", arguments: pairs)
    func grants(_ one: String, _ other: String) async throws {
        try await AccessServer.run { access in
            let path = "/v1/directors/" + Self.encoded(one)
            try access.send(access.admin, "PUT", path, #"{"kind":"table"}"#).expect(201)
            let token = try access.token([.read, .define], on: [other])
            let foreign = "/v1/directors/" + Self.encoded(other)
            try access.send(token, "GET", foreign).expect(404)
            try access.send(token, "DELETE", foreign).expect(404)
            try access.send(token, "GET", path).expect(404)
            try access.send(access.admin, "GET", path).expect(200)
            let stream = try access.send(token, "GET", "/v1/changesets?director=" + Self.encoded(other))
            #expect(stream.status == 404)
        }
    }

    @Test("two spellings are two directors after a restart too", arguments: pairs)
    func restart(_ one: String, _ other: String) async throws {
        let folder = NSTemporaryDirectory() + "callboard-names-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let paths = [one, other].map { "/v1/directors/" + Self.encoded($0) }
        try await TestServer.run(folder: folder) { server in
            for path in paths {
                try server.send("PUT", path, #"{"kind":"table"}"#).expect(201)
                for name in [one, other] {
                    try server.send("PUT", path + "/variables/" + Self.encoded(name), "1").expect(201)
                }
            }
        }
        try await TestServer.run(folder: folder) { server in
            for path in paths {
                try server.send("GET", path).expect(200)
                for name in [one, other] {
                    try server.send("GET", path + "/variables/" + Self.encoded(name)).expect(200)
                }
            }
            try server.send("DELETE", paths[1]).expect(204)
            try server.send("GET", paths[0]).expect(200)
        }
    }

    /// Names that are all different, and that nothing is wrong with: equivalent ones, signs of paths, what looks like an
    /// escape, separators and marks of direction, and the longest one.
    static let names =
        pairs.flatMap { [$0.0, $0.1] } + [
            "a/b", "a%2Fb", "%2e", "%2E", "...", ".a", "a b", " a", "+", "?", "#", "a\u{2028}b", "a\u{2029}b",
            "a\u{202E}b",
            "a\u{2066}b", "a\u{200D}b", "\u{A0}", String(repeating: "\u{E9}", count: 128),
        ]

    @Test("each of many names is found, listed, replaced and removed by its bytes alone, in every resource")
    func bytes() async throws {
        try await TestServer.run { server in
            try prepare(server)
            for place in Self.places {
                var left = Self.names
                for name in left {
                    try server.send("PUT", place.path + Self.encoded(name), place.body(name)).expect(201)
                }
                while let name = left.popLast() {
                    let path = place.path + Self.encoded(name)
                    let text = try server.send("GET", path).expect(200).text
                    let isVariable = place.path.hasSuffix("variables/")
                    #expect(isVariable || text.utf8.contains("\"\(name)\"".utf8), "\(path): \(text)")
                    try server.send("PUT", path, place.body(name)).expect(200)
                    try server.send("DELETE", path).expect(204)
                    try server.send("GET", path).expect(404)
                    for other in left { try server.send("GET", place.path + Self.encoded(other)).expect(200) }
                }
            }
        }
    }

    @Test("a name one byte too long, an empty one and a step of a path are refused in every resource")
    func bounds() async throws {
        try await TestServer.run { server in
            try prepare(server)
            for place in Self.places {
                let isName = !place.path.contains("/sections/")
                let longest = isName ? Name.maximumLength : 1024
                for (length, status) in [(longest, 201), (longest + 1, 422)] {
                    let name = String(repeating: "n", count: length)
                    try server.send("PUT", place.path + name, place.body(name)).expect(status)
                }
                #expect(try server.send("PUT", place.path, place.body("")).status / 100 == 4)
                // What is in a section has a position, too.
                for step in [".", ".."] where isName {
                    let answer = try server.send("PUT", place.path + Self.encoded(step), place.body(step))
                    #expect(answer.status == 422, "\(place.path)\(step): \(answer.status)")
                }
            }
        }
    }

    @Test("members of a query find by bytes", arguments: pairs)
    func queries(_ one: String, _ other: String) async throws {
        try await TestServer.run { server in
            try prepare(server)
            for name in [one, other] {
                try server.send("PUT", "/v1/directors/d/adapters/" + Self.encoded(name), #"{"cell":"C"}"#).expect(201)
            }
            let body = #"[{"model":"\#(one)","value":{"id":"\#(one)"}},{"model":"\#(one)","value":{"id":"x"}}]"#
            try server.send("POST", "/v1/directors/d/sections/s/elements", body).expect(201)
            func total(_ member: String, _ name: String) throws -> Int? {
                let path = "/v1/directors/d/elements?\(member)=" + Self.encoded(name)
                return try server.send("GET", path).expect(200).json["total"] as? Int
            }
            #expect(try total("id", one) == 1 && total("id", other) == 0)
            #expect(try total("model", one) == 2 && total("model", other) == 0)
            let insertion = "/v1/directors/d/sections?at="
            try server.send("PUT", "/v1/directors/d/sections/" + Self.encoded(one), "{}").expect(201)
            try server.send("POST", insertion + Self.encoded(other), "{}").expect(422)
            try server.send("POST", insertion + Self.encoded(one), "{}").expect(201)
            let removal = "/v1/directors/d/sections/s/elements?at="
            try server.send("DELETE", removal + Self.encoded(other)).expect(404)
            try server.send("DELETE", removal + Self.encoded(one)).expect(204)
            let bare = "/v1/directors/d/sections/s/elements?model=" + Self.encoded(other)
            try server.send("POST", bare, #"{"id":"y"}"#).expect(201)
            #expect(try total("model", other) == 1)
            try server.send("PUT", "/v1/directors/" + Self.encoded(one), #"{"kind":"table"}"#).expect(201)
            #expect(try server.send("GET", "/v1/changesets?director=" + Self.encoded(other)).status == 404)
            #expect(try server.send("GET", "/v1/changesets?director=a%00b").status == 400)
        }
    }

    @Test("with a control character in any parameter of any route's path nothing is found and nothing is made")
    func controls() async throws {
        try await TestServer.run { server in
            try prepare(server)
            let before = try server.send("GET", "/v1/directors/d").expect(200).text
            for route in Route.all where !route.path.parameterNames.isEmpty {
                for control in ["%00", "%0A", "%1B", "%7F", "%C2%80", "%C2%85", "%C2%9B", "%C2%9F"] {
                    for name in route.path.parameterNames {
                        var path = route.path.description.replacingOccurrences(of: "{\(name)}", with: "a\(control)b")
                        for (other, known) in [("director", "d"), ("section", path.contains("/rows") ? "r" : "s")] {
                            path = path.replacingOccurrences(of: "{\(other)}", with: known)
                        }
                        path = path.replacingOccurrences(of: "{", with: "").replacingOccurrences(of: "}", with: "")
                        let place = Self.places.last { path.hasPrefix($0.path) && path.hasSuffix("b") }
                        let body = place?.body("a\\u0000b") ?? "{}"
                        let answer = try server.send(route.method.rawValue, path, route.takesBody ? body : nil)
                        let isASCII = !OpenAPISchemas.addresses.contains(name) && !control.hasPrefix("%C2")
                        let fits = isASCII ? answer.status == 400 : [400, 404, 422].contains(answer.status)
                        #expect(fits, "\(route.method) \(path): \(answer.status)")
                    }
                }
            }
            #expect(try server.send("GET", "/v1/directors/d").expect(200).text == before)
            #expect(try server.send("GET", "/v1/directors").expect(200).json["total"] as? Int == 1)
        }
    }

    @Test(
        "a control character in a name or an identifier of a body is 422 with the place of it",
        arguments: ["\\u0000", "\\n", "\\u001b", "\\u007f", "\\u0085", "\\u009b"])
    func controlsInBodies(_ control: String) async throws {
        try await TestServer.run { server in
            try prepare(server)
            let name = "a\(control)b"
            try server.send("PUT", "/v1/directors/d/header-footer-adapters/V", "{}").expect(201)
            let bodies = [
                ("PUT", "adapters/N", #"{"cell":"\#(name)"}"#),
                ("PUT", "adapters/N", #"{"cell":"C","reuseIdentifier":"\#(name)"}"#),
                ("PUT", "adapters/N", #"{"cell":"C","viewSource":{"xib":"\#(name)"}}"#),
                ("PUT", "adapters/N", #"{"cell":"C","viewSource":{"xib":null,"bundle":"\#(name)"}}"#),
                ("PUT", "adapters", #"[{"model":"\#(name)","cell":"C"}]"#),
                ("PUT", "adapters", #"[{"model":"N","cell":"\#(name)"}]"#),
                ("PUT", "header-footer-adapters/W", #"{"reuseIdentifier":"\#(name)"}"#),
                ("POST", "sections/r/rows", #"{"id":"x","type":"constant","cell":"\#(name)"}"#),
                ("PUT", "sections/r/rows", #"[{"id":"x","type":"constant","cell":"C","reuseIdentifier":"\#(name)"}]"#),
                ("PUT", "sections/r/rows/x", #"{"type":"constant","cell":"\#(name)"}"#),
                ("PATCH", "sections/s", #"{"id":"\#(name)"}"#),
                (
                    "POST", "operations",
                    #"{"operations":[{"op":"setAdapter","model":"\#(name)","value":{"cell":"C"}}]}"#
                ),
                (
                    "POST", "operations",
                    #"{"operations":[{"op":"setAdapter","model":"N","value":{"cell":"\#(name)"}}]}"#
                ),
                ("POST", "sections", #"{"id":"\#(name)"}"#), ("PUT", "sections", #"[{"id":"\#(name)"}]"#),
                ("POST", "sections/s/elements", #"{"value":{"id":"\#(name)"}}"#),
                ("PUT", "sections/s/elements", #"[{"value":{"id":"\#(name)"}}]"#),
                ("POST", "sections/r/rows", #"{"id":"\#(name)","type":"constant","cell":"C"}"#),
                ("POST", "operations", #"{"operations":[{"op":"setVariable","name":"\#(name)","value":1}]}"#),
                (
                    "POST", "operations",
                    #"{"operations":[{"op":"addElements","section":"s","elements":[{"value":{"id":"\#(name)"}}]}]}"#
                ),
            ]
            for (method, path, body) in bodies {
                let answer = try server.send(method, "/v1/directors/d/" + path, body).expect(422)
                let errors = try answer.json["errors"] as? [[String: Any]] ?? []
                let details = errors.compactMap { $0["detail"] as? String }
                #expect(details.contains { $0.contains("control character") }, "\(body): \(answer.text)")
                #expect(errors.allSatisfy { $0["pointer"] is String }, "\(body): \(answer.text)")
            }
        }
    }

    @Test("what stands in paths cannot be a step of one, whichever body brings it in", arguments: [".", ".."])
    func steps(_ step: String) async throws {
        try await TestServer.run { server in
            try prepare(server)
            for operation in [
                #"{"op":"setVariable","name":"\#(step)","value":1}"#,
                #"{"op":"setAdapter","model":"\#(step)","value":{"cell":"C"}}"#,
            ] {
                try server.send("POST", "/v1/directors/d/operations", #"{"operations":[\#(operation)]}"#).expect(422)
            }
        }
    }
}

extension String.UTF8View {
    /// Whether the bytes of another text are among these.
    fileprivate func contains(_ other: String.UTF8View) -> Bool {
        let (own, wanted) = (Array(self), Array(other))
        guard wanted.count <= own.count else { return false }
        return (0...own.count - wanted.count).contains { own[$0..<$0 + wanted.count].elementsEqual(wanted) }
    }
}
