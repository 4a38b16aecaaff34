/// One block of an event stream as a server writes it (WHATWG HTML, section 9.2, server-sent events).
///
/// Its lines go out in the order event, data, retry, id, so that the id can be replaced at the end without touching
/// what is before it. A block with no data makes a client remember id and retry and dispatch nothing.
package struct ServerSentEvent: Sendable, Hashable {
    /// The event's name; a client takes nil for `message`.
    package var event: String?

    /// What the event carries, UTF-8; each of its lines becomes a `data:` line.
    package var data: [UInt8]?

    /// What a client sends back as `Last-Event-ID` after it has lost the connection.
    package var id: String?

    /// How long a client waits before it reconnects; whole milliseconds are kept.
    package var retry: Duration?

    /// A line that clients ignore, to keep a connection from looking dead.
    package var comment: String?

    /// Creates a block; with nothing in it, nothing is written.
    package init(
        event: String? = nil, data: [UInt8]? = nil, id: String? = nil, retry: Duration? = nil, comment: String? = nil
    ) {
        self.event = event
        self.data = data
        self.id = id
        self.retry = retry
        self.comment = comment
    }

    /// Appends the block with its empty line at the end.
    ///
    /// CR, LF and NUL in ``event`` and ``id`` are left out, since they would end the line or make a client drop the
    /// id. Complexity: O(*n*), *n* being the bytes written.
    package func append(to out: inout [UInt8]) {
        let start = out.count
        appendBody(to: &out)
        if let id { Self.appendID(id, to: &out) }
        if out.count > start { out.append(Self.lineFeed) }
    }

    /// Appends all lines but the id and the empty line.
    func appendBody(to out: inout [UInt8]) {
        if let comment { Self.appendLines(comment.utf8, after: ": ", to: &out) }
        if let event { Self.appendLine(event, after: "event: ", to: &out) }
        if let data {
            out.reserveCapacity(out.count + data.count + 64)
            Self.appendLines(data, after: "data: ", to: &out)
        }
        if let retry {
            out.append(contentsOf: "retry: ".utf8)
            appendDecimal(Self.milliseconds(retry), to: &out)
            out.append(Self.lineFeed)
        }
    }

    /// Appends an `id:` line.
    static func appendID(_ id: String, to out: inout [UInt8]) {
        appendLine(id, after: "id: ", to: &out)
    }

    private static func appendLine(_ text: String, after name: StaticString, to out: inout [UInt8]) {
        appendName(name, to: &out)
        for byte in text.utf8 where byte != lineFeed && byte != carriageReturn && byte != 0 {
            out.append(byte)
        }
        out.append(lineFeed)
    }

    /// A client ends lines at LF, at CR and at CR LF, so data is split at each of the three.
    private static func appendLines(_ text: some Sequence<UInt8>, after name: StaticString, to out: inout [UInt8]) {
        appendName(name, to: &out)
        var afterReturn = false
        for byte in text {
            if byte == lineFeed && afterReturn {
                afterReturn = false
            } else if byte == lineFeed || byte == carriageReturn {
                out.append(lineFeed)
                appendName(name, to: &out)
                afterReturn = byte == carriageReturn
            } else {
                out.append(byte)
                afterReturn = false
            }
        }
        out.append(lineFeed)
    }

    private static func appendName(_ name: StaticString, to out: inout [UInt8]) {
        for index in 0..<name.utf8CodeUnitCount { out.append(name.utf8Start[index]) }
    }

    private static func milliseconds(_ duration: Duration) -> Int {
        let (seconds, attoseconds) = duration.components
        let (whole, overflow) = Int(seconds).multipliedReportingOverflow(by: 1000)
        return overflow ? Int.max : whole + Int(attoseconds / 1_000_000_000_000_000)
    }

    private static let lineFeed = UInt8(ascii: "\n")
    private static let carriageReturn = UInt8(ascii: "\r")
}
