import Notation

extension RequestParser {
    /// The most digits of a chunk's size; leading zeros count.
    private static var maxSizeDigits: Int { 16 }

    /// Gets ready for chunked content.
    mutating func beginChunks() {
        phase = .chunkSize
        bodySize = 0
        extensionsSize = 0
        trailersSize = 0
        trailerCount = 0
    }

    /// Bounds the content of the request that is being read more tightly; what is announced already is the caller's to see.
    mutating func limitContent(to limit: Int) {
        bodyLimit = min(bodyLimit, limit)
    }

    /// Reads `chunk-size [chunk-ext] CRLF` (RFC 9112, section 7.1).
    ///
    /// - Returns: Whether the line had arrived.
    mutating func readChunkSize(_ bytes: Span<UInt8>, _ cursor: inout Int) throws(WireError) -> Bool {
        let start = cursor
        let limit = Self.maxSizeDigits + limits.maxChunkExtensions - extensionsSize
        guard let end = try endOfLine(bytes, start, limit: limit, else: { $0.overlongExtensions }) else { return false }
        let (size, digitsEnd) = try readSize(bytes, start..<end)
        try checkExtensions(bytes, digitsEnd..<end)
        extensionsSize += end - digitsEnd
        guard extensionsSize <= limits.maxChunkExtensions else { throw overlongExtensions }
        guard size <= bodyLimit - bodySize else { throw .tooMuchContent(bodyLimit) }
        bodySize += size
        cursor = end + 2
        phase = size > 0 ? .chunkData(remaining: size) : .trailers
        return true
    }

    private var overlongExtensions: WireError {
        WireError(
            .contentTooLarge,
            "The chunk sizes and extensions are longer than the limit of \(limits.maxChunkExtensions) bytes.")
    }

    private func readSize(
        _ bytes: Span<UInt8>, _ line: Range<Int>
    ) throws(WireError) -> (size: Int, end: Int) {
        var size: UInt64 = 0
        var index = line.lowerBound
        while index < line.upperBound, let digit = Hexadecimal.value(bytes[index]) {
            guard index - line.lowerBound < Self.maxSizeDigits else {
                throw WireError(.badRequest, "A chunk size has more than \(Self.maxSizeDigits) digits.")
            }
            size = size << 4 | UInt64(digit)
            index += 1
        }
        guard index > line.lowerBound else {
            throw WireError(.badRequest, "A chunk size is not a hexadecimal number.")
        }
        return (Int(clamping: size), index)
    }

    /// Checks `*( BWS ";" BWS name [ BWS "=" BWS value ] )` (RFC 9112, section 7.1.1); what they say is ignored.
    private func checkExtensions(_ bytes: Span<UInt8>, _ range: Range<Int>) throws(WireError) {
        var index = range.lowerBound
        while index < range.upperBound {
            guard let next = Self.endOfExtension(bytes, index..<range.upperBound) else {
                throw WireError(.badRequest, "The text after a chunk size is not a chunk extension.")
            }
            index = next
        }
    }

    private static func endOfExtension(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Int? {
        let end = range.upperBound
        var index = skipWhitespace(bytes, range)
        guard index < end, bytes[index] == UInt8(ascii: ";") else { return nil }
        index = skipWhitespace(bytes, index + 1..<end)
        guard let nameEnd = endOfToken(bytes, index..<end) else { return nil }
        index = skipWhitespace(bytes, nameEnd..<end)
        guard index < end, bytes[index] == UInt8(ascii: "=") else { return nameEnd }
        index = skipWhitespace(bytes, index + 1..<end)
        guard index < end else { return nil }
        return bytes[index] == UInt8(ascii: "\"")
            ? endOfQuotedString(bytes, index..<end) : endOfToken(bytes, index..<end)
    }

    private static func skipWhitespace(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Int {
        var index = range.lowerBound
        while index < range.upperBound, ByteClass.isWhitespace(bytes[index]) { index += 1 }
        return index
    }

    private static func endOfToken(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Int? {
        var index = range.lowerBound
        while index < range.upperBound, ByteClass.isToken(bytes[index]) { index += 1 }
        return index > range.lowerBound ? index : nil
    }

    /// The position after the closing quote (RFC 9110, section 5.6.4); controls are out already.
    private static func endOfQuotedString(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Int? {
        var index = range.lowerBound + 1
        while index < range.upperBound {
            if bytes[index] == UInt8(ascii: "\"") { return index + 1 }
            index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1
        }
        return nil
    }

    /// Reads the CR LF after a chunk's data.
    ///
    /// - Returns: Whether both had arrived.
    mutating func readChunkEnd(_ bytes: Span<UInt8>, _ cursor: inout Int) throws(WireError) -> Bool {
        guard cursor < bytes.count else { return false }
        if bytes[cursor] == UInt8(ascii: "\r") {
            guard cursor + 1 < bytes.count else { return false }
            if bytes[cursor + 1] == UInt8(ascii: "\n") {
                cursor += 2
                phase = .chunkSize
                return true
            }
        }
        throw WireError(.badRequest, "A chunk's data is not followed by a line end: its size is wrong.")
    }

    /// Reads and drops trailer lines up to the empty line that ends the request (RFC 9112, section 7.1.2).
    ///
    /// - Returns: Whether the empty line had arrived.
    mutating func readTrailers(_ bytes: Span<UInt8>, _ cursor: inout Int) throws(WireError) -> Bool {
        while true {
            let start = cursor
            let limit = max(limits.maxTrailers - trailersSize - 2, 0)
            guard let end = try endOfLine(bytes, start, limit: limit, else: { $0.overlongTrailers }) else {
                return false
            }
            cursor = end + 2
            if end == start {
                phase = .complete
                return true
            }
            trailersSize += end + 2 - start
            trailerCount += 1
            guard trailersSize <= limits.maxTrailers, trailerCount <= limits.maxFields else { throw overlongTrailers }
            try checkTrailer(bytes, start..<end)
        }
    }

    private var overlongTrailers: WireError {
        WireError(
            .requestHeaderFieldsTooLarge,
            "The trailer section is larger than the limit of \(limits.maxTrailers) bytes or \(limits.maxFields) fields."
        )
    }

    private func checkTrailer(_ bytes: Span<UInt8>, _ line: Range<Int>) throws(WireError) {
        switch try readFieldName(bytes, line).known.map(fieldNames.role) {
        case .host, .contentLength, .transferEncoding:
            // They would contradict the head that they come after (RFC 9110, section 6.5.1).
            throw WireError(.badRequest, "The trailer section has a field that belongs in the head.")
        default:
            return
        }
    }
}
