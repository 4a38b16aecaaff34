import HTTP2Engine
import HTTPTypes
import HTTPWire
import Testing

@Suite("HTTP/2 requests")
struct HTTP2RequestTests {
    @Test(
        "A request arrives with its content and is answered",
        arguments: ["GET", "POST", "PUT", "OPTIONS", "TRACE", "X-Y"])
    func request(method: String) throws {
        let (link, client) = (try Link(.echo), Client())
        let content = method == "GET" ? nil : Array("hello".utf8)
        let fields = [
            (":method", method), (":scheme", "https"), (":path", "/a?b"), (":authority", "h:1"), ("x-one", "1"),
        ]
        let id = client.request(fields, content: content)
        client.talk(to: link)
        let answer = try #require(client.answers[id])
        #expect(answer.status == 200)
        #expect(answer.text == "\(method) /a?b " + (content == nil ? "" : "hello"))
        #expect(answer.fields["content-length"] == "\(answer.content.count)")
        #expect(answer.fields["date"] == "Tue, 15 Nov 1994 08:12:31 GMT")
        #expect(answer.isEnded && answer.code == 0)
        let head = try #require(link.requests.first?.head)
        #expect(head.authority == "h:1" && head.minorVersion == 1 && head.keepAlive)
        #expect(head.fields[HTTPField.Name("X-One")!] == "1")
        #expect(link.machine.isIdle && link.machine.keptBytes == 0)
        #expect(link.closed.map(\.code) == [.noError])
    }

    @Test("HEAD is answered with the fields of GET and without content")
    func head() throws {
        let (link, client) = (try Link(.echo), Client())
        let id = client.request([(":method", "HEAD")] + Frame.get.dropFirst())
        client.talk(to: link)
        let answer = try #require(client.answers[id])
        #expect(answer.status == 200 && answer.content.isEmpty && answer.isEnded)
        #expect(answer.fields["content-length"] == "7")
    }

    @Test("Statuses without content have none, whatever is given", arguments: [204, 205, 304])
    func withoutContent(status: Int) throws {
        let (link, client) = (try Link(), Client())
        let id = client.request(Frame.get)
        client.talk(to: link)
        link.answer(try #require(link.requests.first).stream, .init(code: status), "text")
        client.talk(to: link)
        let answer = try #require(client.answers[id])
        #expect(answer.status == status && answer.content.isEmpty && answer.isEnded)
        #expect(answer.fields["content-length"] == (status == 205 ? "0" : nil))
    }

    @Test("Fields that belong to a connection, and bytes that no value has, are not sent")
    func responseFields() throws {
        let (link, client) = (try Link(), Client())
        let id = client.request(Frame.get)
        client.talk(to: link)
        let fields: HTTPFields = [
            .connection: "close", .transferEncoding: "chunked", .upgrade: "x", .contentLength: "99", .server: " a\tb ",
            .eTag: "\"1\"",
        ]
        let stream = try #require(link.requests.first).stream
        link.machine.respond(stream, ResponseHead(status: .ok, fields: fields), content: [1, 2, 3], date: Link.date)
        client.talk(to: link)
        let answer = try #require(client.answers[id])
        #expect(Set(answer.fields.keys) == ["date", "content-length", "server", "etag"])
        #expect(answer.fields["server"] == "a\tb" && answer.fields["content-length"] == "3")
    }

    @Test("Several Cookie fields arrive as one")
    func cookies() throws {
        let link = try Link.begun()
        link.feed(
            .headers(1, Frame.get + [("cookie", "a=1"), ("accept", "*/*"), ("cookie", "b=2"), ("cookie", "c=3")]))
        let head = try #require(link.requests.first?.head)
        #expect(head.fields[values: .cookie] == ["a=1; b=2; c=3"])
    }

    /// Fields instead of `:authority`, and what the application sees; nil where it is refused with 400.
    static let authorities: [([Frame.Field], String?)] = [
        ([(":authority", "a")], "a"),
        ([("host", "b")], "b"),
        ([(":authority", "a:80"), ("host", "a:80")], "a:80"),
        ([(":authority", "Example"), ("host", "eXAMPLE")], "Example"),
        ([(":authority", "[::1]:80")], "[::1]:80"),
        ([(":authority", "a"), ("host", "b")], nil),
        ([(":authority", "a"), ("host", "a:80")], nil),
        ([(":authority", "u@a")], nil),
        ([(":authority", "a:x")], nil),
        ([(":authority", "a:70000")], nil),
        ([("host", "a b")], nil),
    ]

    @Test(
        "The authority is that of :authority or Host, and where they differ the request is refused",
        arguments: authorities)
    func authority(fields: [Frame.Field], expected: String?) throws {
        let link = try Link.begun()
        link.feed(.headers(1, Array(Frame.get.dropLast()) + fields))
        if let expected {
            #expect(link.requests.map(\.head.authority) == [expected])
            #expect(link.requests.first?.head.fields[.init("Host")!] == nil)
        } else {
            #expect(link.requests.isEmpty)
            // By the machine with 400, or by nghttp2 as malformed.
            let frames = link.takeFrames()
            #expect(
                link.refused.map(\.error.status) == [.badRequest]
                    || frames.contains { $0.kind == 3 && $0.number() == 1 })
        }
    }

