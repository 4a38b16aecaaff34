import Access
import JSONValues
import Testing

@Suite("Grants")
struct GrantTests {
    private func grants(_ text: String) throws -> Grants {
        try Grants(decoding: JSONDocument(Array(text.utf8)).root)
    }

    @Test("a grant allows its actions on the directors it names, and nothing else")
    func allows() throws {
        let grants = try grants(
            #"""
            [{"actions": ["read", "report"], "directors": ["shop-*", "menu"]}, {"actions": ["mutate"], "directors": ["menu"]}]
            """#)
        for (name, rights) in [
            ("menu", [Right.read, .report, .mutate]), ("shop-", [.read, .report]), ("shop-1", [.read, .report]),
            ("shop", []), ("menus", []), ("Menu", []), ("", []),
        ] {
            for right in Right.allCases {
                #expect(grants.allow(right, on: name) == rights.contains(right), "\(right) on \(name)")
                #expect(!grants.allowEverywhere(right))
            }
        }
    }

    @Test("names are compared byte by byte")
    func spelling() throws {
        let grants = try grants(#"[{"actions": ["read"], "directors": ["caf\u00e9", "th\u00e9*"]}]"#)
        #expect(grants.allow(.read, on: "caf\u{e9}") && !grants.allow(.read, on: "cafe\u{301}"))
        #expect(grants.allow(.read, on: "th\u{e9}s") && !grants.allow(.read, on: "the\u{301}s"))
    }

    @Test("a star alone is every director; operate needs none and opens none")
    func everywhere() throws {
        let all = try grants(#"[{"actions": ["read"], "directors": ["*"]}, {"actions": ["operate"]}]"#)
        #expect(all.allowEverywhere(.read) && all.allow(.read, on: "any"))
        #expect(all.allowEverywhere(.operate) && !all.allow(.mutate, on: "any"))
        let operate = try grants(#"[{"actions": ["operate"]}]"#)
        #expect(!operate.allow(.read, on: "any"))
        for right in Right.allCases {
            #expect(Grants.everything.allow(right, on: "x") && !Grants.nothing.allow(right, on: "x"))
        }
    }

    @Test(
        "what is no grant is refused with its place",
        arguments: [
            ("{}", "", "array"), ("[1]", "/0", "object"), ("[{}]", "/0", "actions is missing"),
            (#"[{"actions": "read", "directors": ["a"]}]"#, "/0/actions", "array"),
            (#"[{"actions": [], "directors": ["a"]}]"#, "/0/actions", "at least one"),
            (#"[{"actions": ["reed"], "directors": ["a"]}]"#, "/0/actions/0", "no such action"),
            (#"[{"actions": ["read", 1], "directors": ["a"]}]"#, "/0/actions/1", "string"),
            (#"[{"actions": ["read"]}]"#, "/0/directors", "at least one director"),
            (#"[{"actions": ["read"], "directors": []}]"#, "/0/directors", "at least one director"),
            (#"[{"actions": ["read"], "directors": [""]}]"#, "/0/directors/0", "1 to 256 bytes"),
            (#"[{"actions": ["read"], "directors": ["a*b"]}]"#, "/0/directors/0", "at the end"),
            (#"[{"actions": ["read"], "directors": ["**"]}]"#, "/0/directors/0", "at the end"),
            (#"[{"actions": ["operate"], "directors": ["a"]}]"#, "/0/directors", "whole server"),
            (#"[{"actions": ["read"], "directors": ["a"], "x/y": 1}]"#, "/0/x~1y", "no such member"),
        ])
    func refusals(text: String, pointer: String, detail: String) throws {
        let error = #expect(throws: GrantError.self) { try grants(text) }
        #expect(error?.pointer == pointer && error?.detail.contains(detail) == true, "\(String(describing: error))")
    }

    @Test("grants, actions and directors are bounded")
    func bounds() throws {
        let grant = #"{"actions": ["read"], "directors": ["a"]}"#
        let many = { (count: Int) in "[" + Array(repeating: grant, count: count).joined(separator: ",") + "]" }
        #expect(try grants(many(Grants.limit)).list.count == Grants.limit)
        #expect(throws: GrantError.self) { try grants(many(Grants.limit + 1)) }
        let names = { (count: Int) in (0..<count).map { "\"d\($0)\"" }.joined(separator: ",") }
        let broad = { (count: Int) in "[{\"actions\": [\"read\"], \"directors\": [\(names(count))]}]" }
        #expect(try grants(broad(Grant.patternLimit)).allow(.read, on: "d255"))
        #expect(throws: GrantError.self) { try grants(broad(Grant.patternLimit + 1)) }
    }

    @Test("what is written is read again")
    func coding() throws {
        let text = #"[{"actions":["read","hooks"],"directors":["a*","b\"c"]},{"actions":["operate"]}]"#
        var writer = JSONWriter()
        try grants(text).encode(to: &writer)
        #expect(String(decoding: writer.bytes, as: UTF8.self) == text)
    }
}
