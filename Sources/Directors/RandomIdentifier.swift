/// Identifiers for what comes without one.
package enum RandomIdentifier {
    /// A random UUID (RFC 9562, version 4) in its usual form.
    package static func uuid() -> String {
        var generator = SystemRandomNumberGenerator()
        let high = generator.next() & 0xFFFF_FFFF_FFFF_0FFF | 0x4000
        let low = generator.next() & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000
        let digits = hexadecimal(high) + hexadecimal(low)
        var text = ""
        for (position, digit) in digits.enumerated() {
            if [8, 12, 16, 20].contains(position) { text.append("-") }
            text.append(digit)
        }
        return text
    }

    private static func hexadecimal(_ value: UInt64) -> String {
        let digits = String(value, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}

/// The name of one life of a director: deleting and creating it again gives another.
package enum Epoch {
    private static let alphabet = Array("0123456789abcdefghijklmnopqrstuvwxyz".utf8)

    /// Ten random digits and small letters: 51 bits, so that two lives of one name do not meet.
    package static func random() -> String {
        String(decoding: (0..<10).map { _ in alphabet[Int.random(in: 0..<alphabet.count)] }, as: UTF8.self)
    }

    /// True for what ``random()`` could have made or a future server might: it never holds `-` or `.`.
    package static func isWellFormed(_ text: Substring) -> Bool {
        !text.isEmpty && text.utf8.count <= 32 && text.utf8.allSatisfy(alphabet.contains)
    }
}
