import ArgumentParser
import Journal
import JournalPostgres
import JournalSQLite

/// `callboard check`.
struct CheckCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Verify a data folder, a backup or a database.",
        discussion: """
            Reads everything that is stored, without changing it: the structure of
            the file, the checksum of every row, and the order of the records. Every
            director is rebuilt from them. Each damaged place is named.

            A folder that a server has open cannot be checked: copy it with
            "callboard backup", and check the backup. A database is checked as it
            is at one moment, and servers go on meanwhile.

            Exit status: 0 whole, 65 damaged, 66 nothing is there, 69 the database
            cannot be reached, 78 the folder or the database cannot be used: a
            server has the folder open, there is no journal, or a newer version of
            Callboard made the journal.

            Examples:
              callboard check
              callboard check /var/lib/callboard
              callboard check backup.db --json | jq .problems
              callboard check --journal-url postgresql://callboard@db.example/lists
            """)

    @Argument(
        help: ArgumentHelp(
            "The data folder, or a backup (default: CALLBOARD_DATA, else callboard-data).", valueName: "FOLDER"))
    var folder: String?

    @Option(
        help: ArgumentHelp("A PostgreSQL database in place of a folder.", valueName: "URL"))
    var journalUrl: String?

    @Flag(help: "Print the result as one JSON object.")
    var json = false

    func validate() throws {
        guard folder == nil || journalUrl == nil else {
            throw ValidationError("FOLDER and --journal-url are two places; name one")
        }
    }

    func run() async throws {
        try await Program.run {
            let line = StatusLine.onTerminal()
            let report =
                try journalUrl.map { try Self.check(database: $0, line) } ?? Self.check(DataPath.resolve(folder), line)
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

    /// Checks a database, whether or not servers run on it.
    static func check(database url: String, _ line: StatusLine? = nil) throws -> CheckReport {
        let start = ContinuousClock.now
        defer { line?.clear() }
        do throws(JournalError) {
            let address = try DatabaseAddress(url)
            let check = try JournalCheck(of: address) { line?.show($0.text) ?? () }
            return CheckReport(
                path: address.description, check: check, duration: start.duration(to: .now), isDatabase: true)
        } catch {
            throw DataFault(
                purpose: "check the database", refusal: "--journal-url names a database with a journal",
                isDatabase: true
            )(error)
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
