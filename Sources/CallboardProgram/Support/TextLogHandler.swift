import Access
import Foundation
import Logging

/// Writes each log entry as a line for people to standard error: the time, the level, what happened, and its details.
struct TextLogHandler: LogHandler {
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
        let metadata = metadata.merging(event.metadata ?? [:]) { $1 }
        let details = metadata.sorted { $0.key < $1.key }.map {
            "  \($0.key)=\(Self.quoted($0.value.description.withoutTokens))"
        }
        let time = Date.ISO8601FormatStyle().format(date)
        // What a client sends gets into the log, and must neither end its line nor move the terminal's cursor.
        return TextWidth.printable(
            "\(time) \(event.level): \(event.message.description.withoutTokens)" + details.joined())
    }

    /// The value, in quotation marks where it could not be told from its neighbours.
    private static func quoted(_ value: String) -> String {
        value.isEmpty || value.contains { $0 == " " || $0 == "\"" } ? value.debugDescription : value
    }
}
