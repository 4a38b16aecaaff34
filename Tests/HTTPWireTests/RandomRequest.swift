import HTTPTypes
import TestSupport

@testable import HTTPWire

/// A request by what it means, from which many renderings can be made that mean the same.
struct RandomRequest: Equatable, CustomStringConvertible {
    var method = "GET"
    var target = "/"
    var minorVersion = 1
    var fields: [(name: String, value: String)] = []
    var connection: [String] = []
    var body: [UInt8] = []
    var isChunked = false

    static func == (left: Self, right: Self) -> Bool { left.description == right.description }

    var description: String {
        "\(method) \(target) HTTP/1.\(minorVersion), fields \(fields), connection \(connection), "
            + "body \(body) \(isChunked ? "chunked" : "plain")"
    }

    static func make(_ generator: inout SeededGenerator) -> RandomRequest {
        var request = RandomRequest()
        let methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "PURGE", "x-y"]
        request.method = methods.randomElement(using: &generator) ?? "GET"
        request.target = "/" + word("abcz09-._~!$&'()*+,;=:@/?[]{}|", 0...20, &generator)
        if generator.percent(20) { request.target += "%2F" }
        request.minorVersion = generator.percent(20) ? 0 : 1
        for _ in 0..<Int.random(in: 0...5, using: &generator) {
            let names = ["Accept", "If-Match", "Last-Event-ID", "X-a", "x!", "Accept-Encoding", "User-Agent"]
            let value = word("abz09 \t,;=\":/é", 0...15, &generator).trimmingWhitespace
            request.fields.append((names.randomElement(using: &generator) ?? "A", value))
        }
        for _ in 0..<Int.random(in: 0...2, using: &generator) {
            request.connection.append(["close", "keep-alive", "x", "Upgrade"].randomElement(using: &generator) ?? "x")
        }
        let size = generator.percent(50) ? 0 : Int.random(in: 1...40, using: &generator)
        request.body = (0..<size).map { _ in
            generator.percent(30)
                ? Array("\r\n0:".utf8).randomElement(using: &generator) ?? 0 : .random(in: 0...255, using: &generator)
        }
        request.isChunked = request.minorVersion == 1 && generator.percent(50)
        return request
    }

    private static func word(_ letters: String, _ count: ClosedRange<Int>, _ generator: inout SeededGenerator) -> String
    {
        let letters = Array(letters)
        return String(
            (0..<Int.random(in: count, using: &generator)).compactMap { _ in letters.randomElement(using: &generator) })
    }

    /// What must come out of the parser.
    var expected: Transcript.Message {
        var fields = HTTPFields()
        for field in self.fields {
            HTTPField.Name(field.name).map { fields.append(HTTPField(name: $0, value: field.value)) }
        }
        let closes = connection.contains("close")
        let keepAlive = !closes && (minorVersion == 1 || connection.contains("keep-alive"))
        let framing: BodyFraming = isChunked ? .chunked : body.isEmpty ? .none : .length(body.count)
        let head = RequestHead(
            method: HTTPRequest.Method(method) ?? .get, target: target, authority: "h:1", minorVersion: minorVersion,
            fields: fields, keepAlive: keepAlive, bodyFraming: framing)
        return Transcript.Message(head: head, body: body, isComplete: true)
    }

    /// The bytes of one of its renderings: white space, case, order of framing fields, chunk sizes, extensions and
    /// trailers are drawn anew each time.
    func rendered(_ generator: inout SeededGenerator) -> [UInt8] {
        var lines = ["\(method) \(target) HTTP/1.\(minorVersion)"]
        var fieldLines = fields.map { Self.line($0.name, $0.value, &generator) }
        for option in connection {
            insert(Self.line("Connection", Self.anyCase(option, &generator), &generator), &fieldLines, &generator)
        }
        insert(Self.line("Host", "h:1", &generator), &fieldLines, &generator)
        if isChunked {
            insert(
                Self.line("Transfer-Encoding", Self.anyCase("chunked", &generator), &generator), &fieldLines, &generator
            )
        } else if !body.isEmpty || generator.percent(20) {
            insert(Self.line("Content-Length", "\(body.count)", &generator), &fieldLines, &generator)
        }
        lines += fieldLines
        let empty = String(repeating: "\r\n", count: Int.random(in: 0...2, using: &generator))
        let head = Array((empty + lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)
        return head + (isChunked ? chunks(&generator) : body)
    }

    private func insert(_ line: String, _ lines: inout [String], _ generator: inout SeededGenerator) {
        lines.insert(line, at: Int.random(in: 0...lines.count, using: &generator))
    }

    private static func line(_ name: String, _ value: String, _ generator: inout SeededGenerator) -> String {
        let spaces = ["", " ", "\t", "  "]
        let before = spaces.randomElement(using: &generator) ?? ""
        let after = spaces.randomElement(using: &generator) ?? ""
        return "\(anyCase(name, &generator)):\(before)\(value)\(after)"
    }

    private static func anyCase(_ text: String, _ generator: inout SeededGenerator) -> String {
        switch Int.random(in: 0..<4, using: &generator) {
        case 0: text.lowercased()
        case 1: text.uppercased()
        default: text
        }
    }

    private func chunks(_ generator: inout SeededGenerator) -> [UInt8] {
        var out: [UInt8] = []
        var rest = body[...]
        while !rest.isEmpty {
            let size = Int.random(in: 1...rest.count, using: &generator)
            out += sizeLine(size, &generator) + rest.prefix(size) + Array("\r\n".utf8)
            rest = rest.dropFirst(size)
        }
        out += sizeLine(0, &generator)
        if generator.percent(30) { out += Array("X-Trailer: a\r\nETag:\"b\"\r\n".utf8) }
        return out + Array("\r\n".utf8)
    }

    private func sizeLine(_ size: Int, _ generator: inout SeededGenerator) -> [UInt8] {
        let digits = String(size, radix: 16, uppercase: generator.percent(50))
        let zeros = String(repeating: "0", count: generator.percent(20) ? 3 : 0)
        let extensions =
            generator.percent(20) ? [";a", " ;a=b", ";a=\"b;\\\"\""].randomElement(using: &generator) ?? "" : ""
        return Array((zeros + digits + extensions + "\r\n").utf8)
    }

    /// Requests that are simpler by one step.
    var simpler: [RandomRequest] {
        var out: [RandomRequest] = []
        func add(_ change: (inout RandomRequest) -> Void) {
            var copy = self
            change(&copy)
            if copy != self { out.append(copy) }
        }
        for index in fields.indices { add { $0.fields.remove(at: index) } }
        for index in connection.indices { add { $0.connection.remove(at: index) } }
        add { $0.body.removeLast(($0.body.count + 1) / 2) }
        add { _ = $0.body.popLast() }
        add { $0.body = [UInt8](repeating: 0x78, count: $0.body.count) }
        add { $0.target = "/" }
        add { $0.method = "GET" }
        add { $0.isChunked = false }
        for index in fields.indices { add { $0.fields[index].value = "" } }
        return out
    }
}

extension String {
    /// The text without spaces and tabs at its ends.
    fileprivate var trimmingWhitespace: String {
        let isSpace: (Character) -> Bool = { $0 == " " || $0 == "\t" }
        return String(drop(while: isSpace).reversed().drop(while: isSpace).reversed())
    }
}
