import CallboardAPI
import CallboardClient
import Foundation
import Hosting

/// The result of a backup or a restoration.
struct CopyReport: Sendable {
    /// The copied folder: the data folder, or the backup.
    let source: String
    /// The file that was made.
    let file: String
    let bytes: Int
    let duration: Duration

    /// Measures a file that has just been made.
    init(source: String, file: String, duration: Duration) {
        self.source = source
        self.file = file
        self.duration = duration
        let attributes = try? FileManager.default.attributesOfItem(atPath: file)
        bytes = attributes?[.size].flatMap { ($0 as? NSNumber)?.intValue } ?? 0
    }

    /// The report for people.
    var line: String {
        let (size, took) = (LogQuantity.text(bytes: bytes), LogQuantity.text(duration))
        return "\"\(source)\" copied to \"\(file)\" and checked: \(size) in \(took)"
    }

    /// The report for machines.
    var json: JSON {
        .object([
            "source": .string(source), "file": .string(file), "bytes": LogQuantity.bytes(bytes).json,
            "seconds": LogQuantity.duration(duration).json,
        ])
    }
}
