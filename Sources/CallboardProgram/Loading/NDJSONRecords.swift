import CallboardClient
import Dispatch
import Foundation
import JSONValues
import Synchronization

/// Records of newline-delimited JSON: one value a line, empty lines left out.
enum NDJSONRecords {
    /// The fewest bytes that are worth another processor.
    private static let partSize = 1 << 20

    /// Reads the records, on all processors.
    static func read(_ content: [UInt8]) -> LoadedRecords {
        let parts = parts(of: content)
        let read = Mutex([Part?](repeating: nil, count: parts.count))
        DispatchQueue.concurrentPerform(iterations: parts.count) { number in
            let part = Part(reading: content, in: parts[number])
            read.withLock { $0[number] = part }
        }
        var result = LoadedRecords()
        var (record, line) = (0, 0)
        for case let part? in read.withLock({ $0 }) {
            result.append(part.loaded, behind: (record, line))
            record += part.recordCount
            line += part.lineCount
        }
        return result
    }

    /// Cuts the content at the ends of lines.
    private static func parts(of content: [UInt8]) -> [Range<Int>] {
        let count = max(1, min(ProcessInfo.processInfo.activeProcessorCount, content.count / partSize))
        var parts: [Range<Int>] = []
        var start = 0
        for number in 1...count where start < content.count {
            let cut = max(start, content.count * number / count)
            let end = content[cut...].firstIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? content.count
            parts.append(start..<end)
            start = end
        }
        return parts
    }

    /// The records of some lines, with places counted from the first of these.
    private struct Part {
        private(set) var loaded = LoadedRecords()
        private(set) var recordCount = 0
        private(set) var lineCount = 0

        init(reading content: [UInt8], in range: Range<Int>) {
            var start = range.lowerBound
            while start < range.upperBound {
                var end = start
                var isBlank = true
                while end < range.upperBound, content[end] != UInt8(ascii: "\n") {
                    isBlank = isBlank && (content[end] == 0x20 || content[end] == 0x09 || content[end] == 0x0D)
                    end += 1
                }
                lineCount += 1
                if !isBlank {
                    recordCount += 1
                    read(content, start..<end)
                }
                start = end + 1
            }
        }

        private mutating func read(_ content: [UInt8], _ range: Range<Int>) {
            let place = LoadRecord.Place(record: recordCount, line: lineCount)
            // The server's own parser: what it takes, the server takes. The client's says what is wrong.
            if (try? JSONDocument(Array(content[range]))) == nil {
                do {
                    _ = try JSON(parsing: content[range])
                } catch {
                    return loaded.rejected.append(RejectedRecord(place: place, reason: "not JSON: \(error)"))
                }
            }
            loaded.records.append(LoadRecord(place: place, text: RecordText(content, in: range)))
        }
    }
}

extension LoadedRecords {
    /// Adds the records of a later part of the file.
    fileprivate mutating func append(_ part: LoadedRecords, behind counts: (record: Int, line: Int)) {
        func place(_ place: LoadRecord.Place) -> LoadRecord.Place {
            LoadRecord.Place(record: place.record + counts.record, line: place.line.map { $0 + counts.line })
        }
        guard counts.line > 0 else {
            self = part
            return
        }
        records.reserveCapacity(records.count + part.records.count)
        for record in part.records {
            records.append(LoadRecord(place: place(record.place), text: record.text, section: record.section))
        }
        rejected += part.rejected.map { RejectedRecord(place: place($0.place), reason: $0.reason) }
    }
}
