/// A request that a server must refuse, as plain data, so that one table serves the parser's and the server's tests.
///
/// Nothing that a client sends after it may be read as a request: the answer closes the connection.
package struct HostileRequest: Sendable, CustomStringConvertible {
    /// What is wrong with it, in words; unique in the table.
    package let name: String

    /// What a client sends.
    package let bytes: [UInt8]

    /// The status of the answer.
    package let status: Int

    /// Creates an entry; each character of `text` is one byte (ISO 8859-1).
    package init(_ name: String, _ text: String, status: Int = 400) {
        self.name = name
        self.bytes = text.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }
        self.status = status
    }

    package var description: String { "\(name) → \(status)" }

    /// A good request that must never be answered where it comes after a hostile one.
    package static let smuggled = Array("GET /smuggled HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8)
}

/// The limits of the server under test, which the requests that are too large go beyond by one.
package struct HostileLimits: Sendable {
    package var target: Int
    package var head: Int
    package var fields: Int
    package var body: Int
    package var chunkExtensions: Int
    package var trailers: Int
    package var leadingEmptyLines: Int

    /// The limits of a server that was told nothing.
    package init(
        target: Int = 8 * 1024, head: Int = 32 * 1024, fields: Int = 100, body: Int = 16 * 1024 * 1024,
        chunkExtensions: Int = 4 * 1024, trailers: Int = 8 * 1024, leadingEmptyLines: Int = 4
    ) {
        self.target = target
        self.head = head
        self.fields = fields
        self.body = body
        self.chunkExtensions = chunkExtensions
        self.trailers = trailers
        self.leadingEmptyLines = leadingEmptyLines
    }
}
