import ArgumentParser
import Foundation

/// The PostgreSQL database that a command works on.
struct DatabaseOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("The database (default: CALLBOARD_JOURNAL_URL, else the settings file's).", valueName: "URL")
    )
    var journalUrl: String?

    @Option(
        help: ArgumentHelp(
            "The server's settings file, for journal.url (default: CALLBOARD_CONFIG).", valueName: "FILE"))
    var config: String?

    /// The database's address in force, as `callboard serve` would find it.
    ///
    /// - Parameter remark: The advice for a data folder.
    /// - Throws: ``ProgramError`` where no database is named.
    func url(otherwise remark: String) throws -> String {
        let loader = try ServeCommand.loader(
            flags: ["journal.url": journalUrl.map { .text($0) }].compactMapValues { $0 }, config: config,
            environment: ProcessInfo.processInfo.environment)
        let storage = try loader.storage()
        guard storage.isDatabase else {
            throw ProgramError(
                "no database is named", advice: "--journal-url names one; \(remark)", status: .configuration)
        }
        return storage.url
    }
}
