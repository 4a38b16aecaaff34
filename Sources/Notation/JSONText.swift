/// JSON strings (RFC 8259, section 7).
package enum JSONText {
    /// Appends a text in quotes, with what has to be escaped escaped in its shortest form.
    ///
    /// - Complexity: O(*n*) in the length of the text.
    package static func appendQuoted(_ text: String, to bytes: inout [UInt8]) {
        let span = text.utf8.span
        bytes.append(UInt8(ascii: "\""))
        if needsEscape(span) { appendEscaped(text, to: &bytes) } else { bytes.append(span: span) }
        bytes.append(UInt8(ascii: "\""))
    }

    /// Whether some byte has to be escaped. Eight are looked at with one load while none of them has.
    private static func needsEscape(_ span: Span<UInt8>) -> Bool {
        let (ones, highBits): (UInt64, UInt64) = (0x0101_0101_0101_0101, 0x8080_8080_8080_8080)
        var index = 0
        while index + 8 <= span.count {
            // The load is checked against the span's bounds, and any bits are a number.
            let word = span.bytes.unsafeLoadUnaligned(fromByteOffset: index, as: UInt64.self)
            let (quotes, backslashes) = (word ^ (0x22 &* ones), word ^ (0x5C &* ones))
            let isControl = (word &- 0x20 &* ones) & ~word
            let isMark = (quotes &- ones) & ~quotes | (backslashes &- ones) & ~backslashes
            // A group may be named although the mark in it is a neighbour's borrow: the bytes themselves decide.
            if (isControl | isMark) & highBits != 0, (index..<index + 8).contains(where: { needsEscape(span[$0]) }) {
                return true
            }
            index += 8
        }
        while index < span.count {
            if needsEscape(span[index]) { return true }
            index += 1
        }
        return false
    }

    private static func needsEscape(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
    }

    private static func appendEscaped(_ text: String, to bytes: inout [UInt8]) {
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes += [UInt8(ascii: "\\"), byte]
            case 0x08: bytes += "\\b".utf8
            case 0x0C: bytes += "\\f".utf8
            case 0x0A: bytes += "\\n".utf8
            case 0x0D: bytes += "\\r".utf8
            case 0x09: bytes += "\\t".utf8
            case 0..<0x20: bytes += ("\\u00" + (byte < 0x10 ? "0" : "") + String(byte, radix: 16)).utf8
            default: bytes.append(byte)
            }
        }
    }
}
