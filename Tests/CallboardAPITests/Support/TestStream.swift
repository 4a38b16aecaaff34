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
    private var text = ""

    /// Asks for a stream; fails unless the answer is one.
    init(port: UInt16, target: String = "/v1/directors/d/changesets", lastEventID: String? = nil) throws {
        connection = try TestConnection(port: port)
        var request = "GET \(target) HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n"
        if let lastEventID { request += "Last-Event-ID: \(lastEventID)\r\n" }
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
            while let end = text.range(of: "\n\n") {
                let block = text[..<end.lowerBound]
                text.removeSubrange(..<end.upperBound)
                if let event = dispatch(String(block)) { return event }
            }
            guard let chunk = try connection.readChunk() else { return nil }
            text += String(decoding: chunk, as: UTF8.self)
        }
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
