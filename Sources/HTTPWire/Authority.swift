import Notation

/// Checks `host [":" port]` (RFC 9110, section 7.2; RFC 3986, section 3.2).
enum Authority {
    /// Whether a range holds a host and, if it likes, a port; an empty range is not one.
    ///
    /// User information is not part of the grammar here, so a `@` is refused (RFC 9110, section 4.2.4).
    static func isValid(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Bool {
        guard let hostEnd = endOfHost(bytes, range), hostEnd > range.lowerBound else { return false }
        guard hostEnd < range.upperBound else { return true }
        return bytes[hostEnd] == UInt8(ascii: ":") && isPort(bytes, hostEnd + 1..<range.upperBound)
    }

    private static func endOfHost(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Int? {
        guard !range.isEmpty else { return nil }
        if bytes[range.lowerBound] == UInt8(ascii: "[") { return endOfAddress(bytes, range) }
        var index = range.lowerBound
        while index < range.upperBound {
            let byte = bytes[index]
            if ByteClass.isRegisteredName(byte) {
                index += 1
            } else if byte == UInt8(ascii: "%") {
                guard isEncoded(bytes, at: index, end: range.upperBound) else { return nil }
                index += 3
            } else {
                break
            }
        }
        return index
    }

    /// The end of an address in brackets: hexadecimal digits, colons and dots, with two colons at least.
    ///
    /// IPvFuture is refused, as no such address exists, and so are zones, which mean nothing to a server.
    private static func endOfAddress(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Int? {
        var colons = 0
        var index = range.lowerBound + 1
        while index < range.upperBound {
            let byte = bytes[index]
            if byte == UInt8(ascii: "]") { return colons >= 2 ? index + 1 : nil }
            if byte == UInt8(ascii: ":") {
                colons += 1
            } else if byte != UInt8(ascii: "."), Hexadecimal.value(byte) == nil {
                return nil
            }
            index += 1
        }
        return nil
    }

    /// An empty port is in the grammar and stands for the scheme's own.
    private static func isPort(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Bool {
        guard range.count <= 5 else { return false }
        var port = 0
        for index in range {
            guard ByteClass.isDigit(bytes[index]) else { return false }
            port = port * 10 + Int(bytes[index] - UInt8(ascii: "0"))
        }
        return port <= 65_535
    }

    /// Whether `%` and two hexadecimal digits begin at an index.
    static func isEncoded(_ bytes: Span<UInt8>, at index: Int, end: Int) -> Bool {
        index + 2 < end && Hexadecimal.value(bytes[index + 1]) != nil
            && Hexadecimal.value(bytes[index + 2]) != nil
    }
}
