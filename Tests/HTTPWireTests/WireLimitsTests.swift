import Testing

@testable import HTTPWire

@Suite("Limits")
struct WireLimitsTests {
    /// A request that is as large as one of its limits allows, and the status of one that is larger by one.
    struct Boundary: CustomStringConvertible, Sendable {
        let description: String
        let status: Int
        let make: @Sendable (Int) -> String

        init(_ description: String, status: Int, _ make: @escaping @Sendable (Int) -> String) {
            self.description = description
            self.status = status
            self.make = make
        }
    }

    private static let chunked = "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"

    private static func letters(_ count: Int) -> String { String(repeating: "a", count: count) }

    static let boundaries: [Boundary] = [
        Boundary("target", status: 414) {
            "GET /\(letters(smallLimits.maxTarget - 1 + $0)) HTTP/1.1\r\nHost: a\r\n\r\n"
        },
        Boundary("head", status: 431) {
            // The request line, Host, the empty line and what of the last line is not letters have 32 bytes.
            "GET / HTTP/1.1\r\nHost: a\r\nX:\(letters(smallLimits.maxHead - 31 + $0))\r\n\r\n"
        },
        Boundary("fields", status: 431) {
            "GET / HTTP/1.1\r\nHost: a\r\n" + String(repeating: "X:\r\n", count: smallLimits.maxFields - 1 + $0)
                + "\r\n"
        },
        Boundary("content", status: 413) {
            let size = smallLimits.maxBody + $0
            return "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: \(size)\r\n\r\n\(letters(size))"
        },
        Boundary("one chunk", status: 413) {
            let size = smallLimits.maxBody + $0
            return chunked + "\(String(size, radix: 16))\r\n\(letters(size))\r\n0\r\n\r\n"
        },
        Boundary("many chunks", status: 413) {
            chunked + String(repeating: "1\r\na\r\n", count: smallLimits.maxBody + $0) + "0\r\n\r\n"
        },
        Boundary("one chunk extension", status: 413) {
            chunked + "0;\(letters(smallLimits.maxChunkExtensions - 1 + $0))\r\n\r\n"
        },
        Boundary("many chunk extensions", status: 413) {
            let rest = String(repeating: "a", count: 1 + $0)
            return chunked + String(repeating: "1;a\r\nx\r\n", count: smallLimits.maxChunkExtensions / 2 - 1)
                + "0;\(rest)\r\n\r\n"
        },
        Boundary("trailers", status: 431) {
            chunked + "0\r\nX:\(letters(smallLimits.maxTrailers - 4 + $0))\r\n\r\n"
        },
        Boundary("trailer fields", status: 431) {
            chunked + "0\r\n" + String(repeating: "X:\r\n", count: smallLimits.maxFields + $0) + "\r\n"
        },
        Boundary("empty lines", status: 400) {
            String(repeating: "\r\n", count: smallLimits.maxLeadingEmptyLines + $0)
                + "GET / HTTP/1.1\r\nHost: a\r\n\r\n"
        },
        Boundary("method", status: 501) { "\(letters(32 + $0)) / HTTP/1.1\r\nHost: a\r\n\r\n" },
        Boundary("digits of a chunk size", status: 400) {
            chunked + String(repeating: "0", count: 15 + $0) + "1\r\na\r\n0\r\n\r\n"
        },
    ]

    @Test("what is as large as a limit is taken, and what is larger by one refused", arguments: boundaries)
    func boundary(_ boundary: Boundary) {
        for (excess, status) in [(0, nil), (1, boundary.status)] {
            let stream = Array(boundary.make(excess).utf8)
            let whole = Transcript.of(stream, cutAt: [], limits: smallLimits)
            #expect(whole.failure?.status.code == status)
            #expect(whole.messages.contains { $0.isComplete } == (excess == 0))
            for split in 0...stream.count {
                #expect(Transcript.of(stream, cutAt: [split], limits: smallLimits) == whole, "split at \(split)")
            }
        }
    }

    @Test("each request of a connection has the limits to itself", arguments: boundaries)
    func severalRequests(_ boundary: Boundary) {
        let stream = Array(String(repeating: boundary.make(0), count: 3).utf8)
        let whole = Transcript.of(stream, cutAt: [], limits: smallLimits)
        #expect(whole.failure == nil && whole.messages.count { $0.isComplete } == 3, "\(whole)")
    }

    @Test("a buffer of the longest line is enough to read any request", arguments: boundaries)
    func buffer(_ boundary: Boundary) {
        let stream = Array(boundary.make(0).utf8)
        var parser = RequestParser(limits: smallLimits)
        var buffer: [UInt8] = []
        var taken = 0
        var cursor = 0
        while taken < stream.count {
            buffer.removeFirst(cursor)
            cursor = 0
            let room = smallLimits.maxLine - buffer.count
            guard room > 0 else {
                Issue.record("the buffer is full and the parser wants more")
                return
            }
            let more = stream[taken..<min(taken + room, stream.count)]
            buffer += more
            taken += more.count
            while let event = try? parser.next(in: buffer.span, cursor: &cursor), event != .needMore {}
        }
        #expect(parser.failure == nil && parser.isIdle)
    }

    @Test("limits of nothing refuse everything and trap nowhere")
    func nothing() {
        let limits = WireLimits(
            maxTarget: 0, maxHead: 0, maxFields: 0, maxBody: 0, maxChunkExtensions: 0, maxTrailers: 0,
            maxLeadingEmptyLines: 0)
        for request in ValidRequest.all {
            #expect(Transcript.of(request.bytes, cutAt: 0..<request.bytes.count, limits: limits).failure != nil)
        }
    }
}
