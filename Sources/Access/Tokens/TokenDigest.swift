import COpenSSL

/// The SHA-256 of a token: all that is kept of it.
///
/// A token has 178 random bits, so that its digest needs no salt and cannot be searched for.
package struct TokenDigest: Hashable, Sendable {
    /// The digest's 32 bytes.
    package let bytes: [UInt8]

    /// Takes a digest that was kept; nil where it has not 32 bytes.
    package init?(bytes: [UInt8]) {
        guard bytes.count == COPENSSL_SHA256_BYTES else { return nil }
        self.bytes = bytes
    }

    /// The digest of a token's text.
    package init(of text: some StringProtocol) {
        bytes = sha256(of: Array(text.utf8))
    }

    /// Compares in a time that does not depend on where the digests differ.
    package static func == (one: TokenDigest, other: TokenDigest) -> Bool {
        // SAFETY: both have 32 bytes.
        one.bytes.withUnsafeBytes { one in
            other.bytes.withUnsafeBytes { other in
                copenssl_equal(one.baseAddress, other.baseAddress, one.count) == 1
            }
        }
    }

    /// Hashes the digest's first bytes, which are as random as all of them.
    package func hash(into hasher: inout Hasher) {
        for byte in bytes.prefix(8) { hasher.combine(byte) }
    }
}
