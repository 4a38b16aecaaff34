import CallboardClient

/// A record of a file, to become an element.
struct LoadRecord: Sendable, Equatable {
    /// Where a record stands in its file, for messages.
    struct Place: Sendable, Equatable, CustomStringConvertible {
        /// The record's number, counted from one.
        let record: Int
        /// The line it begins on, counted from one; nil where the format has no lines to speak of.
        let line: Int?

        var description: String { line.map { "record \(record), line \($0)" } ?? "record \(record)" }
    }

    let place: Place
    let value: JSON
    /// The section that the format itself names.
    var section: String?
}

/// A record that did not go in, and why.
struct RejectedRecord: Sendable, Equatable, CustomStringConvertible {
    let place: LoadRecord.Place
    let reason: String

    var description: String { "\(place): \(reason)" }
}

/// What a file holds: the records that can be read, and those that cannot.
struct LoadedRecords: Sendable, Equatable {
    var records: [LoadRecord] = []
    var rejected: [RejectedRecord] = []
}
