import HTTPTypes

@testable import HTTPWire

/// A request that must be understood, and what must be understood by it.
struct ValidRequest: CustomStringConvertible, Sendable {
    let name: String
    let bytes: [UInt8]
    let method: String
    let target: String
    let authority: String?
    let body: String
    let keepAlive: Bool
    let expectsContinue: Bool
    let fields: [String: String]

    init(
        _ name: String, _ text: String, _ method: String = "GET", _ target: String = "/", authority: String? = "a",
        body: String = "", keepAlive: Bool = true, expectsContinue: Bool = false, fields: [String: String] = [:]
    ) {
        self.name = name
        self.bytes = Array(text.utf8)
        self.method = method
        self.target = target
        self.authority = authority
        self.body = body
        self.keepAlive = keepAlive
        self.expectsContinue = expectsContinue
        self.fields = fields
    }

    var description: String { name }

    /// Says what of a message is not as expected; nil where all is.
    func departure(_ message: Transcript.Message) -> String? {
        let head = message.head
        if !message.isComplete { return "not complete" }
        if head.method.rawValue != method { return "method \(head.method)" }
        if head.target != target { return "target \(head.target)" }
        if head.authority != authority { return "authority \(head.authority ?? "nil")" }
        if head.keepAlive != keepAlive { return "keepAlive \(head.keepAlive)" }
        if head.expectsContinue != expectsContinue { return "expectsContinue \(head.expectsContinue)" }
        if message.body != Array(body.utf8) { return "body \(String(decoding: message.body, as: UTF8.self))" }
        for (name, value) in fields where HTTPField.Name(name).flatMap({ head.fields[$0] }) != value {
            return "field \(name)"
        }
        return nil
    }
}

extension ValidRequest {
    private static let host = "Host: a\r\n"
    private static let chunked = "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"

    static let all: [ValidRequest] = lines + targets + fieldLines + persistence + contents

    static let lines: [ValidRequest] = [
        .init("the least there is", "GET / HTTP/1.1\r\nHost: a\r\n\r\n"),
        .init("HTTP/1.0 without Host", "GET / HTTP/1.0\r\n\r\n", authority: nil, keepAlive: false),
        .init("HTTP/1.0 with Host", "GET / HTTP/1.0\r\nHost: a\r\n\r\n", keepAlive: false),
        .init("a later minor version", "GET / HTTP/1.9\r\nHost: a\r\n\r\n"),
        .init("one empty line before", "\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n"),
        .init("two empty lines before", "\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n"),
        .init("a method of its own", "PURGE / HTTP/1.1\r\nHost: a\r\n\r\n", "PURGE"),
        .init("a method in lower case, which is another one", "get / HTTP/1.1\r\nHost: a\r\n\r\n", "get"),
        .init("a method of signs", "M-1!#$%&'*+.^_`|~ / HTTP/1.1\r\nHost: a\r\n\r\n", "M-1!#$%&'*+.^_`|~"),
        .init(
            "the longest method", "ABCDEFGHIJKLMNOPQRSTUVWXYZABCDEF / HTTP/1.1\r\nHost: a\r\n\r\n",
            "ABCDEFGHIJKLMNOPQRSTUVWXYZABCDEF"),
        .init("HEAD", "HEAD / HTTP/1.1\r\nHost: a\r\n\r\n", "HEAD"),
        .init("PUT", "PUT / HTTP/1.1\r\nHost: a\r\n\r\n", "PUT"),
        .init("PATCH", "PATCH / HTTP/1.1\r\nHost: a\r\n\r\n", "PATCH"),
        .init("DELETE", "DELETE / HTTP/1.1\r\nHost: a\r\n\r\n", "DELETE"),
        .init("OPTIONS", "OPTIONS / HTTP/1.1\r\nHost: a\r\n\r\n", "OPTIONS"),
    ]

