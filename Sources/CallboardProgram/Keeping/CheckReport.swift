import CallboardAPI
import CallboardClient
import Hosting
import Journal

/// The result of checking a data folder, a backup or a database.
struct CheckReport: Sendable {
    /// The folder or the file, or the database's address without secrets.
    let path: String
    let check: JournalCheck
    let duration: Duration
    /// Whether it is a database, and no folder or file.
    var isDatabase = false

    var isWhole: Bool { check.problems.isEmpty }

    var status: ExitStatus { isWhole ? .success : .dataError }

    /// The report for people.
    var lines: [String] { (isWhole ? wholeLines : damageLines) + asideLines }

    private var asideLines: [String] {
        guard !check.setAside.isEmpty else { return [] }
        return ["\(Count.of(check.setAside.count, "damaged row")) set aside, and kept in the table \"aside\":"]
            + check.setAside.map(Self.line)
    }

    private var wholeLines: [String] {
        let took = LogQuantity.text(duration)
        var lines = ["\"\(path)\" is whole: \(Count.of(check.rows, "row")) checked in \(took)"]
        if let report = check.report {
            let holds = [
                Count.of(report.directors, "director"), Count.of(report.elements, "element"),
                Count.of(check.tokens, "token"),
                LogQuantity.text(bytes: report.bytesOnDisk) + " on disk",
            ]
            let from = [Count.of(report.snapshots, "snapshot"), Count.of(report.records, "record")]
            lines.append("it holds \(holds.joined(separator: ", ")); a start reads \(from.joined(separator: " and "))")
        }
        return lines
    }

    private var damageLines: [String] {
        var lines = ["\"\(path)\" is damaged in \(Count.of(check.problems.count, "place")):"]
        lines += check.problems.map(Self.line)
        if check.problems.count >= JournalCheck.limit { lines.append("  and maybe more: the check ends here") }
        guard !isDatabase else { return lines + ["put a backup of the database in its place"] }
        let target = DataPath.isFolder(path) ? path : "FOLDER"
        lines.append("\"callboard restore BACKUP \(target) --overwrite\" puts a backup in its place")
        return lines
    }

    /// A damaged place, below a line that says that it is damaged.
    private static func line(_ damage: JournalDamage) -> String {
        let whose = damage.director.map { " of the director \($0.debugDescription)" } ?? ""
        return "  " + TextWidth.printable("\(damage.place)\(whose): \(damage.detail)")
    }

    /// The report for machines.
    var json: JSON {
        func json(_ damage: JournalDamage) -> JSON {
            var object: JSONObject = ["place": .string(damage.place), "detail": .string(damage.detail)]
            object["director"] = damage.director.map { .string($0) }
            return .object(object)
        }
        var object: JSONObject = [
            "path": .string(path), "isWhole": .bool(isWhole), "rows": .number(JSONNumber(check.rows)),
            "tokens": .number(JSONNumber(check.tokens)),
            "seconds": LogQuantity.duration(duration).json, "problems": .array(check.problems.map(json)),
            "setAside": .array(check.setAside.map(json)),
        ]
        if let report = check.report {
            let numbers = [
                ("directors", report.directors), ("elements", report.elements), ("answers", report.answers),
                ("snapshots", report.snapshots), ("records", report.records), ("bytesOnDisk", report.bytesOnDisk),
            ]
            for (key, number) in numbers { object[key] = .number(JSONNumber(number)) }
        }
        return .object(object)
    }
}

extension LogQuantity {
    /// The plain number.
    var json: JSON { JSONNumber(number).map { .number($0) } ?? .null }
}
