/// Percent-encoding of path segments and query members (RFC 3986, section 2.1).
package enum PercentEncoding {
    /// Encodes every byte of a text but the unreserved characters (section 2.3).
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - others: Characters of ASCII that stay as they are too, where their place in the address allows that.
    /// - Complexity: O(*n*) in the length of the text.
    package static func encode(_ text: String, keeping others: String = "") -> String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count)
        for byte in text.utf8 {
            if isUnreserved(byte) || others.utf8.contains(byte) {
                bytes.append(byte)
            } else {
                bytes += [UInt8(ascii: "%"), Hexadecimal.digit(byte >> 4), Hexadecimal.digit(byte & 15)]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Decodes a text; `plusIsSpace` follows the form encoding that browsers and curl use in a query.
    ///
    /// - Returns: Nil for a broken escape or octets that are not UTF-8.
    /// - Complexity: O(*n*) in the length of the text.
    package static func decode(_ text: Substring, plusIsSpace: Bool = false) -> String? {
        let percent = UInt8(ascii: "%")
        let plus = UInt8(ascii: "+")
        if !text.utf8.contains(where: { $0 == percent || (plusIsSpace && $0 == plus) }) { return String(text) }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count)
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            if byte == percent {
                guard let high = rest.popFirst().flatMap(Hexadecimal.value),
                    let low = rest.popFirst().flatMap(Hexadecimal.value)
                else { return nil }
                bytes.append(high << 4 | low)
            } else {
                bytes.append(plusIsSpace && byte == plus ? UInt8(ascii: " ") : byte)
            }
        }
        return String(validUTF8: bytes)
    }

    private static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
            UInt8(ascii: "~"):
            true
        default: false
        }
    }
}
