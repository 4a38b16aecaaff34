import ArgumentParser
import Foundation
import Journal
import JournalSQLite

/// `callboard restore`.
struct RestoreCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore",
        abstract: "Put a backup into a data folder.",
        discussion: """
            A missing folder is made. No server may have the folder open. Its content
            is replaced only with --overwrite, and only after the backup has been
            copied beside it and checked row by row.

            Changes made after the backup are lost. Every director begins a new
            epoch, so that returning screens load their lists anew. Tokens that were
            revoked after the backup are valid again.

            Examples:
              callboard restore /backup/callboard.db callboard-data
              callboard restore /backup/callboard.db /var/lib/callboard --overwrite
            """)

    @Argument(
        help: ArgumentHelp("The file that \"callboard backup\" made, or its folder.", valueName: "BACKUP"))
    var backup: String

    @Argument(
        help: ArgumentHelp(
            "The data folder (default: CALLBOARD_DATA, else callboard-data).", valueName: "FOLDER"))
    var folder: String?

    @Flag(help: "Replace what the folder holds.")
    var overwrite = false

    @Flag(help: "Print what was made as one JSON object.")
    var json = false

    func run() async throws {
        try await Program.run {
            let report = try Self.restore(
                backup, to: DataPath.resolve(folder), overwriting: overwrite, ProgressBar.onTerminal("restore"))
            if json { Output.json(report.json.text) } else { Output.line(report.line) }
            return .success
        }
    }

    /// Restores a backup.
    static func restore(
        _ backup: String, to path: String, overwriting: Bool, _ bar: ProgressBar? = nil
    ) throws -> CopyReport {
        let backup = try DataPath.resolve(backup)
        let file = DataPath.isFolder(backup) ? DataFolder(path: backup).database : backup
        guard FileManager.default.fileExists(atPath: file) else {
            throw ProgramError(
                "there is no backup at \"\(file)\"", advice: "\"callboard backup\" makes one", status: .noInput)
        }
        let folder = DataFolder(path: path)
        guard overwriting || !FileManager.default.fileExists(atPath: folder.database) else {
            throw ProgramError(
                "\"\(path)\" holds something already, and it would be lost",
                advice: "choose another folder, or say --overwrite; \"callboard backup \(path) FILE\" keeps it",
                status: .cannotCreate)
        }
        let place = DataPath.nearest(path)
        guard DataPath.isFolder(place), FileManager.default.isWritableFile(atPath: place) else {
            throw ProgramError(
                "the folder \"\(path)\" cannot be made: \"\(place)\" is no folder that can be written to",
                advice: "choose another one", status: .cannotCreate)
        }
        let start = ContinuousClock.now
        defer { bar?.clear() }
        do throws(JournalError) {
            try Backup.restore(file, to: folder, overwriting: overwriting) { bar?.show($0.pages, of: $0.total) }
        } catch {
            throw DataFault.restoring(backup)(error)
        }
        return CopyReport(source: backup, file: folder.database, duration: start.duration(to: .now))
    }
}
