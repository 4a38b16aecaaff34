/// A secret that a hook's messages are signed with: `whsec_` and 24 to 64 bytes in base64 (Standard Webhooks 1.0).
///
/// It is not printed by accident: its description shows the last four characters only. `text` is the whole.
package struct HookSecret: Hashable, Sendable {
    /// How many bytes a key may have.
    package static let lengths = 24...64

    private static let prefix = "whsec_"
    private static let ellipsis = "…"

    /// The key's bytes.
    package let key: [UInt8]

    /// Reads a secret; the prefix may be missing, as the reference implementations allow.
    package init(_ text: String) throws(HookSecretFault) {
        let encoded = text.hasPrefix(Self.prefix) ? text.dropFirst(Self.prefix.count) : text[...]
        guard let key = Base64.decode(encoded) else { throw .encoding }
        guard Self.lengths.contains(key.count) else { throw .length(key.count) }
        self.key = key
    }

    private init(key: [UInt8]) {
        self.key = key
    }

    /// Makes a secret of 24 bytes from the system's source of randomness.
    package static func random() -> HookSecret {
        var generator = SystemRandomNumberGenerator()
        return HookSecret(key: (0..<24).map { _ in UInt8.random(in: .min ... .max, using: &generator) })
    }

    /// The secret as a receiver is given it.
    package var text: String { Self.prefix + Base64.encode(key) }

    /// The secret in its masked form: `whsec_…` and the last four characters.
    package var masked: String { Self.prefix + Self.ellipsis + text.suffix(4) }

    /// Whether a text has the form of a secret that is masked.
    static func isMasked(_ text: String) -> Bool {
        text.hasPrefix(prefix + ellipsis)
    }
}

extension HookSecret: CustomStringConvertible, CustomDebugStringConvertible {
    /// The masked form, by which its owner knows it.
    package var description: String { masked }

    /// The same as the description.
    package var debugDescription: String { masked }
}

/// Why a text is not a secret. It does not carry the text.
package enum HookSecretFault: Error, Hashable, Sendable, CustomStringConvertible {
    /// The text after the prefix is not base64.
    case encoding
    /// The key has so many bytes.
    case length(Int)

    /// The fault, as a sentence goes on after "the secret".
    package var description: String {
        switch self {
        case .encoding: "has to be 'whsec_' and base64 with its padding"
        case .length(let count):
            "has \(count) bytes; it has to have \(HookSecret.lengths.lowerBound) to \(HookSecret.lengths.upperBound)"
        }
    }
}
