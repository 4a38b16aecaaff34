import Journal
import JournalPostgres

/// The fault of a data folder, in the words of a command.
///
/// A folder that cannot be used as it is, because a server has it open or it is not a journal of this version, is a
/// matter of settings; damage and failures of the disk or the database have statuses of their own.
struct DataFault {
    /// The failed action, as in "cannot …".
    let purpose: String
    /// The database that may be damaged, where the purpose does not name it.
    var file: String?
    /// The remedy for an unusable folder.
    var refusal: String?
    /// What to do about damage.
    var damage: String?
    /// Whether it is a database, which may be out of reach, and no folder, whose disk may fail.
    var isDatabase = false

    /// The message for the person at the terminal.
    func callAsFunction(_ error: JournalError) -> ProgramError {
        let message = "cannot \(purpose): \(error)"
        return switch error {
        case .refused:
            ProgramError(
                message, advice: refusal ?? "stop the server that has it, or name another", status: .configuration)
        case .damaged:
            ProgramError(
                file.map { "cannot \(purpose): in \($0), \(error)" } ?? message,
                advice: damage ?? "put a backup in its place", status: .dataError)
        case .full: ProgramError(message, advice: "make room on that disk, and try again", status: .ioError)
        case .unavailable:
            ProgramError(
                message,
                advice: isDatabase
                    ? "start the database, or name another" : "see that the disk works and that this user may read it",
                status: isDatabase ? .unavailable : .ioError)
        case .superseded, .inDoubt: ProgramError(message, advice: "try again", status: .temporary)
        }
    }

    /// A server that cannot start with its folder.
    static func serving(_ data: String) -> DataFault {
        DataFault(
            purpose: "open the data folder \"\(data)\"", file: "callboard.db",
            refusal: "--data names another folder; --data memory keeps nothing",
            damage: "the server does not start with it, and nothing was changed; \"callboard check \(data)\" lists the "
                + "damage, and \"callboard restore BACKUP \(data) --overwrite\" puts a backup in its place; "
                + "\(setsAside)")
    }

    /// A server that cannot start with its database. The URL may have a password: it is shown without.
    static func servingDatabase(_ url: String) -> DataFault {
        let name = (try? DatabaseAddress(url)).map { " \($0)" } ?? ""
        return DataFault(
            purpose: "open the database\(name) of journal.url",
            refusal: "journal.url names another database; without it, content is kept in a folder",
            damage: "the server does not start with it, and nothing was changed; restore the database from a backup; "
                + "\(setsAside)", isDatabase: true)
    }

    /// The way to start a server in spite of damage that does not concern its directors.
    private static let setsAside =
        "\"callboard serve --set-aside\" starts without damaged deliveries, tokens and answers, and keeps them apart"

    static func checking(_ path: String) -> DataFault { DataFault(purpose: "check \"\(path)\"") }

    static func backingUp(_ folder: String) -> DataFault {
        DataFault(
            purpose: "back up \"\(folder)\"",
            damage: "no backup was made; stop the server and see what \"callboard check \(folder)\" lists")
    }

    static func restoring(_ backup: String) -> DataFault {
        DataFault(
            purpose: "restore \"\(backup)\"",
            damage: "nothing was replaced; \"callboard check \(backup)\" lists what is damaged")
    }
}
