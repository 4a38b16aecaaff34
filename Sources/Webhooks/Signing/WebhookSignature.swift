import COpenSSL
import Directors
import HTTPClient

/// Signs messages and checks signatures after Standard Webhooks 1.0 (standardwebhooks.com), scheme `v1`: HMAC-SHA256
/// over id, timestamp and content, joined by dots.
package enum WebhookSignature {
    /// How far a message's timestamp may lie from the receiver's clock.
    package static let tolerance: Duration = .seconds(300)
    /// Signatures looked at in one header; more are ignored, so that a hostile header costs little.
    package static let maxSignatures = 16

    /// The value of `webhook-signature`: one signature for each secret, in their order, with spaces in between.
    ///
    /// With several secrets a receiver that knows any one of them can check the message, so that secrets can be
    /// replaced without a gap. `timestamp` is in seconds since 1970. O(bytes of the body) for each secret.
    package static func sign(id: String, timestamp: Int, body: [UInt8], secrets: [HookSecret]) -> String {
        let message = signedContent(id: id, timestamp: "\(timestamp)", body: body)
        return secrets.map { "v1,\(Base64.encode(code(of: message, key: $0)))" }.joined(separator: " ")
    }

    /// The three header fields of a signed message: `webhook-id`, `webhook-timestamp`, `webhook-signature`.
    package static func fields(
        id: String, timestamp: Int, body: [UInt8], secrets: [HookSecret]
    ) -> [HeaderField] {
        [
            HeaderField("webhook-id", id),
            HeaderField("webhook-timestamp", "\(timestamp)"),
            HeaderField("webhook-signature", sign(id: id, timestamp: timestamp, body: body, secrets: secrets)),
        ]
    }

    /// Checks a message as a receiver does: one of its signatures has to be right for one of the secrets.
    ///
    /// - Parameters:
    ///   - id: The value of `webhook-id`.
    ///   - timestamp: The value of `webhook-timestamp`, as it was received.
    ///   - signature: The value of `webhook-signature`, as it was received.
    ///   - body: The content, byte for byte.
    ///   - secrets: The secrets that the receiver knows.
    ///   - now: The receiver's time, in seconds since 1970.
    package static func verify(
        id: String, timestamp: String, signature: String, body: [UInt8], secrets: [HookSecret], now: Int,
        tolerance: Duration = tolerance
    ) throws(WebhookSignatureError) {
        guard (1...12).contains(timestamp.utf8.count), timestamp.utf8.allSatisfy(\.isDigit),
            let sent = Int(timestamp)
        else { throw .timestamp }
        let allowed = Int(tolerance.components.seconds)
        guard sent >= now - allowed else { throw .tooOld(seconds: now - sent) }
        guard sent <= now + allowed else { throw .tooNew(seconds: sent - now) }
        let candidates = signature.split(separator: " ").prefix(maxSignatures).compactMap { candidate in
            candidate.hasPrefix("v1,") ? Base64.decode(candidate.dropFirst(3)) : nil
        }
        guard !candidates.isEmpty else { throw .noSignature }
        let message = signedContent(id: id, timestamp: timestamp, body: body)
        var isRight = false
        for secret in secrets {
            let expected = code(of: message, key: secret)
            for candidate in candidates where areEqual(candidate, expected) { isRight = true }
        }
        guard isRight else { throw .mismatch }
    }

    private static func signedContent(id: String, timestamp: String, body: [UInt8]) -> [UInt8] {
        var message: [UInt8] = []
        message.reserveCapacity(id.utf8.count + timestamp.utf8.count + body.count + 2)
        message += id.utf8
        message.append(UInt8(ascii: "."))
        message += timestamp.utf8
        message.append(UInt8(ascii: "."))
        message += body
        return message
    }

    private static func code(of message: [UInt8], key: HookSecret) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: Int(COPENSSL_SHA256_BYTES)) { code, count in
            // SAFETY: the library reads both arrays within their counts and writes the 32 bytes that `code` has room for.
            let isDone = copenssl_hmac_sha256(key.key, key.key.count, message, message.count, code.baseAddress)
            // It fails only where the library lacks SHA-256 or memory, and an unsigned message must not go out.
            precondition(isDone != 0, "OpenSSL cannot compute HMAC-SHA256")
            count = Int(COPENSSL_SHA256_BYTES)
        }
    }

    private static func areEqual(_ first: [UInt8], _ second: [UInt8]) -> Bool {
        // SAFETY: both arrays have as many bytes as are compared.
        first.count == second.count && copenssl_equal(first, second, first.count) != 0
    }
}

/// Why a message is not to be trusted.
package enum WebhookSignatureError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The timestamp is not a number.
    case timestamp
    /// The message is older than the tolerance, or was replayed.
    case tooOld(seconds: Int)
    /// The message is from the future.
    case tooNew(seconds: Int)
    /// The header has no signature of scheme `v1`.
    case noSignature
    /// No signature is right for any of the secrets.
    case mismatch

    /// What is wrong.
    package var description: String {
        switch self {
        case .timestamp: "webhook-timestamp is not a number of seconds"
        case .tooOld(let seconds): "webhook-timestamp is \(seconds) s old"
        case .tooNew(let seconds): "webhook-timestamp is \(seconds) s ahead"
        case .noSignature: "webhook-signature has no signature that begins with 'v1,'"
        case .mismatch: "webhook-signature is not right for the secret"
        }
    }
}
