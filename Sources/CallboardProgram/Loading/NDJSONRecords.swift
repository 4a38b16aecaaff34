import CallboardClient

/// Records of newline-delimited JSON: one value a line, empty lines left out.
enum NDJSONRecords {
    static func read(_ content: [UInt8]) -> LoadedRecords {
        var result = LoadedRecords()
        var number = 0
        let lines = content.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        for (position, line) in lines.enumerated() {
            guard line.contains(where: { ![0x20, 0x09, 0x0D].contains($0) }) else { continue }
            number += 1
            let place = LoadRecord.Place(record: number, line: position + 1)
            do {
                result.records.append(LoadRecord(place: place, value: try JSON(parsing: line)))
            } catch {
                result.rejected.append(RejectedRecord(place: place, reason: "not JSON: \(error)"))
            }
        }
        return result
    }
}
