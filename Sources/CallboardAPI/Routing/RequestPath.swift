import Notation

/// A request target taken apart: decoded path segments and the undecoded query.
struct RequestPath: Sendable {
    /// The path's segments, percent-decoded one by one, so that an encoded slash stays inside its segment.
    let segments: [String]
    /// The query without the question mark, as received; empty without one.
    let query: Substring
    /// Whether a segment has a percent-encoded octet.
    let hasEscapes: Bool

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
        var hasEscapes = false
        while true {
            let byte = end < bytes.count ? bytes[end] : mark
            if byte == slash || byte == mark {
                guard let part = bytes.text(start..<end),
                    let segment = isEncoded ? PercentEncoding.decode(part[...]) : part
                else { return nil }
                if !isRoot { segments.append(segment) }
                if byte == mark { break }
                isEncoded = false
                start = end + 1
            } else if byte == UInt8(ascii: "%") {
                isEncoded = true
                hasEscapes = true
            }
            end += 1
        }
        self.segments = segments
        self.hasEscapes = hasEscapes
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
