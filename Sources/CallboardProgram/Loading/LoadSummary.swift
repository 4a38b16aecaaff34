import CallboardClient

/// What a load did.
struct LoadSummary: Sendable {
    let director: String
    let sections: Int
    /// The row that the records went into; nil where they made sections.
    let row: LoadRow?
    var loaded = 0
    var rejected: [RejectedRecord] = []
    /// How many records the server left out without naming them.
    var unnamed = 0
    /// How many records have an identifier that their section had already, and the first of them with it.
    var duplicates = 0
    var duplicated: [RejectedRecord] = []
    /// The published changes of the reload; nil if none was requested.
    var changeset: PublishedCounts?

    init(director: String, sections: Int, row: LoadRow? = nil, rejected: [RejectedRecord] = []) {
        self.director = director
        self.sections = sections
        self.row = row
        self.rejected = rejected
    }

    var status: ExitStatus { rejected.isEmpty && unnamed == 0 ? .success : .partial }

    /// How many rejected records are listed for people; a machine gets all.
    private static let listedRejections = 20

    /// The summary for people.
    var lines: [String] {
        let records = Count.of(loaded, "record")
        var lines = [
            row.map { "\(records) loaded into the row \"\($0.row)\" of \"\($0.section)\" in \"\(director)\"" }
                ?? "\(records) in \(Count.of(sections, "section")) loaded into \"\(director)\""
        ]
        if let changeset {
            lines.append(
                changeset.isEmpty
                    ? "nothing changed; version \(changeset.version) stays"
                    : "published as version \(changeset.version): \(changeset.changes)")
        }
        if !rejected.isEmpty {
            lines.append("\(Count.of(rejected.count + unnamed, "record")) left out:")
            lines += rejections
        }
        return lines
    }

    /// The message about a load that changed nothing, since records are refused.
    func refusal(file: String) -> [String] {
        ["\(Count.of(rejected.count, "record")) of \(TextWidth.printable(file)) refused, and nothing has changed:"]
            + rejections + ["  with --partial the others are loaded without them"]
    }

    private var rejections: [String] {
        var lines = rejected.prefix(Self.listedRejections).map { "  \(TextWidth.printable("\($0)"))" }
        if rejected.count + unnamed > Self.listedRejections {
            lines.append("  and \(rejected.count + unnamed - lines.count) more; --json lists all")
        }
        return lines
    }

    /// The message about records with the same identifier; nil if there are none.
    var warning: String? {
        guard duplicates > 0, let first = duplicated.first else { return nil }
        let id = TextWidth.printable(first.reason)
        return
            "\(Count.of(duplicates, "record")) with an identifier that the section has already, such as \"\(id)\" in "
            + "\(first.place); name members that differ in every record with --identifier"
    }

    /// The summary for machines.
    var json: JSON {
        let rejections = rejected.map { record -> JSON in
            var object: JSONObject = ["record": .number(JSONNumber(record.place.record))]
            object["line"] = record.place.line.map { .number(JSONNumber($0)) }
            object["reason"] = .string(record.reason)
            return .object(object)
        }
        var object: JSONObject = [
            "director": .string(director), "sections": .number(JSONNumber(sections)),
            "loaded": .number(JSONNumber(loaded)), "rejected": .array(rejections),
        ]
        if let row {
            object["section"] = .string(row.section)
            object["row"] = .string(row.row)
        }
        if duplicates > 0 { object["duplicates"] = .number(JSONNumber(duplicates)) }
        object["version"] = changeset.map { .number(JSONNumber($0.version)) }
        object["changes"] = changeset?.changes.json
        return .object(object)
    }
}

/// What a reload has published.
struct PublishedCounts: Sendable, Equatable {
    /// The version.
    let version: Int
    /// What led to it.
    let changes: ChangeCounts

    /// Whether nothing has changed, so that the version is the one before.
    var isEmpty: Bool { changes.counts.isEmpty && changes.replaced == 0 }
}

/// Numbers in sentences.
enum Count {
    static func of(_ number: Int, _ noun: String) -> String {
        "\(grouped(number)) \(noun)\(number == 1 ? "" : "s")"
    }

    /// The number with commas between thousands.
    static func grouped(_ number: Int) -> String {
        let digits = String(number.magnitude)
        var text = ""
        for (position, digit) in digits.enumerated() {
            if position > 0, (digits.count - position) % 3 == 0 { text.append(",") }
            text.append(digit)
        }
        return number < 0 ? "-" + text : text
    }
}
