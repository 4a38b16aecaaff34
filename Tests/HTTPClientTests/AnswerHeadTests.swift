import Testing

@testable import HTTPClient

@Suite("Heads of answers that libcurl tells line by line")
struct AnswerHeadTests {
    /// The head that comes of lines, and after how many of them.
    private static func read(_ lines: [String]) -> (head: AnswerHead, count: Int?) {
        var head = AnswerHead()
        for (index, line) in lines.enumerated() where head.add(line + "\r\n") { return (head, index + 1) }
        return (head, nil)
    }

    @Test("a head has its status and its fields, their names in lower case and repeated ones joined")
    func fields() {
        let (head, count) = Self.read(["HTTP/1.1 200 OK", "Content-Type:  text/plain ", "Vary: a", "vary: b", ""])
        #expect(count == 5 && head.status == 200)
        #expect(head.fields == ["content-type": "text/plain", "vary": "a, b"])
        #expect(Self.read(["HTTP/2 404 ", ""]).head.status == 404)
    }

    @Test("informational answers and redirects are skipped, and trailers have no effect")
    func skipped() {
        let redirect = ["HTTP/1.1 307 Temporary Redirect", "Location: /b", "X: y", ""]
        let final = ["HTTP/2 200", "etag: \"e\"", ""]
        var (head, count) = Self.read(["HTTP/1.1 100 Continue", ""] + redirect + final)
        #expect(count == 9 && head.status == 200 && head.fields == ["etag": "\"e\""])
        #expect(head.add("etag: \"f\"\r\n") == false && head.add("\r\n") == false)
        #expect(head.fields == ["etag": "\"e\""])
        #expect(Self.read(["HTTP/1.1 304 Not Modified", ""]).count == 2)
    }
}
