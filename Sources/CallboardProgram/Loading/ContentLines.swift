import CallboardClient
import Foundation

/// A list as the lines of one request, and which record each line has.
struct ContentLines: Sendable {
    /// The lines: a section's head, and its elements.
    private(set) var data = Data()
    /// The record of each line; nil for a section's head.
    private var records: [LoadRecord.Place?] = []

    /// Writes the lines of a list.
    ///
    /// - Parameter isRow: Whether the elements of a row are meant, which has no head.
    init(_ content: LoadContent, model: String, isRow: Bool) {
        let elementStart = Array(#"{"model":"#.utf8) + JSON.string(model).utf8 + Array(#","value":"#.utf8)
        var size = 0
        for section in content.sections {
            for record in section.records { size += record.text.count + elementStart.count + 2 }
        }
        data.reserveCapacity(size + 256 * content.sections.count)
        records.reserveCapacity(content.recordCount + content.sections.count)
        // Small enough for the processor's cache.
        var bytes: [UInt8] = []
        for section in content.sections {
            if !isRow { write(section, to: &bytes) }
            for record in section.records {
                bytes += elementStart
                record.text.write(to: &bytes)
                bytes += "}\n".utf8
                records.append(record.place)
                if bytes.count > 1 << 16 { move(&bytes) }
            }
        }
        move(&bytes)
    }

    private mutating func move(_ bytes: inout [UInt8]) {
        data.append(contentsOf: bytes)
        bytes.removeAll(keepingCapacity: true)
    }

    private mutating func write(_ section: LoadContent.Section, to bytes: inout [UInt8]) {
        bytes += #"{"id":"#.utf8
        JSON.string(section.id).write(to: &bytes)
        if let title = section.title {
            bytes += #","headerTitle":"#.utf8
            JSON.string(title).write(to: &bytes)
        }
        bytes += "}\n".utf8
        records.append(nil)
    }

    /// The record of a line, from 1; nil for a section's head.
    func record(ofLine line: Int) -> LoadRecord.Place? {
        records.indices.contains(line - 1) ? records[line - 1] : nil
    }

    /// The records that a problem's pointers name, each with what is wrong; nil where one names something else.
    func rejected(by problem: Problem) -> [RejectedRecord]? {
        guard problem.status == 422, !problem.errors.isEmpty else { return nil }
        var rejected: [RejectedRecord] = []
        for fault in problem.errors {
            let number = (fault.pointer ?? "").split(separator: "/").first.flatMap { Int($0) }
            guard let number, let place = record(ofLine: number + 1) else { return nil }
            rejected.append(RejectedRecord(place: place, reason: Self.reason(fault.detail)))
        }
        return rejected
    }

    /// The fault of a line, without the line's number, which means nothing to the file's owner.
    static func reason(_ detail: String) -> String {
        guard detail.hasPrefix("line "), let end = detail.firstRange(of: ": ") else { return detail }
        return String(detail[end.upperBound...])
    }
}