    @Test("Trailers are read and dropped")
    func trailers() throws {
        let link = try Link.begun()
        link.feed(
            .headers(1, Frame.post, ends: false), Frame(.data, 0, 1, Array("abc".utf8)), .headers(1, [("x-sum", "1")]))
        let request = try #require(link.requests.first)
        #expect(request.content == Array("abc".utf8) && request.head.fields.isEmpty)
    }

    @Test("Trailers beyond the limit are answered 431")
    func longTrailers() throws {
        let link = try Link.begun(wire: WireLimits(maxTrailers: 100))
        link.feed(
            .headers(1, Frame.post, ends: false), Frame(.data, 0, 1, [1]),
            .headers(1, [("x-sum", String(repeating: "x", count: 90))]))
        #expect(link.refused.map(\.error.status.code) == [431] && link.machine.isIdle)
    }

    @Test("A client that waits for 100 (Continue) gets it, unless it is refused or has begun to send", arguments: 0..<3)
    func expectation(variant: Int) throws {
        var limits = HTTP2Limits()
        limits.maxDiscarded = 0
        let (link, client) = (try Link(.echo, limits: limits), Client())
        client.talk(to: link)
        link.refusesContent = variant == 1
        let head = Frame.headers(1, Frame.post + [("expect", "100-continue")], ends: false)
        // Past what the client has said by itself.
        link.feed(variant == 2 ? head.bytes + Frame(.data, 0, 1, [120]).bytes : head.bytes)
        var frames = link.takeFrames()
        switch variant {
        case 0: #expect(frames.map(\.kind) == [1] && frames[0].flags == Frame.endHeaders)
        case 1:
            // The answer, and behind it the reset that says to send nothing more (RFC 9113, section 8.1).
            #expect(frames.map(\.kind) == [1, 0, 3] && frames[2].number() == 0)
            #expect(link.machine.isIdle)
            return
        default: #expect(frames.allSatisfy { $0.kind != 1 })
        }
        link.feed(Frame(.data, Frame.endStream, 1, [121]))
        frames = link.takeFrames().filter { $0.kind < 2 }
        #expect(
            frames.map(\.kind) == [1, 0]
                && frames[1].payload == Array(variant == 2 ? "POST / xy".utf8 : "POST / y".utf8))
    }

    @Test("The deadlines of heads and of content have something to go by")
    func deadlines() throws {
        let link = try Link.begun()
        link.feed(Frame(.headers, 0, 1, Frame.block(Frame.post)))
        #expect(link.machine.isReadingHead)
        link.now += 10
        // Frames that bring none of its end do not put the deadline off.
        link.feed(Frame(.continuation, 0, 1))
        let last = Frame(.continuation, Frame.endHeaders, 1, Frame.block([("a", "b")])).bytes
        link.feed(Array(last.dropLast()))
        #expect(!link.machine.isHeadSlow(for: 11, now: link.now) && link.machine.isHeadSlow(for: 10, now: link.now))
        link.feed(Array(last.suffix(1)))
        #expect(!link.machine.isHeadSlow(for: 0, now: link.now))
        #expect(!link.machine.isReadingHead && link.transcript == ["begins 1 -1"])
        link.now += 10
        link.feed(Frame(.data, 0, 1, [1]))
        #expect(link.machine.slowRequests(for: 11, now: link.now).isEmpty)
        #expect(link.machine.slowRequests(for: 10, now: link.now) == [StreamID(1)])
        link.feed(Frame(.data, 0, 1, [UInt8](repeating: 1, count: 16_384)))
        #expect(link.machine.slowRequests(for: 10, now: link.now).isEmpty)
        #expect(link.machine.refuse(StreamID(1)) && !link.machine.refuse(StreamID(1)))
        link.answer(StreamID(1), .requestTimeout, "too slow")
        link.settle()
        #expect(link.machine.stalledStreams(for: 1, now: 5).isEmpty)
        #expect(link.machine.stalledStreams(for: 1, now: 6) == [StreamID(1)])
        link.machine.reset(StreamID(1), .cancel)
        link.settle()
        #expect(link.takeFrames().last?.number() == 0)
        #expect(link.machine.isIdle && link.machine.keptBytes == 0)
    }

    /// Heads as HTTP/1.1 writes them.
    static let heads: [(String, [Frame.Field])] = [
        ("GET /a?b=%20 HTTP/1.1\r\nHost: h\r\n", Self.replacing(":path", "/a?b=%20")),
        ("HEAD / HTTP/1.1\r\nHost: h:80\r\nAccept: a\r\nX-Own: é\r\n", [("accept", "a"), ("x-own", "é")]),
        (
            "DELETE /x HTTP/1.1\r\nHost: H\r\nCookie: a; b\r\nIf-Match: \"1\"\r\n",
            [("cookie", "a; b"), ("if-match", "\"1\"")]
        ),
        ("OPTIONS * HTTP/1.1\r\nHost: [::1]\r\nLast-Event-ID: 7\r\n", [("last-event-id", "7")]),
        (
            "PUT /[x]|y HTTP/1.1\r\nHost: p\r\nContent-Length: 3\r\nExpect: 100-continue\r\n",
            [("content-length", "3"), ("expect", "100-continue")]
        ),
    ]

    @Test("The application sees the same head as over HTTP/1.1", arguments: heads)
    func sameHead(text: String, fields: [Frame.Field]) throws {
        var parser = RequestParser()
        var cursor = 0
        let bytes = Array((text + "\r\n").utf8)
        guard case .head(let expected) = try parser.next(in: bytes.span, cursor: &cursor) else {
            Issue.record("not a head")
            return
        }
        let pseudo: [Frame.Field] = [
            (":method", expected.method.rawValue), (":scheme", "http"), (":path", expected.target),
            (":authority", expected.authority ?? ""),
        ]
        let link = try Link.begun()
        let hasContent = expected.bodyFraming != .none
        link.feed(.headers(1, pseudo + fields.filter { !$0.0.hasPrefix(":") }, ends: !hasContent))
        if hasContent { link.feed(Frame(.data, Frame.endStream, 1, [1, 2, 3])) }
        var head = try #require(link.requests.first?.head)
        // Cookie comes last, since its lines are joined.
        #expect(Set(head.fields) == Set(expected.fields))
        head.fields = expected.fields
        #expect(head == expected)
    }

    /// What is refused by status, as HTTP/1.1's parser does.
    static let refusals: [(String, [Frame.Field], Int)] = [
        ("CONNECT", [(":method", "CONNECT"), (":authority", "a:1")], 501),
        ("a long method", [(":method", String(repeating: "M", count: 33))] + Frame.get.dropFirst(), 501),
        ("a long target", replacing(":path", "/" + String(repeating: "a", count: 8192)), 414),
        ("a broken escape", replacing(":path", "/%2"), 400),
        ("an escape that is none", replacing(":path", "/%zz"), 400),
        ("a quote in the target", replacing(":path", "/\"a"), 400),
        ("a scheme that is not http", replacing(":scheme", "ftp"), 400),
        ("another expectation", Frame.post + [("expect", "tea")], 417),
        ("content over the limit", Frame.post + [("content-length", "20000000")], 413),
        ("a length beyond any number", Frame.post + [("content-length", "9223372036854775807")], 413),
        (
            "a field list over the limit", Frame.get + (0..<9).map { ("x-\($0)", String(repeating: "v", count: 8000)) },
            431
        ),
        ("too many fields", Frame.get + (0..<101).map { ("x-\($0)", "v") }, 431),
    ]

    static func replacing(_ name: String, _ value: String) -> [Frame.Field] {
        Frame.get.map { $0.0 == name ? (name, value) : $0 }
    }

    @Test("What cannot be served is refused with the status of HTTP/1.1", arguments: refusals)
    func refusal(name: String, fields: [Frame.Field], status: Int) throws {
        let link = try Link.begun()
        let block = Frame.block(fields)
        let hasContent = fields.first?.1 == "POST"
        var bytes: [UInt8] = []
        for start in stride(from: 0, to: block.count, by: 16_384) {
            let end = min(start + 16_384, block.count)
            let flags: UInt8 = (end == block.count ? Frame.endHeaders : 0)
            let first = Frame(.headers, flags | (hasContent ? 0 : Frame.endStream), 1, Array(block[start..<end]))
            bytes += (start == 0 ? first : Frame(.continuation, flags, 1, Array(block[start..<end]))).bytes
        }
        link.feed(bytes)
        #expect(link.refused.map(\.error.status.code) == [status])
        let frames = link.takeFrames()
        #expect(frames.contains { $0.kind == 1 && $0.stream == 1 })
        // A client that ends its request after all is done with it.
        if hasContent { link.feed(Frame(.reset, 0, 1, Frame.word(0))) }
        #expect(link.machine.isIdle && link.counters.resetsReceived == (hasContent ? 1 : 0))
        // The connection goes on.
        link.feed(.headers(3, Frame.get))
        #expect(link.requests.count == 1)
    }

    @Test("Content that grows beyond the limit is answered 413, and the rest is thrown away")
    func growingContent() throws {
        var limits = HTTP2Limits()
        limits.maxDiscarded = 20_000
        let link = try Link.begun(limits: limits, wire: WireLimits(maxBody: 20_000))
        link.feed(.headers(1, Frame.post, ends: false), Frame(.data, 0, 1, [UInt8](repeating: 1, count: 16_000)))
        #expect(link.machine.keptBytes > 16_000)
        link.feed(Frame(.data, 0, 1, [UInt8](repeating: 1, count: 16_000)))
        #expect(link.refused.map(\.error.status.code) == [413] && link.machine.keptBytes == 0)
        #expect(link.takeFrames().map(\.kind).filter { $0 != 8 } == [1, 0])
        // Some of the rest is thrown away, for clients that look at the answer last.
        link.feed(Frame(.data, 0, 1, [UInt8](repeating: 1, count: 16_000)))
        #expect(link.takeFrames().allSatisfy { $0.kind == 8 } && link.machine.isStalled(StreamID(1)))
        link.feed(Frame(.data, 0, 1, [UInt8](repeating: 1, count: 16_000)))
        let frames = link.takeFrames().filter { $0.kind != 8 }
        #expect(frames.map(\.kind) == [3] && link.machine.isIdle && link.counters.resetsProvoked == 0)
        #expect(frames.last?.number() == 0, "NO_ERROR: the client reads the answer (RFC 9113, section 8.1)")
    }

    @Test("The same bytes lead to the same events, wherever they are cut")
    func splits() throws {
        let marked = Frame.block(Frame.get + [("x", "7")])
        let bytes =
            clientStart
            + [
                Frame.headers(1, Frame.get + [("cookie", "a"), ("cookie", "b")]),
                .headers(3, Frame.post + [("content-length", "4")], ends: false), Frame(.ping, 0, 0, Array(1...8)),
                Frame(.data, Frame.padded, 3, [2, 104, 105, 0, 0]), .headers(5, Self.replacing(":path", "/%x")),
                Frame(.data, 0, 3, [33]), Frame(.headers, Frame.endStream, 7, Array(marked.prefix(10))),
                Frame(.continuation, 0, 7, Array(marked.dropFirst(10).prefix(9))),
                Frame(.continuation, Frame.endHeaders, 7, Array(marked.dropFirst(19))),
                Frame(.data, 0, 3, [46]), .headers(3, [("x", "y")]), Frame(.reset, 0, 7, [0, 0, 0, 8]),
            ].flatMap(\.bytes)
        func transcript(_ pieces: [ArraySlice<UInt8>]) throws -> [String] {
            let link = try Link(.later)
            for piece in pieces { link.feed(Array(piece)) }
            #expect(link.failure == nil)
            // When an answer is out depends on when the driver is at its turn.
            return link.transcript.filter { !$0.hasPrefix("closed 5") }
        }
        // A request that is reset within the same bytes is never seen: cut in between, it comes and goes.
        func isSeenByChance(_ event: String) -> Bool {
            event.hasPrefix("closed 7") || event.hasPrefix("GET / localhost x=")
        }
        let whole = try transcript([bytes[...]])
        #expect(!whole.contains(where: isSeenByChance) && whole.count == 4)
        for cut in 0...bytes.count {
            let seen = try transcript([bytes[..<cut], bytes[cut...]])
            #expect(seen.filter { !isSeenByChance($0) } == whole)
        }
        let single = try transcript(bytes.indices.map { bytes[$0...$0] })
        #expect(single.filter { !isSeenByChance($0) } == whole && single.count == 6)
    }

    @Test("The preface is told from what cannot become it", arguments: 0...24)
    func preface(count: Int) {
        let bytes = Array(HTTP2Preface.bytes.prefix(count))
        func match(_ bytes: [UInt8]) -> HTTP2Preface.Match { HTTP2Preface.match(bytes.span) }
        #expect(match(bytes) == (count == 24 ? .whole : .partial))
        #expect(match(HTTP2Preface.bytes + [1]) == .whole)
        if count > 0 { #expect(match(bytes.dropLast() + [0]) == .none) }
    }
}
