extension RequestCases {
    private static func lengths(_ value: String) -> [(String, String)] { [("content-length", value)] }

    private static let goodLengths: [RequestCase] = [
        .init("a length", "POST", fields: lengths("5"), content: "hello"),
        .init("a length of zero", "POST", fields: lengths("0")),
        .init("a length with zeros before it", "POST", fields: lengths("0005"), content: "hello"),
        .init("content of a GET", fields: lengths("2"), content: "\r\n"),
        .init("content of a HEAD", "HEAD", fields: lengths("2"), content: "hi"),
    ]

    private static let badLengths = [
        "", "5, 5", "5,", "+5", "-5", "-0", "0x5", "5.0", "1e1", "1_0", "1 0", "five", "\"5\"",
    ]

    static let lengths: [RequestCase] = {
        var cases = goodLengths
        for text in ["16777217", "9223372036854775807"] {
            cases.append(
                RequestCase("the length \(text)", "POST", fields: lengths(text), content: "", outcome: .refused(413)))
        }
        for texts in [["5", "6"], ["5", "5"]] + badLengths.map({ [$0] }) {
            let fields = texts.map { ("content-length", $0) }
            cases.append(
                RequestCase("the lengths \(texts)", "POST", fields: fields, content: "hello", outcome: .refused(400)))
        }
        return cases
    }()

    static let contents: [RequestCase] = [
        .init("content of no length", "POST", content: "hello"),
        .init("no content of no length", "POST", content: ""),
        .init("content of a method of its own", "X-OWN", content: "hello"),
        .init("content that looks like a request", "POST", fields: lengths("18"), content: "GET / HTTP/1.1\r\n\r\n"),
        .init("a trailer", "POST", content: "hello", trailers: [("x", "y")]),
        .init("several trailers", "POST", content: "hello", trailers: [("x", "y"), ("expires", "never")]),
        .init("a trailer that is too long", "POST", content: "a", trailers: [("x", long)], outcome: .refused(431)),
        .init(
            "a trailer with a space in its name", "POST", content: "a", trailers: [("x y", "z")], outcome: .refused(400)
        ),
        .init("a trailer with a NUL", "POST", content: "a", trailers: [("x", "\0")], outcome: .refused(400)),
        .init(
            "a coding among the trailers", "POST", content: "a", trailers: [("transfer-encoding", "x")],
            outcome: .refused(400)),
    ]

    private static let long = String(repeating: "a", count: 8 * 1024)

    static let expectations: [RequestCase] = [
        .init("an expectation", "PUT", fields: [("content-length", "2"), ("expect", "100-continue")], content: "hi"),
        .init("an expectation of content of no length", "PUT", fields: [("expect", "100-continue")], content: "hi"),
        .init("an expectation with nothing to wait for", fields: [("expect", "100-continue")]),
        .init("an unknown expectation", "POST", fields: [("expect", "tea")], content: "a", outcome: .refused(417)),
        .init(
            "an unknown one after a known", "POST", fields: [("expect", "100-continue, more")], content: "a",
            outcome: .refused(417)),
        .init(
            "a known one with a parameter", "POST", fields: [("expect", "100-continue;a=b")], content: "a",
            outcome: .refused(417)),
    ]
}
