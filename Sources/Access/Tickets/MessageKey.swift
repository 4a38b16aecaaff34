import COpenSSL

/// A key derived from the secret that the nodes of a cluster share, which they sign messages with: HMAC-SHA256 (RFC 2104).
///
/// Keys for different purposes are independent: what one has signed is worth nothing for another.
package struct MessageKey: Sendable {
    private let bytes: [UInt8]

    /// Derives the key for a purpose.
    package init(_ secret: SharedSecret, for purpose: String) {
        bytes = secret.key(for: purpose)
    }

    /// The 32 bytes that sign a message.
    ///
    /// - Complexity: One HMAC of the message.
    package func code(of message: [UInt8]) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: Int(COPENSSL_SHA256_BYTES)) { code, count in
            // SAFETY: the library reads both arrays within their counts and writes the 32 bytes that `code` has room for.
            let isDone = copenssl_hmac_sha256(bytes, bytes.count, message, message.count, code.baseAddress)
            // It fails only where the library lacks SHA-256 or memory, and an unsigned message must not go out.
            precondition(isDone != 0, "OpenSSL cannot compute HMAC-SHA256")
            count = Int(COPENSSL_SHA256_BYTES)
        }
    }

    /// Whether a code is that of a message; in a time that does not depend on where it differs.
    package func isRight(_ code: [UInt8], of message: [UInt8]) -> Bool {
        let expected = self.code(of: message)
        // SAFETY: both arrays have as many bytes as are compared.
        return code.count == expected.count && copenssl_equal(code, expected, expected.count) != 0
    }

    /// The SHA-256 of a message's content, a range of an array, which stands in the message in its place. O(bytes).
    package static func digest(of content: (bytes: [UInt8], range: Range<Int>)) -> [UInt8] {
        sha256(of: content.bytes, content.range)
    }
}
