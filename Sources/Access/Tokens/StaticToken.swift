/// The text of a static token: `cbt_`, thirty random letters and digits, and a checksum of six.
///
/// The prefix and the checksum let scanners recognize a leaked token. The checksum also lets the server tell a mistyped
/// token from an unknown one. The shape is that of GitHub's tokens.
package struct StaticToken: Hashable, Sendable {
    /// What every token begins with.
    package static let prefix = "cbt_"
    /// The characters of a token, prefix included.
    package static let length = 40

    /// The token's text: a secret.
    package let text: String

    private static let alphabet = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz".utf8)
    private static let checksumLength = 6

    /// Makes a token that nobody knows; the system's generator is cryptographically secure.
    package static func random() -> StaticToken {
        var generator = SystemRandomNumberGenerator()
        var bytes = Array(prefix.utf8)
        for _ in 0..<(length - prefix.utf8.count - checksumLength) {
            bytes.append(alphabet[Int.random(in: alphabet.indices, using: &generator)])
        }
        return StaticToken(unchecked: bytes + checksum(of: bytes))
    }

    private init(unchecked bytes: [UInt8]) {
        text = String(decoding: bytes, as: UTF8.self)
    }

    /// Reads a token.
    ///
    /// - Throws: ``StaticTokenError`` where its length, a character or the checksum is wrong.
    package init(_ text: some StringProtocol) throws(StaticTokenError) {
        let bytes = Array(text.utf8)
        guard text.hasPrefix(Self.prefix) else { throw .prefix }
        guard bytes.count == Self.length else { throw .length(bytes.count) }
        guard bytes.dropFirst(Self.prefix.utf8.count).allSatisfy(Self.alphabet.contains) else { throw .character }
        let split = bytes.count - Self.checksumLength
        guard Array(bytes[split...]) == Self.checksum(of: bytes[..<split]) else { throw .checksum }
        self.init(unchecked: bytes)
    }

    /// The stored form of the token.
    package var digest: TokenDigest { TokenDigest(of: text) }

    /// CRC-32 (ISO 3309) in the alphabet's digits, the most significant one first.
    private static func checksum(of bytes: some Sequence<UInt8>) -> [UInt8] {
        var rest = crc32(of: bytes)
        var digits: [UInt8] = []
        for _ in 0..<checksumLength {
            digits.append(alphabet[Int(rest) % alphabet.count])
            rest /= UInt32(alphabet.count)
        }
        return digits.reversed()
    }

    private static func crc32(of bytes: some Sequence<UInt8>) -> UInt32 {
        var crc = UInt32.max
        for byte in bytes {
            crc ^= UInt32(byte)
            for _ in 0..<8 { crc = crc & 1 == 1 ? crc >> 1 ^ 0xEDB8_8320 : crc >> 1 }
        }
        return ~crc
    }
}

/// Why a text is no static token.
package enum StaticTokenError: Error, Hashable, Sendable {
    /// It does not begin with `cbt_`.
    case prefix
    /// It has so many bytes.
    case length(Int)
    /// It has other characters than letters and digits.
    case character
    /// Its checksum is wrong: it was mistyped, or made up.
    case checksum
}

extension StaticTokenError: CustomStringConvertible {
    /// The token's fault, as a text that follows "the token".
    package var description: String {
        switch self {
        case .prefix: "does not begin with \(StaticToken.prefix)"
        case .length(let count): "has \(count) characters where there are \(StaticToken.length)"
        case .character: "has a character that is neither a letter nor a digit"
        case .checksum: "has a wrong checksum: it was not copied whole, or has been changed"
        }
    }
}
