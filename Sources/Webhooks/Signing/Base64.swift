/// Base64 with padding, and nothing in between (RFC 4648, section 4).
enum Base64 {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    private static let padding = UInt8(ascii: "=")
    /// The value of each character, 255 for those that are none.
    private static let values: [UInt8] = {
        var values = [UInt8](repeating: 255, count: 256)
        for (value, character) in alphabet.enumerated() { values[Int(character)] = UInt8(value) }
        return values
    }()

    /// Writes bytes as text.
    static func encode(_ bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        text.reserveCapacity((bytes.count + 2) / 3 * 4)
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[start..<min(start + 3, bytes.count)]
            let bits = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
            for index in 0..<4 {
                text.append(index <= group.count ? alphabet[bits >> (18 - 6 * index) & 63] : padding)
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Reads text; nil where it is not what `encode` writes, so that a value has one spelling.
    static func decode(_ text: some StringProtocol) -> [UInt8]? {
        let characters = Array(text.utf8)
        let digits = characters.prefix { $0 != padding }
        let paddingCount = characters.count - digits.count
        guard characters.count % 4 == 0, paddingCount <= 2,
            characters.suffix(paddingCount).allSatisfy({ $0 == padding })
        else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(digits.count * 3 / 4)
        var (bits, width): (UInt32, Int) = (0, 0)
        for digit in digits {
            let value = values[Int(digit)]
            guard value != 255 else { return nil }
            bits = bits << 6 | UInt32(value)
            width += 6
            guard width >= 8 else { continue }
            width -= 8
            bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(width)))
        }
        // Bits that are left over have to be zero.
        return bits & (1 << UInt32(width) - 1) == 0 ? bytes : nil
    }
}
