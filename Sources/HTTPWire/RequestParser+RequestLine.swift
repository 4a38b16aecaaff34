internal import HTTPTypes

extension RequestParser {
    /// The longest method; RFC 9112, section 3, wants a longer one answered 501.
    private static var maxMethod: Int { 32 }

    /// Two spaces and the version.
    private static var versionPart: Int { 10 }

    /// Reads `method SP target SP version` (RFC 9112, section 3).
    ///
    /// - Returns: Whether the line had arrived.
    mutating func readRequestLine(_ bytes: Span<UInt8>, _ cursor: inout Int) throws(WireError) -> Bool {
        let start = cursor
        let limit = limits.maxTarget + Self.maxMethod + Self.versionPart
        guard let end = try endOfLine(bytes, start, limit: limit, else: { $0.overlongLine(bytes, start) }) else {
            return false
        }
        let methodEnd = try readMethod(bytes, start..<end)
        let targetEnd = try endOfTarget(bytes, methodEnd + 1..<end)
        try readVersion(bytes, targetEnd + 1..<end)
        try readTarget(bytes, methodEnd + 1..<targetEnd)
        headSize = end + 2 - start
        cursor = end + 2
        phase = .fields
        return true
    }

    /// The error for a line that is too long to be read: its target's fault, unless no target has begun.
    private func overlongLine(_ bytes: Span<UInt8>, _ start: Int) -> WireError {
        for index in start..<min(start + Self.maxMethod + 1, bytes.count) where bytes[index] == UInt8(ascii: " ") {
            return overlongTarget
        }
        return Self.overlongMethod
    }

    private static var overlongMethod: WireError {
        WireError(.notImplemented, "The method is longer than any known one.")
    }

    private var overlongTarget: WireError { limits.overlongTarget }

    /// The error for CONNECT.
    static var connectIsNotServed: WireError {
        WireError(.notImplemented, "This is not a proxy: CONNECT is not served.")
    }

    private static var malformedLine: WireError {
        WireError(.badRequest, "The request line is not a method, a target and a version with one space between each.")
    }

    /// Reads the method and finds the space after it.
    private mutating func readMethod(_ bytes: Span<UInt8>, _ line: Range<Int>) throws(WireError) -> Int {
        var index = line.lowerBound
        while index < line.upperBound, ByteClass.isToken(bytes[index]) { index += 1 }
        guard index < line.upperBound, index > line.lowerBound else { throw Self.malformedLine }
        guard bytes[index] == UInt8(ascii: " ") else {
            throw WireError(.badRequest, "The method has a character that no method can have.")
        }
        requestMethod = try Self.checkedMethod(bytes, line.lowerBound..<index)
        return index
    }

    /// The method in a range of token characters, unless it is longer than any known one.
    static func checkedMethod(_ bytes: Span<UInt8>, _ range: Range<Int>) throws(WireError) -> HTTPRequest.Method? {
        guard range.count <= maxMethod else { throw overlongMethod }
        return method(bytes, range)
    }

    /// The method in a range of token characters; the common ones without making a string.
    private static func method(_ bytes: Span<UInt8>, _ range: Range<Int>) -> HTTPRequest.Method? {
        // Up to eight characters, packed into one word.
        if range.count <= 8 {
            var word: UInt64 = 0
            for index in range { word = word << 8 | UInt64(bytes[index]) }
            switch word {
            case 0x0047_4554: return .get
            case 0x4845_4144: return .head
            case 0x504f_5354: return .post
            case 0x0050_5554: return .put
            case 0x50_4154_4348: return .patch
            case 0x4445_4c45_5445: return .delete
            case 0x4f_5054_494f_4e53: return .options
            default: break
            }
        }
        return bytes.text(range).flatMap { HTTPRequest.Method($0) }
    }

    /// Checks the target's characters and finds the space after it.
    private func endOfTarget(_ bytes: Span<UInt8>, _ line: Range<Int>) throws(WireError) -> Int {
        let index = try Self.scanTarget(bytes, line)
        guard index < line.upperBound, index > line.lowerBound else { throw Self.malformedLine }
        guard index - line.lowerBound <= limits.maxTarget else { throw overlongTarget }
        return index
    }

