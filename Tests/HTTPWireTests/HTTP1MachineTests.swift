import HTTPTypes
import Testing

@testable import HTTPWire

private let get = "GET /a HTTP/1.1\r\nHost: h\r\n\r\n"
private let post = "POST /a HTTP/1.1\r\nHost: h\r\nContent-Length: 5\r\n\r\n"

@Suite("HTTP/1.1 on a connection: requests and answers")
struct HTTP1MachineTests {
    @Test("a request goes from its first byte to its answer, and the connection waits for the next one")
    func states() {
        let connection = MachineConnection()
        #expect(connection.stage == .receiving && connection.isIdle)
        connection.feed("GET /a HTTP/1.1\r\n")
        // The deadline of the first head runs since the connection was opened.
        #expect(connection.armed.isEmpty && !connection.isIdle)
        connection.feed("Host: h\r\n\r\n")
        #expect(connection.events == [.request(1, "GET /a", "")] && connection.stage == .answering)
        #expect(connection.deadlineWhenDrained == .disarm)
        connection.respond(.ok, "hello")
        #expect(connection.text.hasPrefix("HTTP/1.1 200 OK\r\n") && connection.text.hasSuffix("\r\n\r\nhello"))
        #expect(connection.stage == .receiving && connection.isIdle)
        #expect(connection.deadlineWhenDrained == .arm(.keepAlive))
        connection.feed("G")
        #expect(connection.armed == [.head] && connection.deadlineWhenDrained == .keep)
        connection.feed("ET /b HTTP/1.1\r\nHost: h\r\n")
        #expect(connection.armed == [.head])
        connection.feed("\r\n")
        #expect(connection.events.last == .request(2, "GET /b", ""))
    }

    @Test("what is sent ahead is read only when the answer before it is given")
    func pipelining() {
        let connection = MachineConnection()
        connection.feed(post + "hello" + get)
        #expect(connection.events == [.request(1, "POST /a", "hello")])
        #expect(connection.input == Array(get.utf8))
        connection.feed("")
        #expect(connection.events.count == 1 && connection.input == Array(get.utf8))
        connection.respond()
        connection.feed("")
        #expect(connection.events.last == .request(2, "GET /a", "") && connection.input.isEmpty)
    }

    @Test("an answer belongs to the newest stream alone, and only once")
    func lateAnswers() {
        let connection = MachineConnection()
        connection.feed(get)
        let first = connection.newestStream
        #expect(connection.isAnswering(first) && !connection.isStreaming(first))
        connection.respond()
        #expect(!connection.isAnswering(first))
        connection.feed(get)
        #expect(!connection.isAnswering(first) && connection.isAnswering(connection.newestStream))
        let before = connection.output
        #expect(connection.stream())
        #expect(connection.isStreaming(connection.newestStream) && !connection.isStreaming(first))
        let streaming = connection.output
        connection.respond(.ok, "")
        #expect(connection.output == streaming && streaming.count > before.count)
    }

