import CCurl
import TestSupport
import Testing

@testable import HTTPClient

@Suite("URLs of webhooks")
struct HTTPURLTests {
    @Test(
        "a URL is written anew from what was understood",
        arguments: [
            ("http://example.com", "http://example.com/"), ("HTTPS://EXAMPLE.com/A?b=C", "https://example.com/A?b=C"),
            ("http://example.com:80/x", "http://example.com/x"), ("https://example.com:443", "https://example.com/"),
            ("http://example.com:443/", "http://example.com:443/"), ("https://example.com:/", "https://example.com/"),
            ("http://example.com?a=b", "http://example.com/?a=b"), ("http://localhost./x", "http://localhost/x"),
            ("http://EXAMPLE.com.:8080/", "http://example.com:8080/"), ("http://a_b/", "http://a_b/"),
            ("http://xn--bcher-kva.example/", "http://xn--bcher-kva.example/"),
            ("http://127.0.0.1/", "http://127.0.0.1/"), ("http://0x7f.1/", "http://127.0.0.1/"),
            ("http://2130706433/", "http://127.0.0.1/"), ("http://017700000001/", "http://127.0.0.1/"),
            ("http://0X7F000001:8080/", "http://127.0.0.1:8080/"), ("http://127.1./", "http://127.0.0.1/"),
            ("http://0/", "http://0.0.0.0/"), ("http://[::1]:8080/x", "http://[::1]:8080/x"),
            ("http://[::FFFF:10.0.0.1]/", "http://[::ffff:a00:1]/"), ("http://[0:0:0:0:0:0:0:1]/", "http://[::1]/"),
            ("http://example.com/%7Euser/../a;b=c,d@e:f", "http://example.com/%7Euser/../a;b=c,d@e:f"),
            ("http://0x7f.example/", "http://0x7f.example/"), ("http://1.2.3.4.example/", "http://1.2.3.4.example/"),
        ])
    func canonical(text: String, expected: String) throws {
        let url = try HTTPURL(text)
        #expect(url.text == expected)
        #expect(try HTTPURL(url.text) == url)
        try expectSame(url)
    }

    @Test(
        "what is not the URL of a webhook is refused with the reason",
        arguments: [
            ("", .notAbsolute), ("example.com", .notAbsolute), ("//example.com", .notAbsolute), ("/x", .notAbsolute),
            ("http:/example.com", .notAbsolute), ("http:example.com", .notAbsolute), ("ftp://example.com", .scheme),
            ("file:///etc/passwd", .scheme), ("gopher://example.com", .scheme), ("://example.com", .scheme),
            ("javascript://example.com", .scheme), ("http://", .host("")), ("http:///x", .host("")),
            ("http://:80/", .host("")), ("http://?x", .host("")), ("http://user@example.com", .userInformation),
            ("http://user:password@example.com", .userInformation), ("http://@example.com", .userInformation),
            ("http://example.com#x", .fragment), ("http://example.com/a#x", .fragment),
            ("http://example.com#@evil.example/", .fragment), ("http://example.com:0/", .port),
            ("http://example.com:65536/", .port), ("http://example.com:8o/", .port), ("http://example.com:-1/", .port),
            ("http://example.com:080000/", .port), ("http://[::1]x/", .port), ("http://[::1", .host("[::1")),
            ("http://[fe80::1%25eth0]/", .host("[fe80::1%25eth0]")), ("http://[127.0.0.1]/", .host("[127.0.0.1]")),
            ("http://[::1.2.3]/", .host("[::1.2.3]")), ("http://[]/", .host("[]")), ("http://::1/", .port),
            ("http://1.2.3.4.5/", .host("1.2.3.4.5")), ("http://256.0.0.1/", .host("256.0.0.1")),
            ("http://example.0x/", .host("example.0x")), ("http://08/", .host("08")), ("http://a..b/", .host("a..b")),
            ("http://a../", .host("a..")), ("http://./", .host(".")), ("http://a,b/", .host("a,b")),
            ("http://%31%32%37.0.0.1/", .host("%31%32%37.0.0.1")), ("http://a b/", .character(" ")),
            ("http://example.com/a b", .character(" ")), ("http://bücher.example/", .character("ü")),
            ("http://example.com/ä", .character("ä")), ("http://example.com\\@evil.example/", .character("\\")),
            ("http://example.com/\r\nHost: evil", .character("\r")), ("http://example.com/\u{0}", .character("\u{0}")),
            ("http://example.com/%", .character("%")), ("http://example.com/%2", .character("%")),
            ("http://example.com/%zz", .character("%")), ("http://１２７.0.0.1/", .character("\u{ff11}")),
            ("http://127。0。0。1/", .character("\u{3002}")), ("http://ⓛocalhost/", .character("\u{24db}")),
            (" http://example.com", .character(" ")), ("http://example.com/\"", .character("\"")),
            ("http://example.com/<>", .character("<")), ("http://example.com/`", .character("`")),
        ] as [(String, HTTPURLError)])
    func refused(text: String, error: HTTPURLError) {
        #expect(throws: error) { try HTTPURL(text) }
        #expect(!error.description.isEmpty)
    }

