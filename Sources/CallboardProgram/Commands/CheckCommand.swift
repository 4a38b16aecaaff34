import ArgumentParser
import Journal
import JournalSQLite

/// `callboard check`.
struct CheckCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Verify a data folder or a backup.",
        discussion: """
            Reads everything that is stored, without changing it: the structure of
            the file, the checksum of every row, and the order of the records. Every
            director is rebuilt from them. Each damaged place is named.

            A folder that a server has open cannot be checked: copy it with
            "callboard backup", and check the backup.

            Exit status: 0 whole, 65 damaged, 66 nothing is there, 78 the folder
            cannot be used, because a server has it open or it is of a newer
            version.

            Examples:
              callboard check
              callboard check /var/lib/callboard
              callboard check backup.db --json | jq .problems
            """)

    @Argument(
        help: ArgumentHelp(
            "The data folder, or a backup (default: CALLBOARD_DATA, else callboard-data).", valueName: "FOLDER"))
    var folder: String?

    @Flag(help: "Print the result as one JSON object.")
    var json = false

    func run() async throws {
        try await Program.run {
            let report = try Self.check(DataPath.resolve(folder), StatusLine.onTerminal())
            if json { Output.json(report.json.text) } else { Output.line(report.lines.joined(separator: "\n")) }
            return report.status
        }
    }

    /// Checks a folder, or a file that a backup has made.
    static func check(_ path: String, _ line: StatusLine? = nil) throws -> CheckReport {
        let path = try DataPath.existing(path)
        let start = ContinuousClock.now
        defer { line?.clear() }
        let progress = { (step: JournalCheck.Step) in line?.show(step.text) ?? () }
        do throws(JournalError) {
            let check: JournalCheck
            if let folder = DataPath.dataFolder(of: path) {
                check = try JournalCheck(of: DataFolder(path: folder), progress: progress)
            } else {
                check = try JournalCheck(file: path, progress: progress)
            }
            return CheckReport(path: path, check: check, duration: start.duration(to: .now))
        } catch {
            throw DataFault.checking(path)(error)
        }
    }
}

extension JournalCheck.Step {
    /// The present step, for a terminal.
    fileprivate var text: String {
        switch self {
        case .structure: "checking the file's structure"
        case .rows(let count): "checking rows: \(Count.grouped(count))"
        case .replay(let count): "making the directors again: \(Count.of(count, "record"))"
        }
    }
}
