import Glibc
import HTTPTestSupport
import Reactor
import Testing

/// A client's end of a connection: a blocking socket that gives up after some seconds. It writes and reads HTTP/1.1, over
/// whatever the tests run.
final class TestClient {
    struct Answer: Equatable {
        var status: Int
        var fields: [String: String]
        var body: String
    }

    let socket: Int32
    private var buffer: [UInt8] = []
    private(set) var isAtEnd = false
    private(set) var wasReset = false
    private let end: any ClientEnd
    /// What arrived of an answer's content and was not asked for yet.
    private var content: [UInt8] = []

    init(to address: SocketAddress, receiveBuffer: Int32? = nil) throws {
        let family =
            switch address {
            case .ipv4: AF_INET
            case .ipv6: AF_INET6
            case .unix: AF_UNIX
            }
        let number = Glibc.socket(family, Int32(SOCK_STREAM.rawValue), 0)
        socket = number
        end = TestTransport.end(on: number, isEncrypted: TestTransport.isEncrypted && family != AF_UNIX)
        if var size = receiveBuffer {
            setsockopt(number, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<Int32>.size))
        }
        var patience = timeval(tv_sec: 60, tv_usec: 0)
        setsockopt(number, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
        setsockopt(number, SOL_SOCKET, SO_SNDTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
        let result = address.withKernelForm { Glibc.connect(number, $0, $1) }
        if result != 0 { throw SystemError(call: "connect to \(address)", number: errno) }
    }

    deinit { close(socket) }

    /// Whether the server lets it in and does not close at once.
    var isOpen: Bool { end.isOpen }

    /// What the server has received when all has arrived.
    var sentCount: Int { end.sentCount }

    /// Sends everything, or as much as the server takes before it closes.
    func send(_ bytes: some Collection<UInt8>) {
        end.send(Array(bytes))
    }

    func send(_ text: String) { send(text.utf8) }

    func finishSending() {
        end.finishSending()
    }

    /// Receives once; false at the end of what the server sends.
    @discardableResult
    func receive() -> Bool {
        var chunk = [UInt8](repeating: 0, count: 65536)
        let count = end.receive(into: &chunk)
        if count > 0 {
            buffer += chunk[..<count]
            return true
        }
        isAtEnd = true
        wasReset = count < 0 && errno == ECONNRESET
        if count < 0 && !wasReset { Issue.record("gave up waiting for the server") }
        if let fault = end.fault { Issue.record("\(fault)") }
        return false
    }

    /// Receives until the server closes, and returns everything that has not been taken yet.
    func receiveToEnd() -> String {
        while receive() {}
        defer { buffer = [] }
        return String(decoding: buffer, as: UTF8.self)
    }

    /// Receives up to the end of `text`, and returns everything up to there.
    func receive(through text: String) -> String {
        var scanned = 0
        let pattern = Array(text.utf8)
        while true {
            if let range = find(pattern, from: scanned) {
                defer { buffer.removeFirst(range) }
                return String(decoding: buffer[..<range], as: UTF8.self)
            }
            scanned = max(0, buffer.count - pattern.count)
            guard receive() else {
                Issue.record(
                    "the server closed before \(text.debugDescription): \(String(decoding: buffer.prefix(500), as: UTF8.self))"
                )
                return ""
            }
        }
    }

    private func find(_ pattern: [UInt8], from start: Int) -> Int? {
        guard buffer.count >= pattern.count else { return nil }
        for index in start...(buffer.count - pattern.count)
        where buffer[index] == pattern[0] && buffer[index..<(index + pattern.count)].elementsEqual(pattern) {
            return index + pattern.count
        }
        return nil
    }

    /// Receives a head.
    func receiveHead() -> (status: Int, fields: [String: String]) {
        let lines = receive(through: "\r\n\r\n").split(separator: "\r\n")
        let status = lines.first?.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
        var fields: [String: String] = [:]
        for line in lines.dropFirst() {
            let parts = line.split(separator: ":", maxSplits: 1)
            fields[parts[0].lowercased()] = parts.count > 1 ? String(parts[1].drop { $0 == " " }) : ""
        }
        return (status, fields)
    }

    /// Receives a whole answer, by its length, its chunks, or the end of the connection.
    func receiveAnswer(toHead: Bool = false) -> Answer {
        let (status, fields) = receiveHead()
        if toHead || status == 204 || status == 304 { return Answer(status: status, fields: fields, body: "") }
        if let length = fields["content-length"].flatMap({ Int($0) }) {
            while buffer.count < length, receive() {}
            defer { buffer.removeFirst(min(length, buffer.count)) }
            return Answer(status: status, fields: fields, body: String(decoding: buffer.prefix(length), as: UTF8.self))
        }
        if fields["transfer-encoding"] == "chunked" {
            var body = ""
            while let chunk = receiveChunk(), !chunk.isEmpty { body += chunk }
            return Answer(status: status, fields: fields, body: body)
        }
        return Answer(status: status, fields: fields, body: receiveToEnd())
    }

    /// Receives one chunk; the last one is empty, and nil means that the server closed in the middle.
    func receiveChunk() -> String? {
        // The line end is one character.
        let line = receive(through: "\r\n")
        guard let size = Int(line.dropLast(), radix: 16) else { return nil }
        while buffer.count < size + 2, receive() {}
        guard buffer.count >= size + 2 else { return nil }
        defer { buffer.removeFirst(size + 2) }
        return String(decoding: buffer[..<size], as: UTF8.self)
    }

    // MARK: Streams

    /// Whether exactly `text` comes next: as one chunk over HTTP/1.1. Over HTTP/2 frames are cut as windows allow, and may
    /// hold several events.
    func receives(_ text: String) -> Bool {
        if TestTransport.isHTTP1 { return receiveChunk() == text }
        while content.count < text.utf8.count {
            guard let chunk = receiveChunk(), !chunk.isEmpty else { return false }
            content += chunk.utf8
        }
        defer { content.removeFirst(text.utf8.count) }
        return content.starts(with: text.utf8)
    }

    /// Whether the stream ends here, in order.
    func receivesEnd() -> Bool { content.isEmpty && receiveChunk() == "" }

    /// Whether the server says something that is not of the protocol, and nothing after it.
    var isFailing: Bool {
        var chunk = [UInt8](repeating: 0, count: 1)
        return end.receive(into: &chunk) <= 0 && end.fault != nil
    }

    /// Whether the connection has ended behind a refusal, as HTTP/1.1 has it, or takes another request, as HTTP/2 has it.
    func isDoneWithRefusal() -> Bool {
        if TestTransport.isHTTP1 { return receiveToEnd() == "" && !wasReset }
        end.abandonRequest()
        send("GET /after-refusal HTTP/1.1\r\nHost: x\r\n\r\n")
        return receiveHead().status > 0
    }
}
