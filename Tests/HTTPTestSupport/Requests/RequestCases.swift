/// The requests that every protocol's server must treat alike, with the limits of a server that was told nothing.
package enum RequestCases {
    /// All of them.
    package static let all: [RequestCase] = [
        methods, targets, authorities, fields, lengths, contents, expectations,
    ].flatMap { $0 }

    private static func letters(_ count: Int) -> String { String(repeating: "a", count: count) }

    static let methods: [RequestCase] = [
        .init("GET"), .init("HEAD", "HEAD"), .init("DELETE", "DELETE"), .init("OPTIONS", "OPTIONS"),
        .init("TRACE", "TRACE"),
        .init("a method of its own", "PURGE"), .init("a method in lower case, which is another one", "get"),
        .init("a method of signs", "M-1!#$%&'*+.^_`|~"), .init("the longest method", letters(32)),
        .init("a method that is too long", letters(33), outcome: .refused(501)),
        .init("CONNECT", "CONNECT", "a:443", authority: "a:443", outcome: .refused(501)),
        .init("a method in parentheses", "(GET)", outcome: .refused(400)),
        .init("a method with a colon", "GET:", outcome: .refused(400)),
        .init("a method with a byte above ASCII", "GÉT", outcome: .refused(400)),
        .init("a method with a NUL", "G\0T", outcome: .refused(400)),
    ]

    static let targets: [RequestCase] = [
        .init("a path and a query", "GET", "/a/b?c=d&e"), .init("two slashes", "GET", "//a//b"),
        .init("percent-encoding left as it is", "GET", "/%41%2f%e9"),
        .init("what browsers leave unencoded", "GET", "/?[]|\\^`{}"), .init("an asterisk", "OPTIONS", "*"),
        .init("the longest target", "GET", "/" + letters(8191)),
        .init("a target that is too long", "GET", "/" + letters(8192), outcome: .refused(414)),
        .init("an asterisk for GET", "GET", "*", outcome: .refused(400)),
        .init("an asterisk with a path", "OPTIONS", "*/a", outcome: .refused(400)),
        .init("a target with no slash", "GET", "a", outcome: .refused(400)),
        .init("a target that is only a query", "GET", "?a", outcome: .refused(400)),
        .init("a fragment", "GET", "/a#b", outcome: .refused(400)),
        .init("a quote in the target", "GET", "/\"a\"", outcome: .refused(400)),
        .init("angle brackets in the target", "GET", "/<a>", outcome: .refused(400)),
        .init("a space in the target", "GET", "/a b", outcome: .refused(400)),
        .init("a NUL in the target", "GET", "/a\0b", outcome: .refused(400)),
        .init("a DEL in the target", "GET", "/a\u{7f}b", outcome: .refused(400)),
        .init("a byte above ASCII in the target", "GET", "/é", outcome: .refused(400)),
        .init("a percent sign with no digits", "GET", "/%", outcome: .refused(400)),
        .init("a percent sign with one digit", "GET", "/%2", outcome: .refused(400)),
        .init("a percent sign with a letter that is no digit", "GET", "/%2g", outcome: .refused(400)),
    ]

    private static let goodHosts = ["a:80", "a:", "A.b-c_d:8080", "[::1]", "[::ffff:1.2.3.4]:65535", "a%2Db"]
    private static let badHosts = [
        "a b", "a, b", "a/b", "u@a", "a:http", "a:-1", "a:65536", "a:80:80", ":80", "[::1", "[::1]]", "[a]", "[]",
        "a%zz",
        "é",
    ]

    static let authorities: [RequestCase] = {
        var cases = goodHosts.map { RequestCase("the host \($0)", authority: $0) }
        cases += badHosts.map { RequestCase("the host \($0)", authority: $0, outcome: .refused(400)) }
        cases.append(RequestCase("no host", authority: nil, outcome: .refused(400)))
        return cases
    }()

    private static func manyFields(_ count: Int, _ value: String = "v") -> [(String, String)] {
        (0..<count).map { ("x-\($0)", value) }
    }

    static let fields: [RequestCase] = [
        .init("an empty value", fields: [("x", "")]),
        .init("a value with white space inside", fields: [("x", "b \t c")]),
        .init("a value in UTF-8", fields: [("x", "é")]), .init("a value with colons", fields: [("x", "b:c: d")]),
        .init("a name of signs", fields: [("!#$%&'*+-.^_`|~", "b")]),
        .init("a field that comes twice", fields: [("x", "b"), ("x", "c")]),
        .init("one cookie", fields: [("cookie", "a=1; b=2")]), .init("TE: trailers", fields: [("te", "trailers")]),
        .init("90 fields", fields: manyFields(90)),
        .init("101 fields", fields: manyFields(101), outcome: .refused(431)),
        .init("values of 70,000 bytes together", fields: manyFields(10, letters(7000)), outcome: .refused(431)),
        .init("a name with a space", fields: [("a b", "c")], outcome: .refused(400)),
        .init("a name with a slash", fields: [("a/b", "c")], outcome: .refused(400)),
        .init("a name in brackets", fields: [("[a]", "c")], outcome: .refused(400)),
        .init("a name with a quote", fields: [("\"a\"", "c")], outcome: .refused(400)),
        .init("a name with a byte above ASCII", fields: [("ä", "c")], outcome: .refused(400)),
        .init("a name with a NUL", fields: [("a\0", "c")], outcome: .refused(400)),
        .init("no name", fields: [("", "c")], outcome: .refused(400)),
        .init("a value with a NUL", fields: [("x", "b\0c")], outcome: .refused(400)),
        .init("a value with a bare carriage return", fields: [("x", "b\rc")], outcome: .refused(400)),
        .init("a value with an escape", fields: [("x", "\u{1b}[2J")], outcome: .refused(400)),
        .init("a value with a vertical tab", fields: [("x", "\u{0b}c")], outcome: .refused(400)),
        .init("a value with a DEL", fields: [("x", "b\u{7f}")], outcome: .refused(400)),
        .init(
            "a transfer coding that is not known", "POST", fields: [("transfer-encoding", "gzip")],
            outcome: .refused(400)),
    ]
}