    @Test("a URL, a name and a label have a length")
    func lengths() throws {
        let label = String(repeating: "a", count: 63)
        #expect(try HTTPURL("http://\(label).example/").target.host == .name("\(label).example"))
        #expect(throws: HTTPURLError.self) { try HTTPURL("http://a\(label).example/") }
        let name = [label, label, label, String(repeating: "b", count: 61)].joined(separator: ".")
        #expect(try HTTPURL("http://\(name)/").target.host == .name(name))
        #expect(throws: HTTPURLError.self) { try HTTPURL("http://\(name)b/") }
        let start = "http://example.com/"
        let longest = start + String(repeating: "x", count: HTTPURL.maxLength - start.utf8.count)
        #expect(try HTTPURL(longest).text == longest)
        #expect(throws: HTTPURLError.tooLong) { try HTTPURL(longest + "x") }
    }

    @Test("of any text that is taken, libcurl understands the same host and port")
    func property() throws {
        var generator = SeededGenerator(seed: runSeed)
        let pieces = [
            "http://", "https://", "example.com", "localhost", "127.0.0.1", "0x7f", "1", "[::1]", "[::ffff:7f00:1]",
            ".",
            ":", "80", "443", "/", "?", "#", "@", "%41", "\\", "a", "-", "_", "//", "[", "]", "0", "::", ";", "&", "=",
        ]
        var taken = 0
        for round in 0..<5000 {
            let rest = (0..<(1 + generator.below(7))).map { _ in pieces[generator.below(pieces.count)] }.joined()
            guard let url = try? HTTPURL(pieces[generator.below(2)] + rest) else { continue }
            taken += 1
            try expectSame(url, "seed \(runSeed), round \(round)")
        }
        #expect(taken > 200)
    }

    /// Expects that libcurl takes the text for what it says here.
    private func expectSame(_ url: HTTPURL, _ comment: Comment? = nil) throws {
        let handle = try #require(curl_url())
        defer { curl_url_cleanup(handle) }
        try #require(curl_url_set(handle, CURLUPART_URL, url.text, 0) == CURLUE_OK, comment)
        func part(_ part: CURLUPart) -> String? {
            var text: UnsafeMutablePointer<CChar>?
            guard curl_url_get(handle, part, &text, UInt32(CURLU_DEFAULT_PORT)) == CURLUE_OK, let text else {
                return nil
            }
            defer { curl_free(text) }
            return String(cString: text)
        }
        #expect(part(CURLUPART_SCHEME) == (url.target.isSecure ? "https" : "http"), comment)
        #expect(part(CURLUPART_HOST) == url.target.host.authority, comment)
        #expect(part(CURLUPART_PORT) == "\(url.target.port)", comment)
        #expect(part(CURLUPART_USER) == nil, comment)
    }
}