    @Test(
        "the connection stays open as the version and the request's options say",
        arguments: [
            ("GET / HTTP/1.1\r\nHost: h\r\n\r\n", true, nil),
            ("GET / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n", false, "close"),
            ("GET / HTTP/1.1\r\nHost: h\r\nConnection: keep-alive, close\r\n\r\n", false, "close"),
            ("GET / HTTP/1.0\r\n\r\n", false, "close"),
            ("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n", true, "keep-alive"),
        ] as [(String, Bool, String?)])
    func keepAlive(request: String, isKept: Bool, option: String?) {
        let connection = MachineConnection()
        connection.feed(request)
        #expect(connection.keepsAlive == isKept)
        connection.respond(.ok, "x")
        #expect(connection.stage == (isKept ? .receiving : .closing))
        #expect(connection.text.contains("Connection:") == (option != nil))
        if let option { #expect(connection.text.contains("\r\nConnection: \(option)\r\n")) }
    }

    @Test("an application or a server that is closing ends the connection behind the answer", arguments: [true, false])
    func endKeepAlive(isStream: Bool) {
        let connection = MachineConnection()
        connection.feed(get)
        connection.machine.endKeepAlive()
        if isStream {
            #expect(connection.stream() && connection.endStream())
        } else {
            connection.respond()
        }
        #expect(connection.text.contains("\r\nConnection: close\r\n") && connection.stage == .closing)
    }

    @Test(
        "content is taken by its length and in chunks, and puts its deadline off each 16 KiB", arguments: [true, false])
    func content(isChunked: Bool) {
        let connection = MachineConnection()
        let content = String(repeating: "x", count: 40_000)
        let framing = isChunked ? "Transfer-Encoding: chunked\r\n\r\n9c40\r\n" : "Content-Length: 40000\r\n\r\n"
        connection.feed("PUT /a HTTP/1.1\r\nHost: h\r\n\(framing)")
        #expect(connection.armed == [.body])
        connection.feed(String(content.prefix(10_000)))
        #expect(connection.armed == [.body] && connection.keptBytes > 10_000)
        connection.feed(String(content.prefix(10_000)))
        #expect(connection.armed == [.body, .body])
        connection.feed(String(content.prefix(20_000)) + (isChunked ? "\r\n0\r\n\r\n" : ""))
        #expect(connection.events == [.request(1, "PUT /a", content)])
        #expect(connection.keptBytes == 0)
    }

    @Test("a client that waits for 100 Continue hears it once, and not where it has begun to send")
    func expectContinue() {
        let request = "PUT /a HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nContent-Length: 5\r\n\r\n"
        let waiting = MachineConnection()
        waiting.feed(request)
        #expect(waiting.interim == ResponseWriter.continueResponse)
        waiting.feed("he")
        waiting.feed("llo")
        #expect(waiting.interim == ResponseWriter.continueResponse)
        #expect(waiting.events == [.request(1, "PUT /a", "hello")] && waiting.output.isEmpty)
        let sending = MachineConnection()
        sending.feed(request + "h")
        sending.feed("ello")
        #expect(sending.interim.isEmpty && sending.events == waiting.events)
    }

    @Test("room is made for announced content as it comes, at most sixteen times what is there")
    func room() {
        var content: [UInt8] = []
        content.makeRoom(forContentOf: .length(1 << 40), adding: 100)
        #expect(1600..<4096 ~= content.capacity)
        content += [UInt8](repeating: 0, count: 1000)
        content.makeRoom(forContentOf: .length(5000), adding: 1000)
        #expect(5000..<10_000 ~= content.capacity)
        // What lies there is not moved before it has to be.
        let capacity = content.capacity
        content.makeRoom(forContentOf: .length(1 << 40), adding: 1)
        content.makeRoom(forContentOf: .chunked, adding: 1 << 20)
        content.makeRoom(forContentOf: .none, adding: 1 << 20)
        #expect(content.capacity == capacity)
        // More than is announced is for others to refuse.
        content.makeRoom(forContentOf: .length(5), adding: 1 << 16)
        #expect(content.capacity >= 1000 + 1 << 16)
    }

    @Test("content for which there is no room is refused before any of it is asked for")
    func noRoom() {
        var machine = HTTP1Machine()
        var (cursor, output) = (0, [UInt8]())
        let bytes = Array("PUT / HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nContent-Length: 99\r\n\r\n".utf8)
        guard
            case .contentBegins(announced: 99) = machine.receive(
                bytes.span, cursor: &cursor, with: RequestReaders(), output: &output)
        else {
            Issue.record("no content")
            return
        }
        let (stream, stage, keepsAlive) = (machine.refuse(), machine.stage, machine.keepsAlive)
        #expect(stream == StreamID(1) && stage == .answering && !keepsAlive && output.isEmpty)
    }

    @Test("only reading requests may be repeated", arguments: ["GET", "HEAD", "OPTIONS", "POST", "PUT", "DELETE"])
    func safety(method: String) {
        let connection = MachineConnection()
        connection.feed("\(method) / HTTP/1.1\r\nHost: h\r\n\r\n")
        #expect(connection.isSafe == ["GET", "HEAD", "OPTIONS"].contains(method))
    }
}
