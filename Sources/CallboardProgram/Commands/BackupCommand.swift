import ArgumentParser
import Foundation
import Journal
import JournalSQLite

/// `callboard backup`.
struct BackupCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup",
        abstract: "Copy a data folder, also while a server writes to it.",
        discussion: """
            Makes one file with everything that was stored when the copy began. A
            server may have the folder open and continue to write. The copy is
            checked row by row before it gets its name. An existing file is never
            overwritten.

            Copying the files of a folder by other means loses the newest changes
            unless the server is stopped and all of them are copied.

            Examples:
              callboard backup callboard-data /backup/callboard.db
              callboard backup /var/lib/callboard "/backup/$(date +%F).db"
              callboard check /backup/callboard.db
            """)

    @Argument(help: ArgumentHelp("The data folder to copy.", valueName: "FOLDER"))
    var folder: String

    @Argument(
        help: ArgumentHelp("The file to make, or a folder to make callboard.db in.", valueName: "TARGET"))
    var target: String

    @Flag(help: "Print what was made as one JSON object.")
    var json = false

    func run() async throws {
        try await Program.run {
            let report = try Self.backup(folder, to: target, ProgressBar.onTerminal("backup"))
            if json { Output.json(report.json.text) } else { Output.line(report.line) }
            return .success
        }
    }

    /// Makes a backup.
    static func backup(_ folder: String, to target: String, _ bar: ProgressBar? = nil) throws -> CopyReport {
        let folder = try DataPath.existing(DataPath.resolve(folder))
        let file = DataPath.isFolder(target) ? DataFolder(path: target).database : target
        guard !FileManager.default.fileExists(atPath: file) else {
            throw ProgramError(
                "\"\(file)\" is there already", advice: "choose another name, or remove it first", status: .cannotCreate
            )
        }
        let parent = URL(fileURLWithPath: file).deletingLastPathComponent().path
        guard DataPath.isFolder(parent) else {
            throw ProgramError(
                "there is no folder \"\(parent)\" to make the backup in", advice: "make it first", status: .cannotCreate
            )
        }
        guard FileManager.default.isWritableFile(atPath: parent) else {
            throw ProgramError(
                "the folder \"\(parent)\" cannot be written to", advice: "choose another one", status: .cannotCreate)
        }
        let start = ContinuousClock.now
        defer { bar?.clear() }
        do throws(JournalError) {
            try Backup.make(of: DataFolder(path: folder), to: file) { bar?.show($0.pages, of: $0.total) }
        } catch {
            throw DataFault.backingUp(folder)(error)
        }
        return CopyReport(source: folder, file: file, duration: start.duration(to: .now))
    }
}
