import ArgumentParser
import Foundation
import Journal
import JournalPostgres
import JournalSQLite

/// `callboard migrate`.
struct MigrateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "migrate",
        abstract: "Copy a data folder into a PostgreSQL database.",
        discussion: """
            Copies directors with the versions to resume from, event hooks, answers
            to repeated requests, waiting notifications, and tokens. Epochs and
            versions stay the same: start the server with --journal-url, and
            returning screens resume where they were.

            No server may have the folder open, and the database has to be empty.
            The folder is only read. An interrupted copy leaves no director in the
            database, and can be started again.

            Examples:
              callboard migrate --from callboard-data \\
                --to postgresql://callboard@db.example/lists
              CALLBOARD_JOURNAL_URL=postgresql://… \\
                callboard migrate --from callboard-data
            """)

    @Option(help: ArgumentHelp("The data folder.", valueName: "FOLDER"))
    var from: String

    @Option(help: ArgumentHelp("The database (default: CALLBOARD_JOURNAL_URL).", valueName: "URL"))
    var to: String?

    func run() async throws {
        try await Program.run {
            let variable = ProcessInfo.processInfo.environment["CALLBOARD_JOURNAL_URL"] ?? ""
            Output.line(try Self.migrate(from, to: to ?? variable))
            return .success
        }
    }

    /// Copies a folder.
    ///
    /// - Returns: What was copied, for people.
    static func migrate(_ folder: String, to url: String) throws -> String {
        let place = DataFolder(path: try DataPath.existing(DataPath.resolve(folder)))
        guard FileManager.default.fileExists(atPath: place.database) else {
            throw DataFault.migrating(folder)(.refused("there is no journal in the folder"))
        }
        guard !url.isEmpty else {
            throw ProgramError(
                "no database is named", advice: "--to names one, and so does CALLBOARD_JOURNAL_URL",
                status: .configuration)
        }
        do throws(JournalError) {
            let address = try DatabaseAddress(url)
            let lock = try place.lock()
            defer { lock.release() }
            let source = try SQLiteJournal(readingOnly: place.database)
            defer { source.close() }
            let report = try Migration(of: source, to: address).report
            let parts = [
                Count.of(report.directors, "director"), Count.of(report.records, "record"),
                Count.of(report.deliveries, "notification"), Count.of(report.tokens, "token"),
            ]
            return "\"\(folder)\" copied to \(address): \(parts.joined(separator: ", "))"
        } catch {
            throw DataFault.migrating(folder)(error)
        }
    }
}

extension DataFault {
    fileprivate static func migrating(_ folder: String) -> DataFault {
        DataFault(
            purpose: "copy \"\(folder)\" to the database", refusal: "--from names the folder, --to an empty database",
            damage: "\"callboard check \(folder)\" lists what is damaged", isDatabase: true)
    }
}
