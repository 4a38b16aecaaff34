import Foundation
import Glibc
import HTTPTestSupport

/// What went wrong in a test's own client.
struct TestClientError: Error, CustomStringConvertible {
    let description: String
}

/// A blocking client connection on loopback: small, strict and independent of the code under test. It writes and reads
/// HTTP/1.1, over whatever the tests run.
final class TestConnection {
    private let descriptor: Int32
    private let end: any ClientEnd
    private var buffer: [UInt8] = []

    /// Connects; a read that waits longer than `timeout` seconds fails the test.
    init(port: UInt16, timeout: Int = 60) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        end = TestTransport.end(on: descriptor)
        guard descriptor >= 0 else { throw TestClientError(description: "socket: errno \(errno)") }
        var limit = timeval(tv_sec: timeout, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        let status = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard status == 0 else { throw TestClientError(description: "connect: errno \(errno)") }
    }

    deinit {
        close(descriptor)
    }

    /// Sends bytes as they are.
    func write(_ text: String) throws {
        guard end.send(Array(text.utf8)) else {
            throw TestClientError(description: end.fault ?? "send: errno \(errno)")
        }
    }

    /// Sends one request and reads its answer.
    func send(
        _ method: String, _ target: String, _ body: String? = nil, headers: [String: String] = [:]
    ) throws -> TestResponse {
        var head = "\(method) \(target) HTTP/1.1\r\n"
        if headers["Host"] == nil { head += "Host: localhost\r\n" }
        for (name, value) in headers where !value.isEmpty { head += "\(name): \(value)\r\n" }
        if let body {
            // An empty type stands for none.
            if headers["Content-Type"] == nil { head += "Content-Type: application/json\r\n" }
            head += "Content-Length: \(body.utf8.count)\r\n"
        }
        try write(head + "\r\n" + (body ?? ""))
        return try read(isHead: method == "HEAD")
    }

    /// Reads one answer with its body.
    func read(isHead: Bool = false) throws -> TestResponse {
        let (status, fields) = try readHead()
        var body: [UInt8] = []
        if isHead || status == 204 || status == 304 {
        } else if let length = fields["content-length"].flatMap({ Int($0) }) {
            body = try take(length)
        } else if fields["transfer-encoding"] == "chunked" {
            while let chunk = try readChunk() { body += chunk }
        }
        return TestResponse(status: status, fields: fields, body: body)
    }

    /// Reads a head: status and fields with lower-case names.
    func readHead() throws -> (Int, [String: String]) {
        let line = try readLine()
        let parts = line.split(separator: " ")
        guard parts.count >= 2, parts[0] == "HTTP/1.1", let status = Int(parts[1]) else {
            throw TestClientError(description: "not a status line: \(line)")
        }
        var fields: [String: String] = [:]
        while case let line = try readLine(), !line.isEmpty {
            let parts = line.split(separator: ":", maxSplits: 1)
            fields[parts[0].lowercased()] = parts.count > 1 ? parts[1].trimmingCharacters(in: .whitespaces) : ""
        }
        return (status, fields)
    }

    /// Reads one chunk of a chunked body; `nil` after the last.
    func readChunk() throws -> [UInt8]? {
        guard let size = Int(try readLine(), radix: 16) else {
            throw TestClientError(description: "not a chunk size")
        }
        let bytes = try take(size)
        guard try readLine().isEmpty else { throw TestClientError(description: "no line end after a chunk") }
        return size == 0 ? nil : bytes
    }

    /// Whether the server has closed the connection; waits for it.
    func isClosed() throws -> Bool {
        try fill() == 0 && buffer.isEmpty
    }

    /// Reads one line without its end.
    func readLine() throws -> String {
        while true {
            if let end = buffer.firstIndex(of: 10) {
                guard end > 0, buffer[end - 1] == 13 else { throw TestClientError(description: "a bare line feed") }
                let line = String(decoding: buffer[..<(end - 1)], as: UTF8.self)
                buffer.removeFirst(end + 1)
                return line
            }
            guard try fill() > 0 else { throw TestClientError(description: "closed in a line") }
        }
    }

    /// Reads that many bytes, whatever they are.
    func take(_ count: Int) throws -> [UInt8] {
        while buffer.count < count {
            guard try fill() > 0 else { throw TestClientError(description: "closed in a body") }
        }
        let bytes = Array(buffer[..<count])
        buffer.removeFirst(count)
        return bytes
    }

    private func fill() throws -> Int {
        var chunk = [UInt8](repeating: 0, count: 65_536)
        let count = end.receive(into: &chunk)
        if let fault = end.fault { throw TestClientError(description: fault) }
        guard count >= 0 else { throw TestClientError(description: "recv: errno \(errno)") }
        buffer += chunk[..<count]
        return count
    }
}
