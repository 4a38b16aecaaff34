import HTTPTypes
import Testing

@testable import HTTPWire

@Suite("Responses")
struct ResponseWriterTests {
    private static let date = HTTPDate(secondsSince1970: 784_887_151)
    private static let dateLine = "Date: Tue, 15 Nov 1994 08:12:31 GMT\r\n"

    private func written(
        _ status: HTTPResponse.Status, _ fields: HTTPFields = HTTPFields(), length: Int?,
        method: HTTPRequest.Method = .get,
        minorVersion: Int = 1, keepAlive: Bool = true
    ) -> (text: String, framing: ResponseFraming) {
        let request = RequestHead(method: method, target: "/", minorVersion: minorVersion, keepAlive: keepAlive)
        var out: [UInt8] = []
        let framing = ResponseWriter(answering: request).appendHead(
            ResponseHead(status: status, fields: fields), contentLength: length, date: Self.date, to: &out)
        return (String(decoding: out, as: UTF8.self), framing)
    }

    @Test("a head has status line, date, length and the author's fields in order")
    func head() {
        let (text, framing) = written(.ok, [.contentType: "text/plain", .eTag: "\"r1\""], length: 5)
        #expect(
            text == "HTTP/1.1 200 OK\r\n" + Self.dateLine
                + "Content-Length: 5\r\nContent-Type: text/plain\r\nETag: \"r1\"\r\n\r\n")
        #expect(framing == .length(5))
    }

    @Test("a status without a phrase keeps the space after its code")
    func noPhrase() {
        #expect(written(HTTPResponse.Status(code: 299), length: 0).text.hasPrefix("HTTP/1.1 299 \r\n"))
        #expect(written(.notFound, length: 0).text.hasPrefix("HTTP/1.1 404 Not Found\r\n"))
    }

    @Test("a stream is chunked for HTTP/1.1 and ends with the connection for HTTP/1.0")
    func streams() {
        let modern = written(.ok, length: nil)
        #expect(modern.framing == .chunked && modern.text.contains("\r\nTransfer-Encoding: chunked\r\n"))
        #expect(!modern.text.contains("Connection") && !modern.text.contains("Content-Length"))
        let old = written(.ok, length: nil, minorVersion: 0)
        #expect(old.framing == .untilClose && old.text.contains("\r\nConnection: close\r\n"))
        #expect(!old.text.contains("Transfer-Encoding") && !old.text.contains("Content-Length"))
    }

    @Test("Connection is written where the version's default is not meant")
    func connection() {
        #expect(!written(.ok, length: 1).text.contains("Connection"))
        #expect(written(.ok, length: 1, keepAlive: false).text.contains("\r\nConnection: close\r\n"))
        #expect(written(.ok, length: 1, minorVersion: 0).text.contains("\r\nConnection: keep-alive\r\n"))
        #expect(written(.ok, length: 1, minorVersion: 0, keepAlive: false).text.contains("\r\nConnection: close\r\n"))
    }

    @Test("HEAD has the fields of GET and no content", arguments: [0, 1])
    func head(minorVersion: Int) {
        let get = written(.ok, [.eTag: "\"a\""], length: 7, minorVersion: minorVersion)
        let head = written(.ok, [.eTag: "\"a\""], length: 7, method: .head, minorVersion: minorVersion)
        #expect(head.text == get.text && head.framing == .none)
    }

    @Test("a HEAD of a stream leaves the connection open")
    func headOfStream() {
        let (text, framing) = written(.ok, length: nil, method: .head)
        #expect(framing == .none && text.contains("Transfer-Encoding: chunked") && !text.contains("Connection"))
    }

    @Test("1xx, 204, 205 and 304 have no content", arguments: [101, 204, 205, 304])
    func noContent(code: Int) {
        for length in [nil, 0, 5] {
            let (text, framing) = written(HTTPResponse.Status(code: code), length: length)
            #expect(framing == .none)
            #expect(text.contains("Content-Length") == (code == 205))
            #expect(!text.contains("Transfer-Encoding") && !text.contains("Connection"))
        }
        #expect(written(.resetContent, length: 5).text.contains("\r\nContent-Length: 0\r\n"))
    }

    @Test("the author cannot write the fields that are the writer's")
    func reserved() throws {
        let names = ["Date", "CONNECTION", "content-length", "Transfer-Encoding"]
        var fields: HTTPFields = [.server: "x"]
        for name in names { fields.append(HTTPField(name: try #require(HTTPField.Name(name)), value: "77")) }
        let text = written(.ok, fields, length: 5).text
        #expect(!text.contains("77") && text.contains("Server: x\r\n"))
    }

    @Test(
        "no value can begin another line", arguments: ["a\r\nSet-Cookie: b", "a\nb", "a\rb", "a\0b", "a\u{7f}\u{1}b"])
    func injection(value: String) {
        let plain = written(.ok, [.location: "a"], length: 0).text
        for field in [
            HTTPField(name: .location, value: value), HTTPField(name: .location, lenientValue: Array(value.utf8)),
        ] {
            var fields = HTTPFields()
            fields.append(field)
            let text = written(.ok, fields, length: 0).text
            #expect(text.split(separator: "\r\n").count == plain.split(separator: "\r\n").count)
            #expect(!text.replacing("\r\n", with: "").utf8.contains { $0 < 0x20 || $0 == 0x7f })
        }
        let status = HTTPResponse.Status(code: 299, reasonPhrase: value)
        #expect(written(status, length: 0).text.split(separator: "\r\n").count == 3)
    }

    @Test("a refusal closes the connection, and has no content for HEAD")
    func refusal() {
        var out: [UInt8] = []
        let writer = ResponseWriter(refusing: .head)
        let framing = writer.appendHead(
            ResponseHead(status: .badRequest), contentLength: 9, date: Self.date, to: &out)
        #expect(framing == .none && !writer.keepsAlive(after: framing))
        #expect(String(decoding: out, as: UTF8.self).contains("Connection: close\r\nContent-Length: 9\r\n"))
        #expect(ResponseWriter(refusing: nil).framing(of: .badRequest, contentLength: 9) == .length(9))
    }

    @Test("chunks carry their size in hexadecimal, and an empty one is not written", arguments: [1, 15, 16, 255, 4096])
    func chunk(size: Int) {
        var out: [UInt8] = []
        ResponseWriter.appendChunk([], to: &out)
        #expect(out.isEmpty)
        let data = [UInt8](repeating: 0x61, count: size)
        ResponseWriter.appendChunk(data, to: &out)
        #expect(out == Array("\(String(size, radix: 16))\r\n".utf8) + data + Array("\r\n".utf8))
    }

    @Test("chunks that are written are read back")
    func chunksAreReadBack() {
        var out = Array("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n".utf8)
        ResponseWriter.appendChunk(Array("hello, ".utf8), to: &out)
        ResponseWriter.appendChunk(Array("world".utf8), to: &out)
        out += ResponseWriter.lastChunk
        let transcript = Transcript.of(out, cutAt: [])
        #expect(transcript.messages.first?.body == Array("hello, world".utf8))
        #expect(transcript.messages.first?.isComplete == true)
    }
}
