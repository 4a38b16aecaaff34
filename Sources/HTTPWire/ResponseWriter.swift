package import HTTPTypes
import Notation

/// Writes the responses to one request: it knows the request's version, whether the connection may
/// stay open, and whether content goes out at all.
///
/// A value of a few bytes; make one for each request. It appends to a buffer of the caller's and
/// allocates nothing else. The status line is always HTTP/1.1 (RFC 9110, section 6.2).
package struct ResponseWriter: Sendable {
    /// Whether the request is of HTTP/1.0, whose clients know no chunks and close by themselves.
    let isHTTP10: Bool

    /// Whether the request was HEAD, so that a response has a GET's fields and no content.
    package let isHead: Bool

    /// Whether the connection is to stay open; clear it to close after this response.
    package var keepAlive: Bool

    /// Makes the writer of a request's response.
    package init(answering request: RequestHead) {
        isHTTP10 = request.minorVersion == 0
        isHead = request.method == .head
        keepAlive = request.keepAlive
    }

    /// Makes the writer of the response to a request that was refused by the parser, which closes the connection.
    ///
    /// - Parameter method: ``RequestParser/requestMethod``, so that a HEAD gets no content.
    package init(refusing method: HTTPRequest.Method?) {
        isHTTP10 = false
        isHead = method == .head
        keepAlive = false
    }

    /// Decides how the content of a response is delimited.
    ///
    /// - Parameter contentLength: The content's size in bytes, or nil where it is not known because it is a stream.
    package func framing(of status: HTTPResponse.Status, contentLength: Int?) -> ResponseFraming {
        if isHead || Self.forbidsContent(status) { return .none }
        if let contentLength { return .length(contentLength) }
        return isHTTP10 ? .untilClose : .chunked
    }

    /// Whether the connection may take another request after a response that was framed this way.
    package func keepsAlive(after framing: ResponseFraming) -> Bool {
        keepAlive && framing != .untilClose
    }

    /// Appends status line, `Date`, `Connection` where it is needed, the framing field, the author's fields and the
    /// empty line.
    ///
    /// Bytes that a field value may not have (CR, LF, NUL and other controls) go out as spaces, so that no value can
    /// begin another line (RFC 9110, section 5.5).
    ///
    /// - Parameters:
    ///   - contentLength: As for `framing(of:contentLength:)`. For a response to HEAD it is the size that a GET
    ///     would have.
    /// - Returns: How the caller must delimit the content it sends.
    @discardableResult
    package func appendHead(
        _ head: ResponseHead, contentLength: Int?, date: HTTPDate, to out: inout [UInt8]
    ) -> ResponseFraming {
        let framing = framing(of: head.status, contentLength: contentLength)
        Self.appendStatusLine(head.status, to: &out)
        out.append(contentsOf: date.line)
        appendConnection(framing, to: &out)
        appendFraming(head.status, contentLength: contentLength, to: &out)
        if head.forbidsSniffing { out.append(text: "X-Content-Type-Options: nosniff\r\n") }
        for field in head.fields where !Self.isReserved(field.name) {
            // A name is a token by its type, so it cannot hold a line end.
            out.append(text: field.name.rawName)
            out.append(UInt8(ascii: ":"))
            out.append(UInt8(ascii: " "))
            Self.appendSafely(field.value, to: &out)
            Self.endLine(&out)
        }
        Self.endLine(&out)
        return framing
    }

    /// Whether a response with this status never has content (RFC 9110, section 6.4.1; section 15.3.6 for 205).
    package static func forbidsContent(_ status: HTTPResponse.Status) -> Bool {
        status.code < 200 || status.code == 204 || status.code == 205 || status.code == 304
    }

    private func appendConnection(_ framing: ResponseFraming, to out: inout [UInt8]) {
        if !keepsAlive(after: framing) {
            out.append(text: "Connection: close\r\n")
        } else if isHTTP10 {
            out.append(text: "Connection: keep-alive\r\n")
        }
    }

    private func appendFraming(_ status: HTTPResponse.Status, contentLength: Int?, to out: inout [UInt8]) {
        if status.code == 205 {
            out.append(text: "Content-Length: ")
            out.append(decimal: 0)
            Self.endLine(&out)
        } else if Self.forbidsContent(status) {
            return
        } else if let contentLength {
            out.append(text: "Content-Length: ")
            out.append(decimal: contentLength)
            Self.endLine(&out)
        } else if !isHTTP10 {
            out.append(text: "Transfer-Encoding: chunked\r\n")
        }
    }

    private static func appendStatusLine(_ status: HTTPResponse.Status, to out: inout [UInt8]) {
        if status.code == 200 {
            out.append(text: "HTTP/1.1 200 OK\r\n")
            return
        }
        out.append(text: "HTTP/1.1 ")
        let code = min(max(status.code, 0), 999)
        out.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: code / 100))
        out.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: code / 10 % 10))
        out.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: code % 10))
        // The space after the code belongs to the grammar even where no phrase follows.
        out.append(UInt8(ascii: " "))
        appendSafely(status.phrase, to: &out)
        Self.endLine(&out)
    }

    @inline(__always)
    private static func endLine(_ out: inout [UInt8]) {
        out.append(UInt8(ascii: "\r"))
        out.append(UInt8(ascii: "\n"))
    }

    private static func appendSafely(_ text: String, to out: inout [UInt8]) {
        let start = out.count
        out.append(text: text)
        guard out.span.firstControl(in: start..<out.count) < out.count else { return }
        for index in start..<out.count where ByteClass.isControl(out[index]) {
            out[index] = UInt8(ascii: " ")
        }
    }

    private static func isReserved(_ name: HTTPField.Name) -> Bool {
        // Lengths first, since most names have another one and comparing strings is not cheap.
        switch name.rawName.utf8.count {
        case 4: name.canonicalName == "date"
        case 10: name.canonicalName == "connection"
        case 14: name.canonicalName == "content-length"
        case 17: name.canonicalName == "transfer-encoding"
        default: false
        }
    }
}