    static let targets: [ValidRequest] = [
        .init("a path and a query", "GET /a/b?c=d&e HTTP/1.1\r\nHost: a\r\n\r\n", "GET", "/a/b?c=d&e"),
        .init("two slashes", "GET //a//b HTTP/1.1\r\nHost: a\r\n\r\n", "GET", "//a//b"),
        .init("percent-encoding left as it is", "GET /%41%2f%e9 HTTP/1.1\r\nHost: a\r\n\r\n", "GET", "/%41%2f%e9"),
        .init("an address at the end of an encoding", "GET /a%20 HTTP/1.1\r\nHost: a\r\n\r\n", "GET", "/a%20"),
        .init("an at sign", "GET /@0/@first HTTP/1.1\r\nHost: a\r\n\r\n", "GET", "/@0/@first"),
        .init("what browsers leave unencoded", "GET /?[]|\\^`{} HTTP/1.1\r\nHost: a\r\n\r\n", "GET", "/?[]|\\^`{}"),
        .init("an asterisk", "OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n", "OPTIONS", "*"),
        .init(
            "the longest target", "GET /56789012345678901234567890123456789012345678 HTTP/1.1\r\nHost: a\r\n\r\n",
            "GET", "/56789012345678901234567890123456789012345678"),
        .init("an address", "GET http://b:80/c?d HTTP/1.1\r\nHost: a\r\n\r\n", "GET", "/c?d", authority: "b:80"),
        .init("an address in capitals", "GET HTTP://B/c HTTP/1.1\r\nHost: a\r\n\r\n", "GET", "/c", authority: "B"),
        .init("a secure address", "GET https://b/ HTTP/1.1\r\nHost: a\r\n\r\n", authority: "b"),
        .init("an address with no path", "GET http://b HTTP/1.1\r\nHost: a\r\n\r\n", authority: "b"),
        .init(
            "an address with only a query", "GET http://b?c HTTP/1.1\r\nHost: a\r\n\r\n", "GET", "/?c",
            authority: "b"),
        .init(
            "OPTIONS of an address with no path", "OPTIONS http://b HTTP/1.1\r\nHost: a\r\n\r\n", "OPTIONS", "*",
            authority: "b"),
        .init(
            "an address in HTTP/1.0 without Host", "GET http://b/ HTTP/1.0\r\n\r\n", authority: "b",
            keepAlive: false),
    ]

    static let fieldLines: [ValidRequest] = [
        .init("no space after the colon", "GET / HTTP/1.1\r\nHost:a\r\nX:b\r\n\r\n", fields: ["x": "b"]),
        .init(
            "white space around values", "GET / HTTP/1.1\r\nHost: \t a \t\r\nX:  b \t c  \r\n\r\n",
            fields: ["x": "b \t c"]),
        .init("an empty value", "GET / HTTP/1.1\r\nHost: a\r\nX:\r\n\r\n", fields: ["x": ""]),
        .init("a value of white space", "GET / HTTP/1.1\r\nHost: a\r\nX: \t \r\n\r\n", fields: ["x": ""]),
        .init("names in any case", "GET / HTTP/1.1\r\nhOST: a\r\naCCept: b\r\n\r\n", fields: ["Accept": "b"]),
        .init(
            "a name of signs", "GET / HTTP/1.1\r\nHost: a\r\n!#$%&'*+-.^_`|~: b\r\n\r\n",
            fields: ["!#$%&'*+-.^_`|~": "b"]),
        .init("a value with colons", "GET / HTTP/1.1\r\nHost: a\r\nX: b:c: d\r\n\r\n", fields: ["x": "b:c: d"]),
        .init("a value in UTF-8", "GET / HTTP/1.1\r\nHost: a\r\nX: é\r\n\r\n", fields: ["x": "é"]),
        .init("a field that comes twice", "GET / HTTP/1.1\r\nHost: a\r\nX: b\r\nX: c\r\n\r\n", fields: ["x": "b, c"]),
        .init("an empty Host", "GET / HTTP/1.1\r\nHost:\r\n\r\n", authority: ""),
        .init("a Host with a port", "GET / HTTP/1.1\r\nHost: a.b-c_d:8080\r\n\r\n", authority: "a.b-c_d:8080"),
        .init("a Host with an empty port", "GET / HTTP/1.1\r\nHost: a:\r\n\r\n", authority: "a:"),
        .init(
            "a Host that is an address", "GET / HTTP/1.1\r\nHost: [::ffff:1.2.3.4]:65535\r\n\r\n",
            authority: "[::ffff:1.2.3.4]:65535"),
        .init("a Host with percent-encoding", "GET / HTTP/1.1\r\nHost: a%2Db\r\n\r\n", authority: "a%2Db"),
    ]

