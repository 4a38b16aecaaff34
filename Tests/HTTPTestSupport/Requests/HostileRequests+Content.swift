extension HostileRequests {
    private static let post = "POST / HTTP/1.1\r\nHost: localhost\r\n"
    private static let chunked = "POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"

    static let lengths: [HostileRequest] = [
        .init(
            "Content-Length and Transfer-Encoding",
            post + "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
        .init(
            "Transfer-Encoding and Content-Length",
            post + "Transfer-Encoding: chunked\r\nContent-Length: 0\r\n\r\n0\r\n\r\n"),
        .init("two Content-Lengths that differ", post + "Content-Length: 5\r\nContent-Length: 6\r\n\r\nabcdef"),
        .init("two Content-Lengths that agree", post + "Content-Length: 5\r\nContent-Length: 5\r\n\r\nabcde"),
        .init("two Content-Lengths, one of them zero", post + "Content-Length: 0\r\nContent-Length: 5\r\n\r\nabcde"),
        .init("a list of Content-Lengths", post + "Content-Length: 5, 5\r\n\r\nabcde"),
        .init("a Content-Length with a comma", post + "Content-Length: 5,\r\n\r\nabcde"),
        .init("a Content-Length with a plus sign", post + "Content-Length: +5\r\n\r\nabcde"),
        .init("a negative Content-Length", post + "Content-Length: -5\r\n\r\nabcde"),
        .init("a negative zero Content-Length", post + "Content-Length: -0\r\n\r\n"),
        .init("a Content-Length in hexadecimal", post + "Content-Length: 0x5\r\n\r\nabcde"),
        .init("a Content-Length with a fraction", post + "Content-Length: 5.0\r\n\r\nabcde"),
        .init("a Content-Length with an exponent", post + "Content-Length: 1e1\r\n\r\nabcdefghij"),
        .init("a Content-Length with a separator", post + "Content-Length: 1_0\r\n\r\nabcdefghij"),
        .init("a Content-Length with a space inside", post + "Content-Length: 1 0\r\n\r\nabcdefghij"),
        .init("an empty Content-Length", post + "Content-Length:\r\n\r\n"),
        .init("a Content-Length in words", post + "Content-Length: five\r\n\r\nabcde"),
        .init("a quoted Content-Length", post + "Content-Length: \"5\"\r\n\r\nabcde"),
        .init("a Content-Length in other digits", post + "Content-Length: \u{b2}\r\n\r\nab"),
        .init("a Content-Length of 2 to the 63", post + "Content-Length: 9223372036854775808\r\n\r\n", status: 413),
        .init(
            "a Content-Length of 2 to the 64 and 5", post + "Content-Length: 18446744073709551621\r\n\r\nabcde",
            status: 413),
        .init(
            "a Content-Length of a hundred digits",
            post + "Content-Length: " + String(repeating: "9", count: 100) + "\r\n\r\n", status: 413),
    ]

    static let codings: [HostileRequest] = [
        .init("gzip before chunked", post + "Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n", status: 501),
        .init(
            "gzip and chunked on two lines",
            post + "Transfer-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", status: 501),
        .init("identity before chunked", post + "Transfer-Encoding: identity, chunked\r\n\r\n0\r\n\r\n", status: 501),
        .init("only gzip", post + "Transfer-Encoding: gzip\r\n\r\n"),
        .init("only identity", post + "Transfer-Encoding: identity\r\n\r\n"),
        .init("gzip after chunked", post + "Transfer-Encoding: chunked, gzip\r\n\r\n0\r\n\r\n"),
        .init("identity after chunked", post + "Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n"),
        .init("chunked twice", post + "Transfer-Encoding: chunked, chunked\r\n\r\n0\r\n\r\n"),
        .init(
            "chunked on two lines",
            post + "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
        .init("chunked with a parameter", post + "Transfer-Encoding: chunked;a=b\r\n\r\n0\r\n\r\n"),
        .init("chunked in quotes", post + "Transfer-Encoding: \"chunked\"\r\n\r\n0\r\n\r\n"),
        .init("chunked misspelt", post + "Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n"),
        .init("chunked after an empty element", post + "Transfer-Encoding: , chunked\r\n\r\n0\r\n\r\n"),
        .init("an empty Transfer-Encoding", post + "Transfer-Encoding:\r\n\r\n"),
        .init(
            "Transfer-Encoding in HTTP/1.0",
            "POST / HTTP/1.0\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
        .init(
            "chunked and a length in HTTP/1.0",
            "POST / HTTP/1.0\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
    ]

    static let chunks: [HostileRequest] = [
        .init("a chunk size of letters", chunked + "xyz\r\n"),
        .init("an empty chunk size", chunked + "\r\n"),
        .init("a chunk size with 0x", chunked + "0x5\r\nabcde\r\n0\r\n\r\n"),
        .init("a negative chunk size", chunked + "-5\r\nabcde\r\n0\r\n\r\n"),
        .init("a chunk size with a plus sign", chunked + "+5\r\nabcde\r\n0\r\n\r\n"),
        .init("a space before a chunk size", chunked + " 5\r\nabcde\r\n0\r\n\r\n"),
        .init("a space after a chunk size", chunked + "5 \r\nabcde\r\n0\r\n\r\n"),
        .init("a chunk size with a fraction", chunked + "5.0\r\nabcde\r\n0\r\n\r\n"),
        .init("a chunk size of 17 digits", chunked + "00000000000000005\r\nabcde\r\n0\r\n\r\n"),
        .init("a chunk size of 2 to the 64 and 5", chunked + "10000000000000005\r\nabcde\r\n0\r\n\r\n"),
        .init("a chunk size of 2 to the 64 less 1", chunked + "ffffffffffffffff\r\n", status: 413),
        .init("a chunk size of 2 to the 63", chunked + "8000000000000000\r\n", status: 413),
        .init("a chunk size that ends in a bare line feed", chunked + "5\nabcde\r\n0\r\n\r\n"),
        .init("a chunk size that ends in a bare carriage return", chunked + "5\rabcde\r\n0\r\n\r\n"),
        .init("a chunk size that is too small", chunked + "4\r\nabcde\r\n0\r\n\r\n"),
        .init("a chunk size that is too large", chunked + "6\r\nabcde\r\n0\r\n\r\n"),
        .init("chunk data that ends in a bare line feed", chunked + "5\r\nabcde\n0\r\n\r\n"),
        .init("chunk data that ends in a bare carriage return", chunked + "5\r\nabcde\r0\r\n\r\n"),
        .init("a chunk extension with no name", chunked + "5;\r\nabcde\r\n0\r\n\r\n"),
        .init("a chunk extension with no value", chunked + "5;a=\r\nabcde\r\n0\r\n\r\n"),
        .init("a chunk extension with an open quote", chunked + "5;a=\"b\r\nabcde\r\n0\r\n\r\n"),
        .init("a chunk extension that ends in a backslash", chunked + "5;a=\"b\\\r\nabcde\r\n0\r\n\r\n"),
        .init("a chunk extension with a bare line feed", chunked + "5;a\nabcde\r\n0\r\n\r\n"),
        .init("a chunk extension with a NUL", chunked + "5;a=\u{00}\r\nabcde\r\n0\r\n\r\n"),
        .init("a chunk extension with no semicolon", chunked + "5 a=b\r\nabcde\r\n0\r\n\r\n"),
    ]

    static let trailers: [HostileRequest] = [
        .init("a trailer with no colon", chunked + "0\r\nA\r\n\r\n"),
        .init("a trailer with a space before the colon", chunked + "0\r\nA : b\r\n\r\n"),
        .init("a folded trailer", chunked + "0\r\nA: b\r\n c\r\n\r\n"),
        .init("a trailer with a NUL", chunked + "0\r\nA: \u{00}\r\n\r\n"),
        .init("a trailer that ends in a bare line feed", chunked + "0\r\nA: b\n\r\n"),
        .init("a trailer section that ends in a bare line feed", chunked + "0\r\n\n"),
        .init("Content-Length in the trailers", chunked + "0\r\nContent-Length: 5\r\n\r\nabcde"),
        .init("Transfer-Encoding in the trailers", chunked + "0\r\nTransfer-Encoding: chunked\r\n\r\n"),
        .init("Host in the trailers", chunked + "0\r\nHost: other\r\n\r\n"),
        .init("a request in the place of trailers", chunked + "0\r\nGET / HTTP/1.1\r\n\r\n"),
    ]

    static let expectations: [HostileRequest] = [
        .init("an unknown expectation", post + "Expect: the-unexpected\r\n\r\n", status: 417),
        .init("an unknown expectation after a known one", post + "Expect: 100-continue, more\r\n\r\n", status: 417),
        .init("a known expectation with a parameter", post + "Expect: 100-continue;a=b\r\n\r\n", status: 417),
    ]

    static func tooLarge(_ limits: HostileLimits) -> [HostileRequest] {
        func letters(_ count: Int) -> String { String(repeating: "a", count: max(count, 0)) }
        let fields = String(repeating: "A: b\r\n", count: limits.fields)
        let oneMore = String(limits.body + 1, radix: 16)
        let extensions = String(repeating: "1;a\r\nx\r\n", count: limits.chunkExtensions / 2 + 1)
        return [
            .init(
                "a target that is too long", "GET /" + letters(limits.target) + " HTTP/1.1\r\n" + host + "\r\n",
                status: 414),
            .init("a target with no end", "GET /" + letters(limits.target + 100), status: 414),
            .init("a method with no end", letters(limits.target + 100), status: 501),
            .init("a value that is too long", "GET / HTTP/1.1\r\n" + host + "A: " + letters(limits.head), status: 431),
            .init("a name with no end", "GET / HTTP/1.1\r\n" + host + letters(limits.head), status: 431),
            .init("too many fields", "GET / HTTP/1.1\r\n" + host + fields + "\r\n", status: 431),
            .init("a Content-Length over the limit", post + "Content-Length: \(limits.body + 1)\r\n\r\n", status: 413),
            .init("a chunk over the limit", chunked + oneMore + "\r\n", status: 413),
            .init(
                "two chunks that are over the limit together",
                chunked + "1\r\na\r\n" + String(limits.body, radix: 16) + "\r\n", status: 413),
            .init(
                "a chunk extension that is too long", chunked + "5;" + letters(limits.chunkExtensions + 20),
                status: 413),
            .init("chunk extensions that are too long together", chunked + extensions, status: 413),
            .init("a trailer that is too long", chunked + "0\r\nA: " + letters(limits.trailers), status: 431),
            .init("too many trailers", chunked + "0\r\n" + fields + "A: b\r\n\r\n", status: 431),
            .init(
                "too many empty lines",
                String(repeating: "\r\n", count: limits.leadingEmptyLines + 1) + "GET / HTTP/1.1\r\n" + host + "\r\n"),
        ]
    }
}
