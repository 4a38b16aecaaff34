import CallboardClient

/// The formats that `load` reads.
enum RecordFormat: String, CaseIterable, Sendable {
    /// A JSON document with an array, or an object, of records.
    case json
    /// A JSON value on each line.
    case ndjson
    /// Comma-separated values with a heading (RFC 4180).
    case csv
    /// Unicode's `emoji-test.txt`.
    case emojiTest = "emoji-test"

    /// The format that a file's name suggests, or nil where it suggests none.
    init?(path: String) {
        let name = path.split(separator: "/").last.map { $0.lowercased() } ?? ""
        switch name.split(separator: ".").last ?? "" {
        case "json": self = .json
        case "ndjson", "jsonl": self = .ndjson
        case "csv", "tsv": self = .csv
        case "txt" where name == "emoji-test.txt": self = .emojiTest
        default: return nil
        }
    }
}

/// Reads records of any format out of a file's content.
struct RecordReader: Sendable {
    let path: String
    let format: RecordFormat
    /// The JSON pointer to the records in a JSON document.
    var pointer: String?
    /// What separates values in CSV.
    var delimiter = UInt8(ascii: ",")
    /// The types of columns in CSV; a column without one is text.
    var types = ColumnTypes()

    /// The records in the file's order.
    ///
    /// - Throws: ``ProgramError`` where the content as a whole is not what the format says.
    func read(_ content: [UInt8]) throws -> LoadedRecords {
        let content = content.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(content.dropFirst(3)) : content
        switch format {
        case .json: return try JSONRecords(path: path, pointer: pointer).read(content)
        case .ndjson: return NDJSONRecords.read(LineEnds.normalized(content))
        case .csv: return try CSVRecords(path: path, delimiter: delimiter, types: types).read(content)
        case .emojiTest: return EmojiTestRecords.read(LineEnds.normalized(content))
        }
    }
}
