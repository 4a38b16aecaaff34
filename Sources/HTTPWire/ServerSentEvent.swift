import Notation

/// One block of an event stream as a server writes it (WHATWG HTML, section 9.2, server-sent events).
///
/// Its lines go out in the order event, data, retry, id, so that the id can be replaced at the end without touching
/// what is before it. A block with no data makes a client remember id and retry and dispatch nothing.
package struct ServerSentEvent: Sendable, Hashable {
    /// The event's name; a client takes nil for `message`.
    package var event: String?

    /// The event's data in UTF-8; each of its lines becomes a `data:` line.
    package var data: [UInt8]?

    /// The value that a client sends as `Last-Event-ID` after it has lost the connection.
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
        if let comment { Self.appendLines(Array(comment.utf8), after: ": ", to: &out) }
        if let event { Self.appendLine(event, after: "event: ", to: &out) }
        if let data { Self.appendLines(data, after: "data: ", to: &out) }
        if let retry {
            out.append(text: "retry: ")
            out.append(decimal: max(0, Self.milliseconds(retry)))
            out.append(Self.lineFeed)
        }
    }

    /// Appends the beginning of a block with a name and data that are one line: the data come next.
    package static func appendStart(of event: String, to out: inout [UInt8]) {
        appendLine(event, after: "event: ", to: &out)
        out.append(text: "data: ")
    }

    /// Appends the end of a block behind data that are one line: the line's end, the id and the empty line.
    package static func appendEnd(id: String?, to out: inout [UInt8]) {
        out.append(lineFeed)
        if let id { appendID(id, to: &out) }
        out.append(lineFeed)
    }

    /// Appends an `id:` line.
    static func appendID(_ id: String, to out: inout [UInt8]) {
        appendLine(id, after: "id: ", to: &out)
    }

    private static func appendLine(_ text: String, after name: String, to out: inout [UInt8]) {
        out.append(text: name)
        let start = out.count
        out.append(text: text)
        if out.span.firstControl(in: start..<out.count) < out.count {
            out.removeSubrange(start...)
            out += text.utf8.filter { $0 != lineFeed && $0 != carriageReturn && $0 != 0 }
        }
        out.append(lineFeed)
    }

    /// A client ends lines at LF, at CR and at CR LF, so data is split at each of the three.
    private static func appendLines(_ text: [UInt8], after name: String, to out: inout [UInt8]) {
        var start = 0
        while true {
            let end = endOfLine(text, start)
            out.append(text: name)
            out.append(contentsOf: text[start..<end])
            out.append(lineFeed)
            guard end < text.count else { return }
            let isPair = text[end] == carriageReturn && end + 1 < text.count && text[end + 1] == lineFeed
            start = end + (isPair ? 2 : 1)
        }
    }

    /// The position of the first CR or LF at or after a position, or the text's end.
    private static func endOfLine(_ text: [UInt8], _ start: Int) -> Int {
        let bytes = text.span
        var index = start
        while true {
            // JSON on one line has no controls, so that this is one fast scan.
            index = bytes.firstControl(in: index..<bytes.count)
            guard index < bytes.count, bytes[index] != lineFeed, bytes[index] != carriageReturn else { return index }
            index += 1
        }
    }

    private static func milliseconds(_ duration: Duration) -> Int {
        let (seconds, attoseconds) = duration.components
        let (whole, overflow) = Int(seconds).multipliedReportingOverflow(by: 1000)
        return overflow ? Int.max : whole + Int(attoseconds / 1_000_000_000_000_000)
    }

    private static let lineFeed = UInt8(ascii: "\n")
    private static let carriageReturn = UInt8(ascii: "\r")
}
