/// Base64 in the URL-safe alphabet and without padding (RFC 4648, section 5; RFC 7515, section 2), in which a value has
/// one spelling.
package enum Base64URL {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

    /// Writes bytes as text.
    ///
    /// - Complexity: O(*n*) in the number of bytes.
    package static func encode(_ bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        text.reserveCapacity((bytes.count * 4 + 2) / 3)
        var (buffer, bits) = (0, 0)
        for byte in bytes {
            buffer = (buffer << 8 | Int(byte)) & 0xFFFF
            bits += 8
            while bits >= 6 {
                bits -= 6
                text.append(alphabet[buffer >> bits & 63])
            }
        }
        if bits > 0 { text.append(alphabet[buffer << (6 - bits) & 63]) }
        return String(decoding: text, as: UTF8.self)
    }

    /// Reads text; nil where it is not what ``encode(_:)`` writes.
    ///
    /// Padding, white space, other alphabets and trailing bits that are not zero (RFC 4648, section 3.5) are refused:
    /// with a second spelling, one token would have several texts.
    ///
    /// - Complexity: O(*n*) in the number of characters.
    package static func decode(_ text: some Collection<UInt8>) -> [UInt8]? {
        // Nearly every text is in contiguous memory, which is read several times as fast as any collection.
        if let bytes = text.withContiguousStorageIfAvailable({ decode(buffer: $0) }) { return bytes }
        return Array(text).withUnsafeBufferPointer { decode(buffer: $0) }
    }

    private static func decode(buffer text: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
        guard text.count % 4 != 1 else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count / 4 * 3 + 2)
        var (buffer, bits) = (0, 0)
        for character in text {
            guard let value = value(character) else { return nil }
            buffer = (buffer << 6 | value) & 0xFFFF
            bits += 6
            if bits >= 8 {
                bits -= 8
                bytes.append(UInt8(truncatingIfNeeded: buffer >> bits))
            }
        }
        return buffer & (1 << bits - 1) == 0 ? bytes : nil
    }

    private static func value(_ character: UInt8) -> Int? {
        switch character {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): Int(character - UInt8(ascii: "A"))
        case UInt8(ascii: "a")...UInt8(ascii: "z"): Int(character - UInt8(ascii: "a")) + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): Int(character - UInt8(ascii: "0")) + 52
        case UInt8(ascii: "-"): 62
        case UInt8(ascii: "_"): 63
        default: nil
        }
    }
}
