/// A key that deliveries to a hook's target are signed with, in the form of Standard Webhooks: `whsec_` and base64.
package struct HookSecret: Hashable, Sendable {
    /// The lengths that a key may have, in bytes.
    package static let lengths = 24...64

    private static let prefix = "whsec_"
    private static let ellipsis = "…"

    /// The secret as it is written.
    package let text: String

    /// The key.
    package let key: [UInt8]

    /// Reads a secret; nil for anything but `whsec_` and the base64 form of 24 to 64 bytes, padded.
    package init?(_ text: String) {
        guard text.hasPrefix(HookSecret.prefix),
            let key = Base64.decode(text.utf8.dropFirst(HookSecret.prefix.utf8.count)),
            HookSecret.lengths.contains(key.count)
        else { return nil }
        self.text = text
        self.key = key
    }

    private init(key: [UInt8]) {
        text = HookSecret.prefix + Base64.encode(key)
        self.key = key
    }

    /// Makes a secret of 24 random bytes.
    package static func random() -> HookSecret {
        var generator = SystemRandomNumberGenerator()
        return HookSecret(key: (0..<24).map { _ in UInt8.random(in: .min ... .max, using: &generator) })
    }

    /// The secret as it is shown to those who need not know it: `whsec_…` and the last four characters.
    package var masked: String {
        HookSecret.prefix + HookSecret.ellipsis + text.suffix(4)
    }

    /// Whether a text has the form of a secret that is masked.
    static func isMasked(_ text: String) -> Bool {
        text.hasPrefix(prefix + ellipsis)
    }
}

extension HookSecret: CustomStringConvertible {
    /// The masked form, so that no log tells a secret.
    package var description: String {
        masked
    }
}

/// Base64 (RFC 4648, section 4), padded.
enum Base64 {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    static func encode(_ bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[start..<min(start + 3, bytes.count)]
            let padded = Array(group) + Array(repeating: 0, count: 3 - group.count)
            let bits = padded.reduce(0) { $0 << 8 | Int($1) }
            for place in 0..<4 {
                text.append(place > group.count ? UInt8(ascii: "=") : alphabet[bits >> (18 - 6 * place) & 63])
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// The bytes; nil for a text that ``encode(_:)`` would have written in another way.
    static func decode(_ text: some Collection<UInt8>) -> [UInt8]? {
        let digits = text.prefix { $0 != UInt8(ascii: "=") }
        var bytes: [UInt8] = []
        var bits = 0
        var count = 0
        for digit in digits {
            guard let value = alphabet.firstIndex(of: digit) else { return nil }
            bits = (bits << 6 | value) & 0xFFFF
            count += 6
            guard count >= 8 else { continue }
            count -= 8
            bytes.append(UInt8(truncatingIfNeeded: bits >> count))
        }
        return encode(bytes).utf8.elementsEqual(text) ? bytes : nil
    }
}
