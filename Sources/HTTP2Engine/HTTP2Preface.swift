/// The bytes that a client's side of HTTP/2 begins with (RFC 9113, section 3.4).
package enum HTTP2Preface {
    /// What first bytes are.
    package enum Match: Sendable, Hashable {
        /// They cannot become the preface.
        case none
        /// They are a part of it, and more are needed.
        case partial
        /// They begin with the whole of it.
        case whole
    }

    /// The preface.
    package static let bytes = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8)

    /// Compares a connection's first bytes with the preface; none at all are a part of it.
    package static func match(_ first: Span<UInt8>) -> Match {
        let common = min(first.count, bytes.count)
        for index in 0..<common where first[index] != bytes[index] { return .none }
        return common == bytes.count ? .whole : .partial
    }
}