    /// Checks characters of a target up to a space, and returns where that is; the range's end where there is none.
    static func scanTarget(_ bytes: Span<UInt8>, _ range: Range<Int>) throws(WireError) -> Int {
        var index = range.lowerBound
        while index < range.upperBound {
            let byte = bytes[index]
            if ByteClass.isTarget(byte) {
                index += 1
            } else if byte == UInt8(ascii: " ") {
                break
            } else if byte == UInt8(ascii: "%") {
                guard Authority.isEncoded(bytes, at: index, end: range.upperBound) else {
                    throw WireError(.badRequest, "The request target has a % without two hexadecimal digits after it.")
                }
                index += 3
            } else {
                throw WireError(.badRequest, "The request target has a character that must be percent-encoded.")
            }
        }
        return index
    }

    /// Reads `HTTP/1.x` (RFC 9112, section 2.3); a later minor version is taken for 1.1 (RFC 9110, section 6.2).
    private mutating func readVersion(_ bytes: Span<UInt8>, _ range: Range<Int>) throws(WireError) {
        let start = range.lowerBound
        guard range.count == 8, bytes[start] == UInt8(ascii: "H"), bytes[start + 1] == UInt8(ascii: "T"),
            bytes[start + 2] == UInt8(ascii: "T"), bytes[start + 3] == UInt8(ascii: "P"),
            bytes[start + 4] == UInt8(ascii: "/"), ByteClass.isDigit(bytes[start + 5]),
            bytes[start + 6] == UInt8(ascii: "."), ByteClass.isDigit(bytes[start + 7])
        else { throw Self.malformedLine }
        guard bytes[start + 5] == UInt8(ascii: "1") else {
            throw WireError(.httpVersionNotSupported, "The versions spoken here are HTTP/1.1 and HTTP/1.0.")
        }
        minorVersion = bytes[start + 7] == UInt8(ascii: "0") ? 0 : 1
    }

    /// Takes the target apart by its form (RFC 9112, section 3.2).
    private mutating func readTarget(_ bytes: Span<UInt8>, _ range: Range<Int>) throws(WireError) {
        let first = bytes[range.lowerBound]
        if requestMethod == .connect {
            throw Self.connectIsNotServed
        }
        if first == UInt8(ascii: "/") {
            target = try text(bytes, range)
        } else if first == UInt8(ascii: "*"), range.count == 1 {
            guard requestMethod == .options else {
                throw WireError(.badRequest, "The request target * is for OPTIONS only.")
            }
            target = "*"
        } else {
            try readAbsoluteTarget(bytes, range)
        }
    }

    /// Reads `http://authority/path?query`; what it names overrides Host (RFC 9112, section 3.2.2).
    private mutating func readAbsoluteTarget(_ bytes: Span<UInt8>, _ range: Range<Int>) throws(WireError) {
        guard let start = Self.endOfScheme(bytes, range) else {
            throw WireError(.badRequest, "The request target is neither a path nor an http address.")
        }
        var end = start
        while end < range.upperBound, bytes[end] != UInt8(ascii: "/"), bytes[end] != UInt8(ascii: "?") { end += 1 }
        // A host is required in an http address (RFC 9110, section 4.2.1), and so is a check that ":80" is none.
        guard Authority.isValid(bytes, start..<end) else {
            throw WireError(.badRequest, "The request target's authority is not a host with an optional port.")
        }
        authority = try text(bytes, start..<end)
        if end == range.upperBound {
            // RFC 9112, section 3.2.4: a proxy turns OPTIONS with an empty path into an asterisk.
            target = requestMethod == .options ? "*" : "/"
        } else if bytes[end] == UInt8(ascii: "?") {
            target = "/" + (try text(bytes, end..<range.upperBound))
        } else {
            target = try text(bytes, end..<range.upperBound)
        }
    }

    private static func endOfScheme(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Int? {
        let start = range.lowerBound
        if range.count >= 7, bytes.equals("http://", ignoringCaseIn: start..<start + 7) { return start + 7 }
        if range.count >= 8, bytes.equals("https://", ignoringCaseIn: start..<start + 8) { return start + 8 }
        return nil
    }

    private func text(_ bytes: Span<UInt8>, _ range: Range<Int>) throws(WireError) -> String {
        guard let text = bytes.text(range) else { throw Self.malformedLine }
        return text
    }
}

extension WireLimits {
    /// The error for a target that is too long.
    var overlongTarget: WireError {
        WireError(.uriTooLong, "The request target is longer than the limit of \(maxTarget) bytes.")
    }
}
