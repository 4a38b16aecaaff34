/// A request that a server must refuse, as plain data, so that one table serves parser and server tests.
package struct HostileRequest: Sendable {
    /// What is wrong with it, in words.
    package let name: String

    /// What a client sends.
    package let bytes: [UInt8]

    /// The status of the answer, after which the connection closes and nothing more is read as a request.
    package let status: Int

    /// Creates an entry; each character of `text` is one byte (ISO 8859-1).
    package init(_ name: String, _ text: String, status: Int) {
        self.name = name
        self.bytes = text.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }
        self.status = status
    }
}
