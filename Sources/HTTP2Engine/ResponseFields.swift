internal import CNGHTTP2
internal import HTTPTypes
internal import HTTPWire

/// Writes a response's fields in the form that nghttp2 takes, to memory that is used again.
struct ResponseFields {
    private var text: [UInt8] = []
    private var ends: [(name: Int, value: Int)] = []
    private var lines: [nghttp2_nv] = []

    /// Takes the fields of a response in: `:status`, Date, Content-Length where it is known, and the author's.
    ///
    /// Fields that belong to a connection (RFC 9113, section 8.2.2) and those that are the machine's to write are left out.
    mutating func write(_ head: ResponseHead, contentLength: Int?, date: HTTPDate?) {
        text.removeAll(keepingCapacity: text.capacity <= 4096)
        ends.removeAll(keepingCapacity: text.capacity <= 4096)
        text.append(contentsOf: ":status".utf8)
        finishName()
        appendDecimal(min(max(head.status.code, 100), 999))
        finishValue()
        if let date {
            text.append(contentsOf: "date".utf8)
            finishName()
            // Without the name in front and the line's end.
            text.append(contentsOf: date.line.dropFirst(6).dropLast(2))
            finishValue()
        }
        if let contentLength {
            text.append(contentsOf: "content-length".utf8)
            finishName()
            appendDecimal(contentLength)
            finishValue()
        }
        if head.forbidsSniffing {
            text.append(contentsOf: "x-content-type-options".utf8)
            finishName()
            text.append(contentsOf: "nosniff".utf8)
            finishValue()
        }
        for field in head.fields where !Self.isReserved(field.name.canonicalName) {
            text.append(contentsOf: field.name.canonicalName.utf8)
            finishName()
            appendSafely(field.value)
            finishValue()
        }
    }

    /// Calls a function with the fields, which are valid within the call only.
    mutating func withLines<Result>(_ body: (UnsafePointer<nghttp2_nv>?, Int) -> Result) -> Result {
        text.withUnsafeMutableBufferPointer { bytes in
            // SAFETY: the offsets are within the text, which does not move before nghttp2 has copied it.
            guard let base = bytes.baseAddress else { return body(nil, 0) }
            var start = 0
            lines.removeAll(keepingCapacity: true)
            for end in ends {
                lines.append(
                    nghttp2_nv(
                        name: base + start, value: base + end.name, namelen: end.name - start,
                        valuelen: end.value - end.name, flags: 0))
                start = end.value
            }
            return lines.withUnsafeBufferPointer { body($0.baseAddress, $0.count) }
        }
    }

    private mutating func finishName() {
        ends.append((text.count, text.count))
    }

    private mutating func finishValue() {
        ends[ends.count - 1].value = text.count
    }

    private mutating func appendDecimal(_ number: Int) {
        text.append(contentsOf: String(number).utf8)
    }

    /// Appends a value without white space at its ends; bytes that no value may have become spaces.
    private mutating func appendSafely(_ value: String) {
        let start = text.count
        text.append(contentsOf: value.utf8)
        for index in start..<text.count where text[index] < 0x20 && text[index] != 0x09 || text[index] == 0x7f {
            text[index] = 0x20
        }
        while text.count > start, let last = text.last, last == 0x20 || last == 0x09 { text.removeLast() }
        var first = start
        while first < text.count, text[first] == 0x20 || text[first] == 0x09 { first += 1 }
        if first > start { text.removeSubrange(start..<first) }
    }

    private static func isReserved(_ name: String) -> Bool {
        switch name {
        case "connection", "content-length", "date", "keep-alive", "proxy-connection", "transfer-encoding", "upgrade":
            true
        default: false
        }
    }
}
