/// Reads the requests that a test writes, as far as tests write them: strictly, and with nothing that HTTP/2 has no form
/// for.
struct HTTP1RequestReader {
    /// A request's head, without the fields that frame it.
    struct Head {
        var method: String
        var target: String
        var authority: String
        var fields: [(name: String, value: [UInt8])]
        /// Whether content follows.
        var hasContent: Bool
        /// Whether it is HTTP/1.0, whose answer ends with the connection.
        var isOld: Bool
    }

    /// What was read.
    enum Event {
        case head(Head)
        case content(ArraySlice<UInt8>)
        case end
    }

    /// Why what was written cannot be sent over HTTP/2.
    struct Fault: Error {
        let reason: String
    }

    private enum State {
        case head
        /// So many bytes of content are to come.
        case content(Int)
        case chunkSize
        case chunk(Int)
        case chunkEnd
        case trailers
    }

    private var state = State.head
    private var input: [UInt8] = []
    private var start = 0

    /// Takes bytes in, and gives each event to `handle` as soon as it is complete.
    mutating func read(_ bytes: [UInt8], _ handle: (Event) throws -> Void) throws {
        input += bytes
        while try step(handle) {}
        input.removeFirst(start)
        start = 0
    }

    /// Takes one step; false where it takes more bytes.
    private mutating func step(_ handle: (Event) throws -> Void) throws -> Bool {
        switch state {
        case .head:
            guard let lines = takeHead() else { return false }
            let (head, next) = try Self.head(lines)
            state = next
            try handle(.head(head))
            if case .head = next { try handle(.end) }
        case .content(let count):
            guard let piece = take(upTo: count) else { return false }
            try handle(.content(piece))
            state = piece.count == count ? .head : .content(count - piece.count)
            if case .head = state { try handle(.end) }
        case .chunkSize:
            guard let line = takeLine() else { return false }
            guard let size = Int(line, radix: 16), size >= 0 else { throw Fault(reason: "a chunk size of \(line)") }
            state = size == 0 ? .trailers : .chunk(size)
        case .chunk(let count):
            guard let piece = take(upTo: count) else { return false }
            try handle(.content(piece))
            state = piece.count == count ? .chunkEnd : .chunk(count - piece.count)
        case .chunkEnd, .trailers:
            guard let line = takeLine() else { return false }
            guard line.isEmpty else { throw Fault(reason: "\(line) where a line should be empty") }
            if case .trailers = state {
                state = .head
                try handle(.end)
            } else {
                state = .chunkSize
            }
        }
        return true
    }

    // MARK: Pieces

    private mutating func take(upTo count: Int) -> ArraySlice<UInt8>? {
        guard start < input.count else { return nil }
        defer { start = min(start + count, input.count) }
        return input[start..<min(start + count, input.count)]
    }

    private mutating func takeLine() -> String? {
        guard let end = input[start...].firstRange(of: [13, 10]) else { return nil }
        defer { start = end.upperBound }
        return String(decoding: input[start..<end.lowerBound], as: UTF8.self)
    }

    /// The lines of a head that is there as a whole.
    private mutating func takeHead() -> [ArraySlice<UInt8>]? {
        guard let end = input[start...].firstRange(of: [13, 10, 13, 10]) else { return nil }
        var rest = input[start..<end.lowerBound]
        var lines: [ArraySlice<UInt8>] = []
        while let lineEnd = rest.firstRange(of: [13, 10]) {
            lines.append(rest[..<lineEnd.lowerBound])
            rest = rest[lineEnd.upperBound...]
        }
        start = end.upperBound
        return lines + [rest]
    }

    // MARK: Heads

    private static func head(_ lines: [ArraySlice<UInt8>]) throws -> (Head, State) {
        let line = lines[0].split(separator: 32, omittingEmptySubsequences: false)
        let parts = line.map { String(decoding: $0, as: UTF8.self) }
        guard parts.count == 3, ["HTTP/1.1", "HTTP/1.0"].contains(parts[2]) else {
            throw Fault(reason: "a request line that is none: \(parts.joined(separator: " "))")
        }
        let isOld = parts[2] == "HTTP/1.0"
        var head = Head(
            method: parts[0], target: parts[1], authority: isOld ? "localhost" : "", fields: [], hasContent: false,
            isOld: isOld)
        var next = State.head
        for line in lines.dropFirst() {
            guard let colon = line.firstIndex(of: 58) else { throw Fault(reason: "a field line without a colon") }
            let name = String(decoding: line[..<colon], as: UTF8.self).lowercased()
            let value = Array(line[(colon + 1)...].drop { $0 == 32 })
            let text = String(decoding: value, as: UTF8.self)
            switch name {
            case "host": head.authority = text
            case "connection", "keep-alive": break
            case "transfer-encoding":
                guard text == "chunked" else { throw Fault(reason: "a transfer coding: \(text)") }
                next = .chunkSize
                head.hasContent = true
            case "content-length":
                guard let length = Int(text) else { throw Fault(reason: "a length: \(text)") }
                if length > 0 { next = .content(length) }
                head.hasContent = length > 0
                head.fields.append((name, value))
            default: head.fields.append((name, value))
            }
        }
        return (head, next)
    }
}
