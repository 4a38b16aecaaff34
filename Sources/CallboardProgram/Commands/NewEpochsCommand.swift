import ArgumentParser
import Foundation
import Journal
import JournalPostgres

/// `callboard cluster new-epochs`.
struct NewEpochsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "new-epochs",
        abstract: "Begin a new epoch of every director, after a dump was restored.",
        discussion: """
            Versions that were published after the dump are lost, and their numbers
            will be given to other lists. A screen that still holds such a version
            must not resume from it: in a new epoch it loads its list anew.
            "callboard restore" does the same for a data folder.

            No server may run on the database. Either all directors change, or none.
            The command asks before it changes anything; --yes skips the question.

            Exit status: 0 done, 64 not confirmed, 65 damaged, 69 the database
            cannot be reached, 78 it cannot be used, because a server has it, or
            there is no journal in it.

            Examples:
              pg_restore --dbname lists lists.dump
              callboard cluster new-epochs \\
                --journal-url postgresql://callboard@db.example/lists
              CALLBOARD_JOURNAL_URL=postgresql://… callboard cluster new-epochs --yes
            """)

    @OptionGroup var database: DatabaseOptions

    @Flag(help: "Do not ask.")
    var yes = false

    func run() async throws {
        try await Program.run {
            let url = try database.url(
                otherwise: "\"callboard restore\" begins another epoch in a data folder by itself")
            Output.line(try Self.renew(url) { address in yes || Self.ask(address) })
            return .success
        }
    }

    /// Begins the epochs.
    ///
    /// - Parameter isWanted: Asks whoever started the command, with the database's address.
    /// - Returns: What was done, for people.
    static func renew(_ url: String, if isWanted: (String) throws -> Bool) throws -> String {
        let fault = DataFault(
            purpose: "begin other epochs", refusal: "stop every server and node of the database first",
            damage: "put a backup of the database in its place", isDatabase: true)
        let address: DatabaseAddress
        do throws(JournalError) {
            address = try DatabaseAddress(url)
        } catch {
            throw fault(error)
        }
        guard try isWanted("\(address)") else {
            throw ProgramError("nothing was changed", advice: "answer \"yes\", or say --yes", status: .usage)
        }
        do throws(JournalError) {
            let count = try EpochRenewal(address).directors
            return "\(address): \(Count.of(count, "director")) with another epoch"
        } catch {
            throw fault(error)
        }
    }

    /// Asks at the terminal; false where nobody can answer.
    private static func ask(_ address: String) -> Bool {
        guard isatty(STDIN_FILENO) == 1 else { return false }
        Output.error("Every screen that follows a director of \(address) will load it anew. Go on? [yes/no]")
        return readLine()?.trimmingCharacters(in: .whitespaces).lowercased() == "yes"
    }
}
