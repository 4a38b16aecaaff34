import COpenSSL

/// A key that signatures are verified with: a shared secret or a public key, never a private one.
///
/// A key knows which algorithms it can be used for, and verifies nothing by another: otherwise a token could have the
/// bytes of an RSA public key taken for a shared secret (RFC 8725, section 2.1).
package final class VerificationKey: @unchecked Sendable {
    // SAFETY: everything is constant. An EVP_PKEY is reference counted, and EVP_DigestVerify only reads it (OpenSSL's
    // openssl-threads(7)); it is freed when the last reference to this object is gone.
    private enum Material {
        case secret([UInt8])
        case publicKey(OpaquePointer)
    }

    /// The key's name in its set (`kid`; RFC 7517, section 4.5).
    package let id: String?
    /// The algorithms that the key can be used for: those of its kind, or the one that its `alg` says.
    package let algorithms: Set<SigningAlgorithm>
    /// The digest by which two copies of the key are known as the same, whatever their names.
    package let thumbprint: KeyThumbprint
    private let material: Material

    /// Keeps a shared secret.
    init(secret: [UInt8], id: String?, algorithms: Set<SigningAlgorithm>, thumbprint: KeyThumbprint) {
        self.id = id
        self.algorithms = algorithms
        self.thumbprint = thumbprint
        material = .secret(secret)
    }

    /// Takes over a public key, which is freed with this object.
    init(owning key: OpaquePointer, id: String?, algorithms: Set<SigningAlgorithm>, thumbprint: KeyThumbprint) {
        self.id = id
        self.algorithms = algorithms
        self.thumbprint = thumbprint
        material = .publicKey(key)
    }

    deinit {
        // SAFETY: this object owns one reference.
        if case .publicKey(let key) = material { copenssl_free_key(key) }
    }

    /// Whether the key has this name, compared byte by byte.
    func isNamed(_ name: String) -> Bool {
        id?.utf8.elementsEqual(name.utf8) == true
    }

    /// Whether the key has made the signature of the message by the algorithm; false for an algorithm that the key
    /// cannot be used for.
    ///
    /// - Complexity: O(bytes of the message), and one operation with the key.
    package func verifies(
        _ signature: [UInt8], of message: ArraySlice<UInt8>, by algorithm: SigningAlgorithm
    ) -> Bool {
        guard algorithms.contains(algorithm) else { return false }
        return message.withUnsafeBufferPointer { message in
            switch (material, algorithm.scheme) {
            case (.secret(let secret), nil):
                return hasCode(signature, of: message, secret: secret)
            case (.publicKey(let key), let scheme?):
                // SAFETY: the library reads both buffers within their counts, and the key lives as long as this object.
                return copenssl_verify(
                    key, scheme, message.baseAddress, message.count, signature, signature.count) == 1
            default:
                return false
            }
        }
    }

    private func hasCode(_ code: [UInt8], of message: UnsafeBufferPointer<UInt8>, secret: [UInt8]) -> Bool {
        guard code.count == Int(COPENSSL_SHA256_BYTES) else { return false }
        return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: code.count) { expected in
            // SAFETY: the library writes the 32 bytes that `expected` has room for, and compares as many. The time does
            // not depend on where the codes differ.
            copenssl_hmac_sha256(secret, secret.count, message.baseAddress, message.count, expected.baseAddress) != 0
                && copenssl_equal(expected.baseAddress, code, code.count) != 0
        }
    }
}
