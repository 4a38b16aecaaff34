import COpenSSL
import Notation

@testable import Access

/// A private key of the tests, which plays the issuer.
final class SigningKey: @unchecked Sendable {
    // SAFETY: everything is constant, and OpenSSL only reads a key that it signs with.
    private let key: OpaquePointer?
    let secret: [UInt8]
    /// The members of the public key (or of the secret), without braces.
    let members: String

    private init(_ key: OpaquePointer?, secret: [UInt8] = [], members: String) {
        (self.key, self.secret, self.members) = (key, secret, members)
    }

    deinit { copenssl_free_key(key) }

    static let rsa = makeRSA(bits: 2048)
    static let otherRSA = makeRSA(bits: 2048)
    static let shortRSA = makeRSA(bits: 1024)
    static let p256 = makeEC(curve: "P-256", bytes: 32)
    static let otherP256 = makeEC(curve: "P-256", bytes: 32)
    static let p384 = makeEC(curve: "P-384", bytes: 48)
    static let ed25519 = makeEd25519()
    static let otherEd25519 = makeEd25519()
    static let hmac = makeSecret((0..<32).map { _ in .random(in: .min ... .max) })

    static func key(for algorithm: SigningAlgorithm) -> SigningKey {
        switch algorithm {
        case .hs256: hmac
        case .rs256, .ps256: rsa
        case .es256: p256
        case .edDSA: ed25519
        }
    }

    static func makeSecret(_ bytes: [UInt8]) -> SigningKey {
        SigningKey(nil, secret: bytes, members: #""kty":"oct","k":"\#(Base64URL.encode(bytes))""#)
    }

    private static func makeRSA(bits: Int32) -> SigningKey {
        let key = generate("RSA") { EVP_PKEY_CTX_set_rsa_keygen_bits($0, bits) }
        let n = number(key, "n", count: Int(bits) / 8)
        return SigningKey(key, members: #""kty":"RSA","n":"\#(n)","e":"AQAB""#)
    }

    private static func makeEC(curve: String, bytes: Int) -> SigningKey {
        let key = generate("EC") { EVP_PKEY_CTX_set_group_name($0, curve) }
        let (x, y) = (number(key, "qx", count: bytes), number(key, "qy", count: bytes))
        return SigningKey(key, members: #""kty":"EC","crv":"\#(curve)","x":"\#(x)","y":"\#(y)""#)
    }

    private static func makeEd25519() -> SigningKey {
        let key = generate("ED25519") { _ in 1 }
        var (bytes, count) = ([UInt8](repeating: 0, count: 32), 32)
        precondition(EVP_PKEY_get_raw_public_key(key, &bytes, &count) == 1)
        return SigningKey(key, members: #""kty":"OKP","crv":"Ed25519","x":"\#(Base64URL.encode(bytes))""#)
    }

    private static func generate(_ type: String, _ configure: (OpaquePointer?) -> Int32) -> OpaquePointer? {
        let context = EVP_PKEY_CTX_new_from_name(nil, type, nil)
        defer { EVP_PKEY_CTX_free(context) }
        var key: OpaquePointer?
        precondition(EVP_PKEY_keygen_init(context) == 1 && configure(context) == 1)
        precondition(EVP_PKEY_generate(context, &key) == 1)
        return key
    }

    private static func number(_ key: OpaquePointer?, _ name: String, count: Int) -> String {
        var number: OpaquePointer?
        var bytes = [UInt8](repeating: 0, count: count)
        precondition(EVP_PKEY_get_bn_param(key, name, &number) == 1)
        precondition(BN_bn2binpad(number, &bytes, Int32(count)) == Int32(count))
        BN_free(number)
        return Base64URL.encode(bytes)
    }

    /// The public key as X.509 writes it (RFC 5280, section 4.1.2.7).
    var publicDER: [UInt8] {
        var start: UnsafeMutablePointer<UInt8>?
        let count = i2d_PUBKEY(key, &start)
        defer { CRYPTO_free(start, #fileID, #line) }
        return Array(UnsafeBufferPointer(start: start, count: Int(count)))
    }

    /// The public key as a text (RFC 7468), with a line end behind each line.
    var publicPEM: String {
        var text = Base64URL.encode(publicDER).replacing("-", with: "+").replacing("_", with: "/")
        text += String(repeating: "=", count: (4 - text.count % 4) % 4)
        var lines = ["-----BEGIN PUBLIC KEY-----"]
        while !text.isEmpty {
            lines.append(String(text.prefix(64)))
            text = String(text.dropFirst(64))
        }
        return (lines + ["-----END PUBLIC KEY-----", ""]).joined(separator: "\n")
    }

    /// Signs as the algorithm has it; `asDER` leaves an ECDSA signature as OpenSSL writes it, and RSA takes other hashes.
    func sign(
        _ message: [UInt8], by algorithm: SigningAlgorithm, asDER: Bool = false, saltBytes: Int32 = 32,
        hash: OpaquePointer? = EVP_sha256(), mask: OpaquePointer? = nil
    ) -> [UInt8] {
        guard algorithm != .hs256 else {
            var code = [UInt8](repeating: 0, count: 32)
            precondition(copenssl_hmac_sha256(secret, secret.count, message, message.count, &code) == 1)
            return code
        }
        let context = EVP_MD_CTX_new()
        defer { EVP_MD_CTX_free(context) }
        var options: OpaquePointer?
        let digest = algorithm == .edDSA ? nil : hash
        precondition(EVP_DigestSignInit(context, &options, digest, nil, key) == 1)
        if algorithm == .ps256 {
            precondition(EVP_PKEY_CTX_set_rsa_padding(options, RSA_PKCS1_PSS_PADDING) == 1)
            precondition(EVP_PKEY_CTX_set_rsa_pss_saltlen(options, saltBytes) == 1)
            if let mask { precondition(EVP_PKEY_CTX_set_rsa_mgf1_md(options, mask) == 1) }
        }
        var count = 2_048
        var signature = [UInt8](repeating: 0, count: count)
        precondition(EVP_DigestSign(context, &signature, &count, message, message.count) == 1)
        let bytes = Array(signature[..<count])
        return algorithm == .es256 && !asDER ? Self.raw(bytes) : bytes
    }

    /// The two numbers of a DER signature, each in as many bytes as the larger curve of the tests takes at most.
    private static func raw(_ der: [UInt8]) -> [UInt8] {
        der.withUnsafeBufferPointer { buffer in
            var start = buffer.baseAddress
            let pair = d2i_ECDSA_SIG(nil, &start, buffer.count)
            defer { ECDSA_SIG_free(pair) }
            let width = max(32, Int(BN_num_bits(ECDSA_SIG_get0_r(pair)) + 7) / 8)
            var bytes = [UInt8](repeating: 0, count: 2 * width)
            bytes.withUnsafeMutableBufferPointer { bytes in
                _ = BN_bn2binpad(ECDSA_SIG_get0_r(pair), bytes.baseAddress, Int32(width))
                _ = BN_bn2binpad(ECDSA_SIG_get0_s(pair), bytes.baseAddress?.advanced(by: width), Int32(width))
            }
            return bytes
        }
    }
}
