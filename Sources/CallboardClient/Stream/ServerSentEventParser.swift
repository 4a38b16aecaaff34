/// Reads an event stream piece by piece, wherever the pieces are cut (WHATWG HTML, section 9.2.6).
///
/// Lines end with CR LF, LF or CR; a byte order mark at the very start is skipped; comments and unknown fields are
/// ignored; an event that has not ended with an empty line when the stream does is dropped. The two limits bound the
/// bytes that are kept between two pieces.
///
/// - Complexity: O(*n*) in the bytes fed; each byte is looked at once.
public struct ServerSentEventParser: Sendable {
    /// The last event id given so far: what a reconnection sends as `Last-Event-ID`.
    public private(set) var lastEventID = ""
    /// The wait before a reconnection that the stream last asked for, in milliseconds.
    public private(set) var retryMilliseconds: Int?

    private let maximumLineLength: Int
    private let maximumEventSize: Int

    private var line: [UInt8] = []
    private var isFirstLine = true
    private var endedWithCarriageReturn = false

    private var name = ""
    private var data: [UInt8] = []
    private var pendingID = ""

    /// Makes a parser at the start of a stream.
    ///
    /// - Parameters:
    ///   - lastEventID: the id that the connection before had reached; it stands until the stream gives another.
    ///   - maximumLineLength: the longest line to accept, in bytes.
    ///   - maximumEventSize: the most data that one event may have, in bytes.
    public init(lastEventID: String = "", maximumLineLength: Int = 64 << 20, maximumEventSize: Int = 64 << 20) {
        self.lastEventID = lastEventID
        self.pendingID = lastEventID
        self.maximumLineLength = maximumLineLength
        self.maximumEventSize = maximumEventSize
    }

    /// Takes the next bytes of the stream and returns the events that they complete, in order.
    ///
    /// - Throws: where a limit is passed; the connection is of no more use then.
    public mutating func consume(
        _ bytes: some Collection<UInt8>
    ) throws(ServerSentEventError) -> [ServerSentEvent] {
        var events: [ServerSentEvent] = []
        var rest = bytes[...]
        while let first = rest.first {
            if endedWithCarriageReturn {
                endedWithCarriageReturn = false
                if first == UInt8(ascii: "\n") {
                    rest.removeFirst()
                    continue
                }
            }
            let end = rest.firstIndex { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") } ?? rest.endIndex
            let part = rest[..<end]
            guard line.count + part.count <= maximumLineLength else {
                throw ServerSentEventError.lineTooLong(limit: maximumLineLength)
            }
            line += part
            guard end < rest.endIndex else { break }
            endedWithCarriageReturn = rest[end] == UInt8(ascii: "\r")
            rest = rest[rest.index(after: end)...]
            if let event = try finishLine() { events.append(event) }
        }
        return events
    }

    private mutating func finishLine() throws(ServerSentEventError) -> ServerSentEvent? {
        defer { line.removeAll(keepingCapacity: line.count <= 64 << 10) }
        if isFirstLine {
            isFirstLine = false
            if line.starts(with: [0xEF, 0xBB, 0xBF]) { line.removeFirst(3) }
        }
        guard !line.isEmpty else { return dispatch() }
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else {
            try setField(line[...], to: [])
            return nil
        }
        var value = line[(colon + 1)...]
        if value.first == UInt8(ascii: " ") { value = value.dropFirst() }
        try setField(line[..<colon], to: value)
        return nil
    }

    private mutating func setField(
        _ field: ArraySlice<UInt8>, to value: ArraySlice<UInt8>
    ) throws(ServerSentEventError) {
        switch String(decoding: field.prefix(8), as: UTF8.self) {
        case "event": name = String(decoding: value, as: UTF8.self)
        case "data":
            guard data.count + value.count < maximumEventSize else {
                throw ServerSentEventError.eventTooLarge(limit: maximumEventSize)
            }
            data += value
            data.append(UInt8(ascii: "\n"))
        case "id":
            if !value.contains(0) { pendingID = String(decoding: value, as: UTF8.self) }
        case "retry":
            let isNumber = !value.isEmpty && value.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
            if isNumber { retryMilliseconds = Int(String(decoding: value, as: UTF8.self)) ?? Int.max }
        default: break
        }
    }

    private mutating func dispatch() -> ServerSentEvent? {
        lastEventID = pendingID
        defer {
            name = ""
            data.removeAll(keepingCapacity: data.count <= 64 << 10)
        }
        guard !data.isEmpty else { return nil }
        data.removeLast()
        return ServerSentEvent(
            name: name.isEmpty ? "message" : name, data: String(decoding: data, as: UTF8.self),
            lastEventID: lastEventID)
    }
}
