import JSONValues

/// Writes numbers, texts and bytes one after the other.
struct ByteWriter {
    private(set) var bytes: [UInt8] = []

    init(reservingCapacity capacity: Int = 0) {
        if capacity > 0 { bytes.reserveCapacity(capacity) }
    }

    /// Writes a whole number from zero, seven bits to a byte, the lowest first.
    mutating func number(_ number: Int) {
        var rest = UInt64(bitPattern: Int64(number))
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(truncatingIfNeeded: rest))
    }

    /// Writes bytes with their count before them.
    mutating func counted(_ content: some Collection<UInt8>) {
        number(content.count)
        bytes.append(contentsOf: content)
    }

    /// Writes a JSON value with the count of its bytes before it.
    ///
    /// The text is written where it stays. A count of more than one byte then moves it on.
    ///
    /// - Parameters:
    ///   - estimate: About how many bytes the text has; room is made for them ahead.
    ///   - write: Writes one value.
    mutating func json(estimate: Int, _ write: (inout JSONWriter) -> Void) {
        let start = bytes.count
        if bytes.capacity - start < estimate { bytes.reserveCapacity(start + estimate) }
        bytes.append(0)
        var taken: [UInt8] = []
        swap(&taken, &bytes)
        var writer = JSONWriter(appendingTo: taken)
        write(&writer)
        bytes = writer.takeBytes()
        var count = ByteWriter()
        count.number(bytes.count - start - 1)
        bytes.replaceSubrange(start...start, with: count.bytes)
    }

    /// Writes a text with the count of its bytes before it.
    mutating func text(_ text: String) {
        counted(text.utf8)
    }

    /// Removes everything, and keeps the capacity.
    mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
    }

    /// Passes on pieces of a size and removes them; with `all`, the rest as well.
    mutating func drain(_ size: Int, all: Bool, _ take: ([UInt8]) throws -> Void) throws {
        var start = 0
        while bytes.count - start >= size {
            try take(Array(bytes[start..<(start + size)]))
            start += size
        }
        if all, start < bytes.count {
            try take(Array(bytes[start...]))
            start = bytes.count
        }
        bytes.removeFirst(start)
    }
}

/// Reads what a ``ByteWriter`` has written, from one buffer or chunk by chunk.
struct ByteReader {
    /// A fault in the bytes that are read.
    struct Fault: Error {
        let detail: String
    }

    private var buffer: [UInt8]
    private var position = 0
    private let more: ChunkReader?

    /// Reads one buffer.
    init(_ bytes: [UInt8]) {
        buffer = bytes
        more = nil
    }

    /// Reads chunks as they are needed.
    init(chunks: @escaping ChunkReader) {
        buffer = []
        more = chunks
    }

    /// Whether everything has been read.
    mutating func isAtEnd() throws -> Bool {
        try position == buffer.count && !refill()
    }

    /// Reads a number.
    mutating func number() throws -> Int {
        if position < buffer.count, buffer[position] < 0x80 {
            defer { position += 1 }
            return Int(buffer[position])
        }
        var value: UInt64 = 0
        for shift in stride(from: 0, to: 64, by: 7) {
            let byte = try byte()
            value |= UInt64(byte & 0x7F) << UInt64(shift)
            guard byte & 0x80 != 0 else {
                guard let number = Int(exactly: value) else { throw Fault(detail: "a number is too large") }
                return number
            }
        }
        throw Fault(detail: "a number has too many bytes")
    }

    /// Reads a number that is counted up from here on, such as a revision.
    ///
    /// - Throws: The number is 2^53 or more, which no counter has reached: adding to it could overflow.
    mutating func counter() throws -> Int {
        let number = try number()
        guard number < 1 << 53 else { throw Fault(detail: "a revision or version cannot be \(number)") }
        return number
    }

    /// Reads bytes with their count before them.
    mutating func counted() throws -> [UInt8] {
        let count = try number()
        if buffer.count - position >= count {
            defer { position += count }
            return Array(buffer[position..<(position + count)])
        }
        // Not reserved: a wrong count must not allocate more than there are bytes.
        var content: [UInt8] = []
        while content.count < count {
            if position == buffer.count, try !refill() { throw Fault(detail: "the bytes end too early") }
            let part = min(count - content.count, buffer.count - position)
            content.append(contentsOf: buffer[position..<(position + part)])
            position += part
        }
        return content
    }

    /// Reads bytes with their count before them that are in the buffer whole, without copying them.
    mutating func countedSlice() throws -> ArraySlice<UInt8> {
        let count = try number()
        guard buffer.count - position >= count else { throw Fault(detail: "the bytes end too early") }
        defer { position += count }
        return buffer[position..<(position + count)]
    }

    /// Reads a text.
    mutating func text() throws -> String {
        guard let text = String(validating: try counted(), as: UTF8.self) else {
            throw Fault(detail: "a text is not UTF-8")
        }
        return text
    }

    private mutating func byte() throws -> UInt8 {
        if position == buffer.count, try !refill() { throw Fault(detail: "the bytes end too early") }
        defer { position += 1 }
        return buffer[position]
    }

    private mutating func refill() throws -> Bool {
        while let chunk = try more?() {
            guard !chunk.isEmpty else { continue }
            (buffer, position) = (chunk, 0)
            return true
        }
        return false
    }
}
