import Notation

/// A report that waits for the server.
public struct QueuedReport: Sendable {
    /// What has happened.
    public let event: ListEvent
    /// The director's name.
    public let director: String
    /// The part of the list that the reader sees, as the query has it.
    let query: [(String, String)]
    /// The report's idempotency key.
    public let key: String
    /// The report's length in bytes, as a file has it.
    let length: Int

    init(event: ListEvent, director: String, query: [(String, String)], key: String) {
        (self.event, self.director, self.query, self.key) = (event, director, query, key)
        length = QueuedReport.line(event, director, query, key).count
    }

    /// Whether one request can carry both.
    func goesWith(_ other: QueuedReport) -> Bool {
        director.isVerbatim(other.director) && query.elementsEqual(other.query) { $0 == $1 }
    }

    /// The line of a file that holds the report.
    var line: [UInt8] { QueuedReport.line(event, director, query, key) }

    private static func line(
        _ event: ListEvent, _ director: String, _ query: [(String, String)], _ key: String
    ) -> [UInt8] {
        let pairs = query.map { JSON.array([.string($0.0), .string($0.1)]) }
        let line: JSON = [
            "director": .string(director), "query": .array(pairs), "key": .string(key), "report": .object(event.json),
        ]
        return line.utf8 + [UInt8(ascii: "\n")]
    }

    /// Reads a line of a file.
    init(_ reader: JSONReader) throws(RepresentationError) {
        let query = try reader.member("query").map { (pair) throws(RepresentationError) in
            let texts = try pair.map { (text) throws(RepresentationError) in try text.string() }
            guard texts.count == 2 else { throw pair.fault("Expected a name and a value") }
            return (texts[0], texts[1])
        }
        self.init(
            event: try ListEvent(try reader.member("report")), director: try reader.member("director").string(),
            query: query, key: try reader.member("key").string())
    }
}
