import CallboardClient

/// A record of a file, to become an element.
struct LoadRecord: Sendable, Equatable {
    /// A record's place in its file, for messages.
    struct Place: Sendable, Equatable, CustomStringConvertible {
        /// The record's number, counted from one.
        let record: Int
        /// The line it begins on, counted from one; nil where the format has no lines to speak of.
        let line: Int?

        var description: String { line.map { "record \(record), line \($0)" } ?? "record \(record)" }
    }

    let place: Place
    /// The value as it is sent.
    let text: RecordText
    /// The section that the format itself names.
    var section: String?

    init(place: Place, text: RecordText, section: String? = nil) {
        self.place = place
        self.text = text
        self.section = section
    }

    init(place: Place, value: JSON, section: String? = nil) {
        self.init(place: place, text: RecordText(value.utf8), section: section)
    }

    /// The value; it is read anew each time.
    var value: JSON { text.value }
}

/// A record's value as JSON text.
///
/// Records of one file share its bytes: a million of them take little more memory than the file, and what is sent is
/// copied once.
struct RecordText: Sendable, Equatable {
    private let storage: [UInt8]
    private let range: Range<Int>

    /// Makes a text of a part of some bytes, which has to be one JSON value.
    init(_ storage: [UInt8], in range: Range<Int>) {
        self.storage = storage
        self.range = range
    }

    /// Makes a text of bytes that are one JSON value.
    init(_ bytes: [UInt8]) {
        self.init(bytes, in: 0..<bytes.count)
    }

    /// The bytes.
    var bytes: ArraySlice<UInt8> { storage[range] }

    /// How many bytes there are.
    var count: Int { range.count }

    /// The value.
    var value: JSON { (try? JSON(parsing: bytes)) ?? .null }

    /// Appends the text without the white space between its tokens, which the server would take out element by element.
    func write(to body: inout [UInt8]) {
        var (start, position) = (range.lowerBound, range.lowerBound)
        var isInString = false
        while position < range.upperBound {
            let byte = storage[position]
            if isInString {
                // What is escaped does not end the string.
                if byte == UInt8(ascii: "\\") { position += 1 }
                if byte == UInt8(ascii: "\"") { isInString = false }
            } else if byte == UInt8(ascii: "\"") {
                isInString = true
            } else if byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D {
                body += storage[start..<position]
                start = position + 1
            }
            position += 1
        }
        body += storage[start..<range.upperBound]
    }

    static func == (left: RecordText, right: RecordText) -> Bool { left.bytes == right.bytes }
}

/// A record that did not go in, and why.
struct RejectedRecord: Sendable, Equatable, CustomStringConvertible {
    let place: LoadRecord.Place
    let reason: String

    var description: String { "\(place): \(reason)" }
}

/// A file's records: the readable ones and the rejected ones.
struct LoadedRecords: Sendable, Equatable {
    var records: [LoadRecord] = []
    var rejected: [RejectedRecord] = []
}
