internal import HTTPTypes

extension RequestParser {
    /// Reads field lines up to the empty line that ends the head (RFC 9112, section 5).
    ///
    /// - Returns: The head, or nil if its end has not arrived.
    mutating func readFields(_ bytes: Span<UInt8>, _ cursor: inout Int) throws(WireError) -> RequestHead? {
        while true {
            // The line's own end counts as well.
            let limit = max(limits.maxHead - headSize - 2, 0)
            let start = cursor
            guard let end = try endOfLine(bytes, start, limit: limit, else: { $0.overlongHead }) else { return nil }
            if headSize + end + 2 - start > limits.maxHead { throw overlongHead }
            headSize += end + 2 - start
            cursor = end + 2
            if end == start { return try finishHead() }
            try readField(bytes, start..<end)
        }
    }

    private var overlongHead: WireError {
        WireError(
            .requestHeaderFieldsTooLarge, "The request's head is larger than the limit of \(limits.maxHead) bytes.")
    }

    private mutating func readField(_ bytes: Span<UInt8>, _ line: Range<Int>) throws(WireError) {
        fieldCount += 1
        guard fieldCount <= min(limits.maxFields, Self.maxFieldCount) else {
            throw WireError(
                .requestHeaderFieldsTooLarge, "The request has more fields than the limit of \(limits.maxFields).")
        }
        let (nameEnd, known) = try readFieldName(bytes, line)
        let value = bytes.trimming(nameEnd + 1..<line.upperBound)
        if let known {
            let role = fieldNames.role(known)
            if role != .other { try framing.note(role, bytes, value) }
            if role == .host {
                // The authority of an absolute target wins.
                authority = authority ?? bytes.text(value)
            } else {
                append(fieldNames.name(known), bytes, value)
            }
        } else if let name = bytes.text(line.lowerBound..<nameEnd).flatMap({ HTTPField.Name($0) }) {
            append(name, bytes, value)
        }
    }

    /// What `HTTPFields` can hold.
    static var maxFieldCount: Int { 65_000 }

    private mutating func append(_ name: HTTPField.Name, _ bytes: Span<UInt8>, _ value: Range<Int>) {
        if fields.isEmpty { fields.reserveCapacity(8) }
        if let text = bytes.text(value) {
            fields.append(HTTPField(name: name, value: text))
        } else {
            // Bytes above ASCII that are not UTF-8 are allowed and opaque (RFC 9110, section 5.5).
            fields.append(HTTPField(name: name, value: value.map { bytes[$0] }))
        }
    }

    /// Checks a field line's name and finds its colon.
    ///
    /// - Returns: The colon's position, and the name's number if it is a known one.
    func readFieldName(
        _ bytes: Span<UInt8>, _ line: Range<Int>
    ) throws(WireError) -> (end: Int, known: Int?) {
        var index = line.lowerBound
        var hash: UInt32 = 0
        while index < line.upperBound, ByteClass.isToken(bytes[index]) {
            hash = FieldNameTable.mix(hash, ByteClass.lowercased(bytes[index]))
            index += 1
        }
        guard index > line.lowerBound, index < line.upperBound, bytes[index] == UInt8(ascii: ":") else {
            throw Self.malformedName(bytes, line, at: index)
        }
        return (index, fieldNames.find(bytes, line.lowerBound..<index, hash: hash))
    }

    /// The error for a field line whose name does not run up to a colon.
    private static func malformedName(_ bytes: Span<UInt8>, _ line: Range<Int>, at index: Int) -> WireError {
        guard index < line.upperBound else {
            return WireError(.badRequest, "A field line has no colon.")
        }
        if ByteClass.isWhitespace(bytes[index]) {
            return index == line.lowerBound
                ? WireError(.badRequest, "A field line begins with white space; folded lines are not accepted.")
                : WireError(.badRequest, "A field line has white space in its name or before its colon.")
        }
        return bytes[index] == UInt8(ascii: ":")
            ? WireError(.badRequest, "A field line has no name.")
            : WireError(.badRequest, "A field name has a character that no field name can have.")
    }

    /// Makes the head of what was read and gets ready for its content.
    private mutating func finishHead() throws(WireError) -> RequestHead {
        if !framing.hasHost, minorVersion >= 1 {
            throw WireError(.badRequest, "Host: the field is missing, and HTTP/1.1 requires it.")
        }
        bodyLimit = limits.maxBody(requestMethod, target)
        let bodyFraming = try framing.bodyFraming(minorVersion: minorVersion, maxBody: bodyLimit)
        let expectsContinue = try framing.expectsContinue(minorVersion: minorVersion, bodyFraming)
        guard let method = requestMethod else {
            throw WireError(.badRequest, "The request has no method.")
        }
        keepAlive = framing.keepAlive(minorVersion: minorVersion)
        let head = RequestHead(
            method: method, target: target, authority: authority, minorVersion: minorVersion, fields: fields,
            keepAlive: keepAlive, expectsContinue: expectsContinue, bodyFraming: bodyFraming)
        beginBody(bodyFraming)
        return head
    }

    private mutating func beginBody(_ bodyFraming: BodyFraming) {
        // The head's storage now belongs to the caller alone.
        fields = HTTPFields()
        target = ""
        authority = nil
        framing = HeadFraming()
        fieldCount = 0
        switch bodyFraming {
        case .none: phase = .complete
        case .length(let length): phase = .fixedBody(remaining: length)
        case .chunked: beginChunks()
        }
    }
}
