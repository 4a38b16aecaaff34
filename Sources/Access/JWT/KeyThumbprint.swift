import COpenSSL
import Notation

/// The SHA-256 of a key's required members (RFC 7638), by which two copies of one key are known as the same.
///
/// The thumbprint of a shared secret follows from the secret and is not to be shown (RFC 7638, section 7).
package struct KeyThumbprint: Hashable, Sendable {
    /// The thumbprint's 32 bytes.
    package let bytes: [UInt8]

    /// The thumbprint of a key whose members are given in the order of their names (RFC 7638, section 3.3).
    ///
    /// Names and values are ASCII that needs no escapes in JSON.
    init(members: [(name: String, value: String)]) {
        let text = members.map { "\"\($0.name)\":\"\($0.value)\"" }.joined(separator: ",")
        bytes = sha256(of: Array("{\(text)}".utf8))
    }
}

extension KeyThumbprint: CustomStringConvertible {
    /// The thumbprint in base64url, as RFC 7638 shows it.
    package var description: String { Base64URL.encode(bytes) }
}

/// The SHA-256 digest of a message (FIPS 180-4): 32 bytes.
///
/// - Complexity: O(*n*) in the number of bytes.
package func sha256(of message: [UInt8]) -> [UInt8] {
    sha256(of: message, message.indices)
}

/// SHA-256 of a range of bytes, which is not copied.
func sha256(of message: [UInt8], _ range: Range<Int>) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: Int(COPENSSL_SHA256_BYTES)) { digest, count in
        let isDone = message[range].withUnsafeBytes {
            // SAFETY: the library reads the range within its count and writes the 32 bytes that `digest` has room for.
            copenssl_sha256($0.baseAddress, $0.count, digest.baseAddress)
        }
        // It fails only where there is no memory at all.
        precondition(isDone == 1, "libcrypto has no SHA-256")
        count = Int(COPENSSL_SHA256_BYTES)
    }
}
