/// A secret that a hook's messages are signed with: `whsec_` and 24 to 64 bytes in base64 (Standard Webhooks 1.0).
///
/// It is not printed by accident: its description shows the last four characters only. `text` is the whole.
package struct WebhookSecret: Hashable, Sendable {
    /// How many bytes a key may have.
    package static let keyLengths = 24...64
    private static let prefix = "whsec_"

    /// The key's bytes.
    let key: [UInt8]

    /// Reads a secret; the prefix may be missing, as the reference implementations allow.
    package init(_ text: String) throws(WebhookSecretError) {
        let encoded = text.hasPrefix(Self.prefix) ? text.dropFirst(Self.prefix.count) : text[...]
        guard let key = Base64.decode(encoded) else { throw .encoding }
        guard Self.keyLengths.contains(key.count) else { throw .length(key.count) }
        self.key = key
    }

    private init(key: [UInt8]) {
        self.key = key
    }

    /// Makes a secret of 24 bytes from the system's source of randomness.
    package static func generate() -> WebhookSecret {
        var generator = SystemRandomNumberGenerator()
        return WebhookSecret(key: (0..<24).map { _ in UInt8.random(in: .min ... .max, using: &generator) })
    }

    /// The secret as a receiver is given it.
    package var text: String { Self.prefix + Base64.encode(key) }
}

extension WebhookSecret: CustomStringConvertible, CustomDebugStringConvertible {
    /// `whsec_…` and the last four characters, by which its owner knows it.
    package var description: String { "\(Self.prefix)…\(text.suffix(4))" }

    /// The same as the description.
    package var debugDescription: String { description }
}

/// Why a text is not a secret. It does not carry the text.
package enum WebhookSecretError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What follows the prefix is not base64.
    case encoding
    /// The key has so many bytes.
    case length(Int)

    /// What is wrong, as a sentence goes on after "the secret".
    package var description: String {
        switch self {
        case .encoding: "has to be 'whsec_' and base64 with its padding"
        case .length(let count): "has \(count) bytes; it has to have 24 to 64"
        }
    }
}
