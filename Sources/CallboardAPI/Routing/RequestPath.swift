/// A request target taken apart: decoded path segments and the undecoded query.
struct RequestPath: Sendable {
    /// The path's segments, percent-decoded one by one, so that an encoded slash stays inside its segment.
    let segments: [String]
    /// What follows the question mark, as received; empty where there is none.
    let query: Substring

    /// Takes a target apart that begins with a slash (RFC 9112, section 3.2.1).
    ///
    /// One pass over the bytes; a segment of up to 15 bytes costs no allocation.
    ///
    /// - Returns: `nil` where a percent sign is not followed by two hexadecimal digits, or the octets are not UTF-8.
    init?(target: String) {
        let bytes = target.utf8.span
        let mark = UInt8(ascii: "?")
        let slash = UInt8(ascii: "/")
        var segments: [String] = []
        segments.reserveCapacity(8)
        var start = bytes.count > 0 && bytes[0] == slash ? 1 : 0
        var end = start
        let isRoot = start == bytes.count
        var isEncoded = false
        while true {
            let byte = end < bytes.count ? bytes[end] : mark
            if byte == slash || byte == mark {
                guard let part = bytes.text(start..<end),
                    let segment = isEncoded ? PercentDecoding.decode(part[...]) : part
                else { return nil }
                if !isRoot { segments.append(segment) }
                if byte == mark { break }
                isEncoded = false
                start = end + 1
            } else if byte == UInt8(ascii: "%") {
                isEncoded = true
            }
            end += 1
        }
        self.segments = segments
        query = end + 1 < bytes.count ? Substring(target.utf8.dropFirst(end + 1)) : ""
    }
}

extension Span<UInt8> {
    /// The text of a range, which begins and ends between characters; `nil` where it is not UTF-8.
    fileprivate func text(_ range: Range<Int>) -> String? {
        guard let text = try? UTF8Span(validating: extracting(range)) else { return nil }
        return String(copying: text)
    }
}

/// Percent-decoding of path segments and query members (RFC 3986, section 2.1).
enum PercentDecoding {
    /// Decodes one segment; `plusIsSpace` follows the form encoding that browsers and curl use in a query.
    ///
    /// - Returns: `nil` for a broken escape or octets that are not UTF-8. Linear in the text's length.
    static func decode(_ text: Substring, plusIsSpace: Bool = false) -> String? {
        let percent = UInt8(ascii: "%")
        let plus = UInt8(ascii: "+")
        if !text.utf8.contains(where: { $0 == percent || (plusIsSpace && $0 == plus) }) { return String(text) }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count)
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            if byte == percent {
                guard let high = rest.popFirst().flatMap(hexValue), let low = rest.popFirst().flatMap(hexValue) else {
                    return nil
                }
                bytes.append(high << 4 | low)
            } else {
                bytes.append(plusIsSpace && byte == plus ? UInt8(ascii: " ") : byte)
            }
        }
        return String(validating: bytes, as: UTF8.self)
    }

    private static func hexValue(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
