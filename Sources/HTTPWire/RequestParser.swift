package import HTTPTypes

/// Reads HTTP/1.1 requests from a stream of bytes, one event after the other (RFC 9112).
///
/// A value without socket, clock or buffer. The caller keeps the bytes, and the parser remembers its position. So a head
/// costs the same whether it arrives at once or byte by byte. The parser is strict where the RFC lets a
/// recipient be lenient: lines end in CR LF only, one space stands between the parts of a request line, and no field
/// line is continued on the next.
///
/// The first error is final. ``failure`` keeps it, every further call throws it again, and nothing after it is read as
/// a request.
package struct RequestParser: Sendable {
    /// The limits that every request is held to.
    package let limits: WireLimits

    /// The error that ended the stream, once there was one.
    package private(set) var failure: WireError?

    /// The method of the request being read, once it is known and until its end.
    ///
    /// After a failure it tells whether the answer may have content.
    package internal(set) var requestMethod: HTTPRequest.Method?

    /// The parser's place in a message.
    enum Phase: Sendable {
        /// Before a request line; so many empty lines were skipped.
        case idle(emptyLines: Int)
        case requestLine
        case fields
        case fixedBody(remaining: Int)
        case chunkSize
        case chunkData(remaining: Int)
        case chunkEnd
        case trailers
        case complete
        /// The last request closes the connection.
        case finished
    }

    var phase = Phase.idle(emptyLines: 0)
    /// How many bytes after the cursor are known to be in the current line.
    var scanned = 0

    // The head being read.
    var target = ""
    var authority: String?
    var minorVersion = 1
    var fields = HTTPFields()
    var framing = HeadFraming()
    /// The bytes of the newest head so far.
    package internal(set) var headSize = 0
    var fieldCount = 0
    var keepAlive = true

    // The chunked content being read.
    var bodySize = 0
    var bodyLimit = 0
    var extensionsSize = 0
    var trailersSize = 0
    var trailerCount = 0

    let fieldNames = FieldNameTable.shared

    /// Creates a parser for one connection.
    package init(limits: WireLimits = WireLimits()) {
        self.limits = limits
    }

    /// Whether no request has begun: a connection in this state may be closed without an answer.
    package var isIdle: Bool {
        switch phase {
        case .idle: scanned == 0
        case .finished: true
        default: false
        }
    }

    /// Whether nothing is known of the next request, so that it may be another connection's.
    var isFresh: Bool {
        if case .idle(emptyLines: 0) = phase { scanned == 0 } else { false }
    }

    /// The bytes of the head of a request that is not complete, which the parser and its caller keep until it is.
    package var unfinishedHeadSize: Int {
        switch phase {
        case .idle, .requestLine, .complete, .finished: 0
        default: headSize
        }
    }

    /// Whether no further request will be read, since the last one closes the connection or could not be understood.
    package var isFinished: Bool {
        if case .finished = phase { return true }
        return false
    }

    /// Finds the next event in the bytes from `cursor` on and moves the cursor past what it consumed.
    ///
    /// Call it until it returns ``RequestEvent/needMore``, then drop the bytes before the cursor if you like and call
    /// again once more have arrived; the bytes from the cursor on must still be there. To take requests one at a
    /// time, stop after ``RequestEvent/end`` and call again when the response is out. After a request that closes the
    /// connection all further bytes are consumed and ignored (RFC 9112, section 9.6).
    ///
    /// Complexity: O(*n*) for a whole message of *n* bytes, into however many pieces it is cut.
    ///
    /// - Parameters:
    ///   - bytes: What has arrived and is kept; ranges in events are positions in it.
    ///   - cursor: The first byte that no call has consumed.
    /// - Throws: ``WireError``, the same at every call once there was one.
    package mutating func next(in bytes: Span<UInt8>, cursor: inout Int) throws(WireError) -> RequestEvent {
        if let failure { throw failure }
        do throws(WireError) {
            return try advance(bytes, &cursor)
        } catch {
            failure = error
            phase = .finished
            scanned = 0
            cursor = bytes.count
            throw error
        }
    }

    private mutating func advance(_ bytes: Span<UInt8>, _ cursor: inout Int) throws(WireError) -> RequestEvent {
        while true {
            switch phase {
            case .idle(let emptyLines):
                guard try skipEmptyLine(bytes, &cursor, after: emptyLines) else { return .needMore }
            case .requestLine:
                guard try readRequestLine(bytes, &cursor) else { return .needMore }
            case .fields:
                guard let head = try readFields(bytes, &cursor) else { return .needMore }
                return .head(head)
            case .fixedBody(let remaining):
                guard cursor < bytes.count else { return .needMore }
                let range = takeData(bytes, &cursor, remaining)
                phase = range.count < remaining ? .fixedBody(remaining: remaining - range.count) : .complete
                return .body(range)
            case .chunkSize:
                guard try readChunkSize(bytes, &cursor) else { return .needMore }
            case .chunkData(let remaining):
                guard cursor < bytes.count else { return .needMore }
                let range = takeData(bytes, &cursor, remaining)
                phase = range.count < remaining ? .chunkData(remaining: remaining - range.count) : .chunkEnd
                return .body(range)
            case .chunkEnd:
                guard try readChunkEnd(bytes, &cursor) else { return .needMore }
            case .trailers:
                guard try readTrailers(bytes, &cursor) else { return .needMore }
            case .complete:
                endRequest()
                return .end
            case .finished:
                cursor = bytes.count
                return .needMore
            }
        }
    }

    /// Skips a CR LF where a request line is expected, or finds that one begins (RFC 9112, section 2.2).
    ///
    /// - Returns: Whether the phase has changed.
    private mutating func skipEmptyLine(
        _ bytes: Span<UInt8>, _ cursor: inout Int, after emptyLines: Int
    ) throws(WireError) -> Bool {
        guard cursor < bytes.count else { return false }
        guard bytes[cursor] == UInt8(ascii: "\r") else {
            phase = .requestLine
            return true
        }
        guard let end = try endOfLine(bytes, cursor, limit: 0, else: { _ in Self.tooManyEmptyLines }) else {
            return false
        }
        guard emptyLines < limits.maxLeadingEmptyLines else { throw Self.tooManyEmptyLines }
        cursor = end + 2
        phase = .idle(emptyLines: emptyLines + 1)
        return true
    }

    private func takeData(_ bytes: Span<UInt8>, _ cursor: inout Int, _ remaining: Int) -> Range<Int> {
        let start = cursor
        cursor += min(remaining, bytes.count - start)
        return start..<cursor
    }

    private mutating func endRequest() {
        phase = keepAlive ? .idle(emptyLines: 0) : .finished
        requestMethod = nil
    }

    /// The position of the CR that ends the line at `start`, or nil if its end has not arrived.
    ///
    /// Looks at no byte twice over several calls. A line ends in CR LF; a CR or LF by itself, NUL and other controls
    /// are errors wherever they are. RFC 9112, section 2.2, would let a recipient take a bare LF for a line end:
    /// recipients that do and those that do not see different messages in the same bytes, so this one does not.
    ///
    /// - Parameters:
    ///   - limit: The longest line in bytes, without its end.
    ///   - overflow: The error for a longer one.
    mutating func endOfLine(
        _ bytes: Span<UInt8>, _ start: Int, limit: Int, else overflow: (RequestParser) -> WireError
    ) throws(WireError) -> Int? {
        let stop = min(bytes.count, start + limit)
        let index = bytes.firstControl(in: min(start + scanned, stop)..<stop)
        scanned = index - start
        guard index < bytes.count else { return nil }
        guard bytes[index] == UInt8(ascii: "\r") else {
            throw ByteClass.isControl(bytes[index]) ? Self.controlByte(bytes[index]) : overflow(self)
        }
        guard index + 1 < bytes.count else { return nil }
        guard bytes[index + 1] == UInt8(ascii: "\n") else {
            throw WireError(.badRequest, "A carriage return is not followed by a line feed.")
        }
        scanned = 0
        return index
    }

    private static func controlByte(_ byte: UInt8) -> WireError {
        byte == UInt8(ascii: "\n")
            ? WireError(.badRequest, "A line ends in a line feed without a carriage return.")
            : WireError(.badRequest, "A line has a control character in it.")
    }

    private static let tooManyEmptyLines = WireError(
        .badRequest, "There are too many empty lines before the request line.")
}

/// What ``RequestParser/next(in:cursor:)`` found.
///
/// A request is one `head`, any number of `body` and one `end`, in this order.
package enum RequestEvent: Sendable, Hashable {
    /// Nothing more can be said before more bytes arrive after those given.
    case needMore
    /// A request begins.
    case head(RequestHead)
    /// Content of the request, as a range of the bytes that were given; never empty.
    case body(Range<Int>)
    /// The request is complete.
    case end
}