    static let persistence: [ValidRequest] = [
        .init("close", "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n", keepAlive: false),
        .init(
            "close in a list, in capitals", "GET / HTTP/1.1\r\nHost: a\r\nConnection: x , CLOSE,\r\n\r\n",
            keepAlive: false),
        .init(
            "close on a second line", "GET / HTTP/1.1\r\nHost: a\r\nConnection: x\r\nConnection: close\r\n\r\n",
            keepAlive: false),
        .init(
            "close beside keep-alive", "GET / HTTP/1.1\r\nHost: a\r\nConnection: keep-alive, close\r\n\r\n",
            keepAlive: false),
        .init("an option that only begins like close", "GET / HTTP/1.1\r\nHost: a\r\nConnection: closed\r\n\r\n"),
        .init(
            "an upgrade, which is not taken", "GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n"
        ),
        .init("keep-alive in HTTP/1.0", "GET / HTTP/1.0\r\nConnection: Keep-Alive\r\n\r\n", authority: nil),
        .init(
            "keep-alive and close in HTTP/1.0", "GET / HTTP/1.0\r\nConnection: keep-alive, close\r\n\r\n",
            authority: nil, keepAlive: false),
    ]

    static let contents: [ValidRequest] = [
        .init("a length", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello", "POST", body: "hello"),
        .init("a length of zero", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n", "POST"),
        .init(
            "a length with zeros before it", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 0005\r\n\r\nhello",
            "POST", body: "hello"),
        .init(
            "the largest content",
            "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 64\r\n\r\n"
                + String(repeating: "x", count: 64), "POST", body: String(repeating: "x", count: 64)),
        .init("content of a GET", "GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n\r\n", body: "\r\n"),
        .init(
            "content in HTTP/1.0", "POST / HTTP/1.0\r\nContent-Length: 2\r\n\r\nhi", "POST", authority: nil,
            body: "hi", keepAlive: false),
        .init(
            "content that looks like a request",
            "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 18\r\n\r\nGET / HTTP/1.1\r\n\r\n", "POST",
            body: "GET / HTTP/1.1\r\n\r\n"),
        .init("no chunk but the last", chunked + "0\r\n\r\n", "POST"),
        .init("one chunk", chunked + "5\r\nhello\r\n0\r\n\r\n", "POST", body: "hello"),
        .init("several chunks", chunked + "1\r\nh\r\n3\r\nell\r\n1\r\no\r\n0\r\n\r\n", "POST", body: "hello"),
        .init(
            "a size in capitals with zeros before it", chunked + "00A\r\n0123456789\r\n000\r\n\r\n", "POST",
            body: "0123456789"),
        .init("chunk data of line ends", chunked + "4\r\n\r\n\r\n\r\n0\r\n\r\n", "POST", body: "\r\n\r\n"),
        .init("chunk extensions", chunked + "5;a;b=c;d=\"e;\\\"f\"\r\nhello\r\n0;g\r\n\r\n", "POST", body: "hello"),
        .init(
            "chunk extensions with bad white space", chunked + "5 ; a = b\t;c\r\nhello\r\n0\r\n\r\n", "POST",
            body: "hello"),
        .init("trailers", chunked + "5\r\nhello\r\n0\r\nX: y\r\nExpires: never\r\n\r\n", "POST", body: "hello"),
        .init(
            "chunked in capitals", "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding:  CHUNKED \r\n\r\n0\r\n\r\n",
            "POST"),
        .init(
            "an expectation",
            "POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-Continue\r\nContent-Length: 2\r\n\r\nhi", "POST", body: "hi",
            expectsContinue: true),
        .init("an expectation with nothing to wait for", "GET / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\n\r\n"),
        .init(
            "an expectation in HTTP/1.0, which is ignored",
            "POST / HTTP/1.0\r\nExpect: more\r\nContent-Length: 2\r\n\r\nhi", "POST", authority: nil, body: "hi",
            keepAlive: false),
    ]
}
