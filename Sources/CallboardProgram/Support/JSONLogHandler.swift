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
        Output.errorJSON(line(for: event, at: Date()))
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

    /// A number as a number, a quantity in its plain unit, so that a unit that is chosen for people never has to be read;
    /// a list and a dictionary as themselves, and all else as text.
    private static func json(_ value: Logger.MetadataValue) -> JSON {
        switch value {
        case .string(let text): .string(text.shownInLogs)
        case .array(let values): .array(values.map(json))
        case .dictionary(let values):
            .object(values.sorted { $0.key < $1.key }.reduce(into: JSONObject()) { $0[$1.key] = json($1.value) })
        case .stringConvertible(let quantity as LogQuantity): quantity.json
        case .stringConvertible(let number as Double): JSONNumber(number).map { .number($0) } ?? .string("\(number)")
        case .stringConvertible(let number as any BinaryInteger): .number(JSONNumber(number))
        case .stringConvertible(let flag as Bool): .bool(flag)
        case .stringConvertible(let other): .string(other.description.shownInLogs)
        }
    }
}
