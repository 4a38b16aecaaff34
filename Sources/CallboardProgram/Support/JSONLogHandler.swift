import Access
import CallboardAPI
import CallboardClient
import Foundation
import Hosting
import Logging

/// Writes each log entry as one JSON object on a line of standard error.
///
/// Times are numbers of seconds and sizes of bytes.
struct JSONLogHandler: LogHandler {
    let label: String
    var logLevel = Logger.Level.info
    var metadata = Logger.Metadata()

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        Output.error(line(for: event, at: Date()))
    }

    func line(for event: LogEvent, at date: Date) -> String {
        var object: JSONObject = [
            "time": .string(Date.ISO8601FormatStyle(includingFractionalSeconds: true).format(date)),
            "level": .string(event.level.rawValue),
            "logger": .string(label),
            "message": .string(event.message.description.shownInLogs),
        ]
        let metadata = metadata.merging(event.metadata ?? [:]) { $1 }
        for (key, value) in metadata.sorted(by: { $0.key < $1.key }) { object[key] = Self.json(value) }
        return JSON.object(object).text
    }

    /// A quantity as its plain number, so that a unit that is chosen for people never has to be read; else text.
    private static func json(_ value: Logger.MetadataValue) -> JSON {
        guard case .stringConvertible(let quantity as LogQuantity) = value else { return .string(value.description.shownInLogs) }
        return quantity.json
    }
}
