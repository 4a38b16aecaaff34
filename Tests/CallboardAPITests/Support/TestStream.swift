import Foundation

/// One event as an `EventSource` would dispatch it.
struct TestEvent {
    let name: String
    let data: String
    /// The last event id after it.
    let id: String

    /// The data as a JSON object.
    var json: [String: Any] {
        get throws {
            guard let object = try JSONSerialization.jsonObject(with: Data(data.utf8)) as? [String: Any] else {
                throw TestClientError(description: "not a JSON object: \(data)")
            }
            return object
        }
    }
}

/// Reads an event stream by the rules of WHATWG HTML, section 9.2.6.
final class TestStream {
    let connection: TestConnection
    let fields: [String: String]
    private(set) var lastEventID = ""
    private(set) var retry: Int?
    private var bytes: [UInt8] = []
    /// How many of the bytes are known not to end a block.
    private var scanned = 0

    /// Asks for a stream; fails unless the answer is one.
    init(
        port: UInt16, target: String = "/v1/directors/d/changesets", lastEventID: String? = nil,
        fields headers: [String: String] = [:]
    ) throws {
        connection = try TestConnection(port: port)
        var request = "GET \(target) HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n"
        if let lastEventID { request += "Last-Event-ID: \(lastEventID)\r\n" }
        for (name, value) in headers { request += "\(name): \(value)\r\n" }
        try connection.write(request + "\r\n")
        let (status, fields) = try connection.readHead()
        guard status == 200, fields["content-type"] == "text/event-stream" else {
            throw TestClientError(description: "no stream: \(status) \(fields)")
        }
        self.fields = fields
        self.lastEventID = lastEventID ?? ""
    }

    /// The next event; `nil` when the server has ended the stream in order.
    func next() throws -> TestEvent? {
        while true {
            while let block = takeBlock() {
                if let event = dispatch(block) { return event }
            }
            guard let chunk = try connection.readChunk() else { return nil }
            bytes += chunk
        }
    }

    /// The next block that has arrived as a whole, without the empty line at its end.
    private func takeBlock() -> String? {
        for index in max(1, scanned)..<max(1, scanned, bytes.count) where bytes[index] == 10 && bytes[index - 1] == 10 {
            let block = String(decoding: bytes[..<(index - 1)], as: UTF8.self)
            bytes.removeFirst(index + 1)
            scanned = 0
            return block
        }
        scanned = bytes.count
        return nil
    }

    /// The next event that is no heartbeat.
    func nextContent() throws -> TestEvent? {
        while let event = try next() {
            if event.name != "heartbeat" { return event }
        }
        return nil
    }

    private func dispatch(_ block: String) -> TestEvent? {
        var name = "message"
        var data: [String] = []
        for line in block.split(separator: "\n") {
            let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            let value = parts.count > 1 ? String(parts[1].hasPrefix(" ") ? parts[1].dropFirst() : parts[1]) : ""
            switch parts[0] {
            case "event": name = value
            case "data": data.append(value)
            case "id": lastEventID = value
            case "retry": retry = Int(value)
            default: break
            }
        }
        return data.isEmpty ? nil : TestEvent(name: name, data: data.joined(separator: "\n"), id: lastEventID)
    }
}
