import CallboardClient

/// Records of newline-delimited JSON: one value a line, empty lines left out.
enum NDJSONRecords {
    static func read(_ content: [UInt8]) -> LoadedRecords {
        var result = LoadedRecords()
        var (number, line, start) = (0, 0, 0)
        while start < content.count {
            var end = start
            var isBlank = true
            while end < content.count, content[end] != UInt8(ascii: "\n") {
                isBlank = isBlank && (content[end] == 0x20 || content[end] == 0x09 || content[end] == 0x0D)
                end += 1
            }
            line += 1
            if !isBlank {
                number += 1
                read(content, start..<end, LoadRecord.Place(record: number, line: line), into: &result)
            }
            start = end + 1
        }
        return result
    }

    private static func read(
        _ content: [UInt8], _ range: Range<Int>, _ place: LoadRecord.Place, into result: inout LoadedRecords
    ) {
        if !JSONScanner.accepts(content, in: range) {
            do {
                _ = try JSON(parsing: content[range])
            } catch {
                return result.rejected.append(RejectedRecord(place: place, reason: "not JSON: \(error)"))
            }
        }
        result.records.append(LoadRecord(place: place, text: RecordText(content, in: range)))
    }
}
