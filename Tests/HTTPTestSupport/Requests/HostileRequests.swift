/// The table of hostile requests, by what they attack.
package enum HostileRequests {
    /// All of them, for a server with these limits.
    package static func all(_ limits: HostileLimits = HostileLimits()) -> [HostileRequest] {
        requestLines + targets + versions + lineEnds + fieldLines + hosts + lengths + codings + chunks + trailers
            + expectations + tooLarge(limits)
    }

    static let host = "Host: localhost\r\n"
    private static let get = "GET / HTTP/1.1\r\n"

    static let requestLines: [HostileRequest] = [
        .init("two spaces before the target", "GET  / HTTP/1.1\r\n" + host + "\r\n"),
        .init("two spaces before the version", "GET /  HTTP/1.1\r\n" + host + "\r\n"),
        .init("a space at the start", " GET / HTTP/1.1\r\n" + host + "\r\n"),
        .init("a space at the end", "GET / HTTP/1.1 \r\n" + host + "\r\n"),
        .init("a tab for a space", "GET\t/ HTTP/1.1\r\n" + host + "\r\n"),
        .init("a tab before the version", "GET /\tHTTP/1.1\r\n" + host + "\r\n"),
        .init("a method and nothing else", "GET\r\n" + host + "\r\n"),
        .init("no target", "GET HTTP/1.1\r\n" + host + "\r\n"),
        .init("no version, as in HTTP/0.9", "GET /\r\n"),
        .init("no version after a space", "GET / \r\n" + host + "\r\n"),
        .init("a space in the target", "GET /a b HTTP/1.1\r\n" + host + "\r\n"),
        .init("a method in parentheses", "(GET) / HTTP/1.1\r\n" + host + "\r\n"),
        .init("a method with a colon", "GET: / HTTP/1.1\r\n" + host + "\r\n"),
        .init("a method with a byte above ASCII", "G\u{c9}T / HTTP/1.1\r\n" + host + "\r\n"),
        .init("a field line for a request line", "Host: localhost\r\n\r\n"),
        .init("a response", "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"),
        .init(
            "a method of 33 letters", String(repeating: "M", count: 33) + " / HTTP/1.1\r\n" + host + "\r\n", status: 501
        ),
        .init("a TLS greeting", "\u{16}\u{03}\u{01}\u{02}\u{00}\u{01}\u{00}\u{01}"),
        .init("a NUL in the method", "G\u{00}T / HTTP/1.1\r\n" + host + "\r\n"),
    ]

    static let targets: [HostileRequest] = [
        .init("a target with no slash", "GET a HTTP/1.1\r\n" + host + "\r\n"),
        .init("a target that is only a query", "GET ?a HTTP/1.1\r\n" + host + "\r\n"),
        .init("a fragment", "GET /a#b HTTP/1.1\r\n" + host + "\r\n"),
        .init("a quote in the target", "GET /\"a\" HTTP/1.1\r\n" + host + "\r\n"),
        .init("angle brackets in the target", "GET /<script> HTTP/1.1\r\n" + host + "\r\n"),
        .init("a NUL in the target", "GET /a\u{00}b HTTP/1.1\r\n" + host + "\r\n"),
        .init("a DEL in the target", "GET /a\u{7f}b HTTP/1.1\r\n" + host + "\r\n"),
        .init("a byte above ASCII in the target", "GET /\u{e9} HTTP/1.1\r\n" + host + "\r\n"),
        .init("a percent sign with no digits", "GET /% HTTP/1.1\r\n" + host + "\r\n"),
        .init("a percent sign with one digit", "GET /%2 HTTP/1.1\r\n" + host + "\r\n"),
        .init("a percent sign with a letter that is no digit", "GET /%2g HTTP/1.1\r\n" + host + "\r\n"),
        .init("an asterisk for GET", "GET * HTTP/1.1\r\n" + host + "\r\n"),
        .init("an asterisk with a path", "OPTIONS */a HTTP/1.1\r\n" + host + "\r\n"),
        .init("a target of another scheme", "GET ftp://localhost/ HTTP/1.1\r\n" + host + "\r\n"),
        .init("a script for a target", "GET javascript:alert(1) HTTP/1.1\r\n" + host + "\r\n"),
        .init("an address with no host", "GET http:///a HTTP/1.1\r\n" + host + "\r\n"),
        .init("an address with only a port", "GET http://:80/a HTTP/1.1\r\n" + host + "\r\n"),
        .init("an address with user information", "GET http://user@localhost/ HTTP/1.1\r\n" + host + "\r\n"),
        .init("an address with a port that is too large", "GET http://localhost:65536/ HTTP/1.1\r\n" + host + "\r\n"),
        .init("an address and no Host", "GET http://localhost/ HTTP/1.1\r\n\r\n"),
        .init("an authority for GET", "GET localhost:80 HTTP/1.1\r\n" + host + "\r\n"),
        .init("CONNECT", "CONNECT localhost:443 HTTP/1.1\r\n" + host + "\r\n", status: 501),
        .init("CONNECT with a path", "CONNECT / HTTP/1.1\r\n" + host + "\r\n", status: 501),
    ]

    static let versions: [HostileRequest] = [
        .init("the preface of HTTP/2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", status: 505),
        .init("HTTP/2.0", "GET / HTTP/2.0\r\n" + host + "\r\n", status: 505),
        .init("HTTP/3.0", "GET / HTTP/3.0\r\n" + host + "\r\n", status: 505),
        .init("HTTP/0.9 by name", "GET / HTTP/0.9\r\n" + host + "\r\n", status: 505),
        .init("a version in lower case", "GET / http/1.1\r\n" + host + "\r\n"),
        .init("a version with no point", "GET / HTTP/11\r\n" + host + "\r\n"),
        .init("a version with a comma", "GET / HTTP/1,1\r\n" + host + "\r\n"),
        .init("a version with two minor digits", "GET / HTTP/1.10\r\n" + host + "\r\n"),
        .init("a version with no minor digit", "GET / HTTP/1.\r\n" + host + "\r\n"),
        .init("a version of another protocol", "GET / HTTQ/1.1\r\n" + host + "\r\n"),
        .init("a version that runs on", "GET / HTTP/1.1x\r\n" + host + "\r\n"),
    ]

    static let lineEnds: [HostileRequest] = [
        .init("bare line feeds throughout", "GET / HTTP/1.1\nHost: localhost\n\n"),
        .init("a bare line feed after the request line", "GET / HTTP/1.1\n" + host + "\r\n"),
        .init("a bare line feed after a field line", get + "Host: localhost\n\r\n"),
        .init("a bare line feed for the last line", get + host + "\n"),
        .init("a bare line feed in a value", get + host + "A: b\nSmuggled: yes\r\n\r\n"),
        .init("a bare carriage return in the request line", "GET /\r HTTP/1.1\r\n" + host + "\r\n"),
        .init("a bare carriage return in a value", get + host + "A: b\rc\r\n\r\n"),
        .init("a bare carriage return in a name", get + host + "A\rB: c\r\n\r\n"),
        .init("two carriage returns before a line feed", get + host + "A: b\r\r\n\r\n"),
        .init("a carriage return for the last line", get + host + "\rGET"),
        .init("an empty line of a bare line feed at the start", "\n" + get + host + "\r\n"),
        .init("a bare carriage return at the start", "\rGET / HTTP/1.1\r\n" + host + "\r\n"),
    ]

    static let fieldLines: [HostileRequest] = [
        .init("a space before the colon", get + "Host : localhost\r\n\r\n"),
        .init("a tab before the colon", get + host + "A\t: b\r\n\r\n"),
        .init("a space before the colon of Transfer-Encoding", get + host + "Transfer-Encoding : chunked\r\n\r\n"),
        .init("a space in a name", get + host + "A B: c\r\n\r\n"),
        .init("a folded line", get + host + "A: b\r\n c\r\n\r\n"),
        .init("a line folded with a tab", get + host + "A: b\r\n\tc\r\n\r\n"),
        .init("a folded line before the first field", get + " A: b\r\n" + host + "\r\n"),
        .init("a folded line that is empty", get + host + " \r\n\r\n"),
        .init("a folded Transfer-Encoding", get + host + "Transfer-Encoding:\r\n chunked\r\n\r\n"),
        .init("a line with no colon", get + host + "A\r\n\r\n"),
        .init("a line with no name", get + host + ": b\r\n\r\n"),
        .init("a name with a slash", get + host + "A/B: c\r\n\r\n"),
        .init("a name in brackets", get + host + "[A]: b\r\n\r\n"),
        .init("a name with a quote", get + host + "\"A\": b\r\n\r\n"),
        .init("a name with a byte above ASCII", get + host + "\u{c4}: b\r\n\r\n"),
        .init("a name with a NUL", get + host + "A\u{00}: b\r\n\r\n"),
        .init("a value with a NUL", get + host + "A: b\u{00}c\r\n\r\n"),
        .init("a value with an escape", get + host + "A: \u{1b}[2J\r\n\r\n"),
        .init("a value with a vertical tab", get + host + "Transfer-Encoding: \u{0b}chunked\r\n\r\n"),
        .init("a value with a DEL", get + host + "A: b\u{7f}\r\n\r\n"),
    ]

    static let hosts: [HostileRequest] = [
        .init("no Host", get + "\r\n"),
        .init("no Host among other fields", get + "Accept: */*\r\nX-Host: localhost\r\n\r\n"),
        .init("two Hosts", get + host + "Host: other\r\n\r\n"),
        .init("two equal Hosts", get + host + host + "\r\n"),
        .init("two Hosts in HTTP/1.0", "GET / HTTP/1.0\r\n" + host + host + "\r\n"),
        .init("two Hosts of which one is empty", get + "Host:\r\n" + host + "\r\n"),
        .init("a Host with a space", get + "Host: local host\r\n\r\n"),
        .init("a Host with two names", get + "Host: a, b\r\n\r\n"),
        .init("a Host with a path", get + "Host: localhost/a\r\n\r\n"),
        .init("a Host with user information", get + "Host: user@localhost\r\n\r\n"),
        .init("a Host with a port of letters", get + "Host: localhost:http\r\n\r\n"),
        .init("a Host with a negative port", get + "Host: localhost:-1\r\n\r\n"),
        .init("a Host with a port that is too large", get + "Host: localhost:65536\r\n\r\n"),
        .init("a Host with two ports", get + "Host: localhost:80:80\r\n\r\n"),
        .init("a Host with only a port", get + "Host: :80\r\n\r\n"),
        .init("a Host with an open bracket", get + "Host: [::1\r\n\r\n"),
        .init("a Host with a bracket too many", get + "Host: [::1]]\r\n\r\n"),
        .init("a Host with letters in brackets", get + "Host: [localhost]\r\n\r\n"),
        .init("a Host with empty brackets", get + "Host: []\r\n\r\n"),
        .init("a Host with bad percent-encoding", get + "Host: a%zz\r\n\r\n"),
        .init("a Host with a byte above ASCII", get + "Host: \u{e9}\r\n\r\n"),
    ]
}
