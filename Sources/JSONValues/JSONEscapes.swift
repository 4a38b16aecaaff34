import Notation

/// The escapes of JSON strings (RFC 8259, section 7), read from text that the parser has accepted.
enum JSONEscapes {
    /// The bytes that a string's content, without its quotes, stands for.
    ///
    /// - Complexity: O(*n*) in the length of the content.
    static func decodedBytes(_ content: ArraySlice<UInt8>) -> [UInt8] {
        var decoded: [UInt8] = []
        decoded.reserveCapacity(content.count)
        var rest = content
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "\\"), let escape = rest.popFirst() else {
                decoded.append(byte)
                continue
            }
            switch escape {
            case UInt8(ascii: "b"): decoded.append(0x08)
            case UInt8(ascii: "f"): decoded.append(0x0C)
            case UInt8(ascii: "n"): decoded.append(0x0A)
            case UInt8(ascii: "r"): decoded.append(0x0D)
            case UInt8(ascii: "t"): decoded.append(0x09)
            case UInt8(ascii: "u"):
                decoded.append(contentsOf: UTF8.encode(scalar(&rest)) ?? UTF8.encodedReplacementCharacter)
            default: decoded.append(escape)
            }
        }
        return decoded
    }

    /// The string that the content stands for.
    static func decode(_ content: ArraySlice<UInt8>) -> String {
        String(decoding: decodedBytes(content), as: UTF8.self)
    }

    /// Reads what follows `\u`, and the other half where it is a surrogate.
    private static func scalar(_ rest: inout ArraySlice<UInt8>) -> Unicode.Scalar {
        let unit = codeUnit(&rest)
        guard 0xD800..<0xDC00 ~= unit else { return Unicode.Scalar(unit) ?? "\u{FFFD}" }
        rest = rest.dropFirst(2)
        let low = codeUnit(&rest)
        guard 0xDC00..<0xE000 ~= low else { return "\u{FFFD}" }
        return Unicode.Scalar(0x10000 + (unit - 0xD800) << 10 + (low - 0xDC00)) ?? "\u{FFFD}"
    }

    private static func codeUnit(_ rest: inout ArraySlice<UInt8>) -> UInt32 {
        var unit: UInt32 = 0
        for _ in 0..<4 {
            guard let digit = rest.popFirst() else { return 0xFFFD }
            unit = unit << 4 | UInt32(Hexadecimal.value(digit) ?? 0)
        }
        return unit
    }
}
