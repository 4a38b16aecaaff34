import CallboardClient
import Notation

/// Records of comma-separated values (RFC 4180): the first line names the members, and every value is a string but
/// for those of columns that are given a type.
///
/// A record whose number of fields is not that of the heading is left out and reported; a quote that is never closed
/// ends the reading, since nothing after it can be trusted.
struct CSVRecords {
    let path: String
    let delimiter: UInt8
    var types = ColumnTypes()

    func read(_ content: [UInt8]) throws -> LoadedRecords {
        var parser = CSVParser(content: content, delimiter: delimiter)
        guard let heading = parser.nextRow() else { return LoadedRecords() }
        try check(heading)
        let kinds = heading.fields.map { types.kinds[$0] ?? .string }
        var result = LoadedRecords()
        var (places, texts, text): ([LoadRecord.Place], [Range<Int>], [UInt8]) = ([], [], [])
        let names = heading.fields.map { JSON.string($0).utf8 + [UInt8(ascii: ":")] }
        var number = 0
        while let row = parser.nextRow() {
            if row.fields == [""] { continue }
            number += 1
            let place = LoadRecord.Place(record: number, line: row.line)
            if let fault = row.fault {
                result.rejected.append(RejectedRecord(place: place, reason: fault))
            } else if row.fields.count != heading.fields.count {
                let reason = "\(Count.of(row.fields.count, "field")) where the heading has \(heading.fields.count)"
                result.rejected.append(RejectedRecord(place: place, reason: reason))
            } else {
                let start = text.count
                var fault: String?
                for (position, field) in row.fields.enumerated() {
                    text.append(UInt8(ascii: position == 0 ? "{" : ","))
                    text += names[position]
                    if let reason = ColumnTypes.append(field, as: kinds[position], to: &text) {
                        fault = fault ?? "\"\(field)\" in the column \"\(heading.fields[position])\" \(reason)"
                    }
                }
                text.append(UInt8(ascii: "}"))
                if let fault {
                    text.removeSubrange(start...)
                    result.rejected.append(RejectedRecord(place: place, reason: fault))
                    continue
                }
                places.append(place)
                texts.append(start..<text.count)
            }
        }
        result.records = zip(places, texts).map { LoadRecord(place: $0, text: RecordText(text, in: $1)) }
        return result
    }

    private func check(_ heading: CSVParser.Row) throws {
        if let fault = heading.fault {
            throw ProgramError(
                "\(path): the heading: \(fault)", advice: "the first line names the columns", status: .dataError)
        }
        let columns = Set(texts: heading.fields)
        for name in types.kinds.keys.sorted() where !columns.contains(name) {
            throw ProgramError(
                "\(path): no column is called \"\(name)\", which --types names",
                advice: "the columns are \(heading.fields.joined(separator: ", "))", status: .dataError)
        }
        var seen: Set<Name> = []
        for name in heading.fields {
            guard !name.isEmpty else {
                throw ProgramError(
                    "\(path): a column of the heading has no name", advice: "the first line names the columns",
                    status: .dataError)
            }
            guard seen.insert(Name(name)).inserted else {
                throw ProgramError(
                    "\(path): two columns are called \"\(name)\"", advice: "give one of them another name",
                    status: .dataError)
            }
        }
    }
}

/// Takes comma-separated values apart, row by row.
struct CSVParser {
    /// A row with the line that it begins on.
    struct Row: Equatable {
        var fields: [String]
        let line: Int
        /// What is wrong with it.
        var fault: String?
    }

    private let content: [UInt8]
    private let delimiter: UInt8
    private var position = 0
    private var line = 1

    private static let quote = UInt8(ascii: "\"")
    private static let lineFeed = UInt8(ascii: "\n")
    private static let carriageReturn = UInt8(ascii: "\r")

    init(content: [UInt8], delimiter: UInt8) {
        self.content = content
        self.delimiter = delimiter
    }

    /// The next row, or nil at the end.
    mutating func nextRow() -> Row? {
        guard position < content.count else { return nil }
        var row = Row(fields: [], line: line)
        repeat {
            let field = content[position...].first == Self.quote ? quotedField(&row) : plainField()
            if String(validating: field, as: UTF8.self) == nil { row.fault = row.fault ?? "not UTF-8" }
            row.fields.append(String(decoding: field, as: UTF8.self))
        } while takeDelimiter()
        takeLineEnd()
        return row
    }

    private mutating func plainField() -> [UInt8] {
        let start = position
        while position < content.count, content[position] != delimiter, !isLineEnd { position += 1 }
        return Array(content[start..<position])
    }

    private mutating func quotedField(_ row: inout Row) -> [UInt8] {
        var field: [UInt8] = []
        position += 1
        while position < content.count {
            let byte = content[position]
            position += 1
            let isPair = byte == Self.carriageReturn && position < content.count && content[position] == Self.lineFeed
            if byte == Self.lineFeed || byte == Self.carriageReturn && !isPair { line += 1 }
            guard byte == Self.quote else {
                field.append(byte)
                continue
            }
            // A quote within the field is written twice.
            guard position < content.count, content[position] == Self.quote else {
                let rest = plainField()
                if !rest.isEmpty { row.fault = "something follows the closing quote of a field" }
                return field
            }
            field.append(Self.quote)
            position += 1
        }
        row.fault = "a quote that is never closed"
        return field
    }

    private var isLineEnd: Bool {
        content[position] == Self.lineFeed || content[position] == Self.carriageReturn
    }

    private mutating func takeDelimiter() -> Bool {
        guard position < content.count, content[position] == delimiter else { return false }
        position += 1
        return true
    }

    private mutating func takeLineEnd() {
        if position < content.count, content[position] == Self.carriageReturn { position += 1 }
        if position < content.count, content[position] == Self.lineFeed { position += 1 }
        line += 1
    }
}
