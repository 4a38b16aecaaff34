import ArgumentParser
import Foundation

/// `callboard token`.
struct TokenCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "token",
        abstract: "Make, list and revoke the access tokens of a data folder or a database.",
        discussion: """
            A token allows exactly what its grants say. Clients send it with each
            request, as "Authorization: Bearer cbt_…".

            These commands need a folder that no server has open, or the PostgreSQL
            database that journal.url names. Nodes of that database may be running,
            and see a change within about a second. For any running server, make
            tokens with POST /v1/tokens, list them with GET /v1/tokens and revoke
            them with DELETE /v1/tokens/ID.

            If the environment or --config sets audit.file, these commands note
            changes there as the server does; nothing is changed if that file
            cannot be opened.

            Exit status: 0 done, 64 the command line is wrong, 65 what is stored is
            damaged, 66 there is no token with that id, or no folder, 69 the
            database cannot be reached, 73 there are too many tokens, 78 the folder
            cannot be used, because a server has it open or it is of a newer version.

            Examples:
              callboard token create --name admin --all
              callboard token create --name kitchen --read 'menu-*' --expires 90d
              callboard token list
              callboard token list --journal-url postgresql://callboard@db.example/lists
              callboard token revoke tok_0123456789abcdef
            """,
        subcommands: [TokenCreateCommand.self, TokenListCommand.self, TokenRevokeCommand.self])
}

/// `callboard token list`.
struct TokenListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the tokens of a data folder or a database.",
        discussion: """
            Each line shows a token's id, its name, what it allows, when it was
            made, when it ends and when it was last used. The texts of tokens are
            not stored, so they cannot be shown again. Nothing is changed.

            Examples:
              callboard token list
              callboard token list --data /var/lib/callboard
              callboard token list --json | jq -r 'select(.lastUsedAt == null).id'
            """)

    @OptionGroup var place: TokenPlaceOptions

    @Flag(help: "Print one JSON object a line.")
    var json = false

    func run() async throws {
        try await Program.run {
            let entries = try place.place().list()
            let now = Int(Date().timeIntervalSince1970)
            if json {
                for entry in entries { Output.json(TokenText.json(entry)) }
            } else {
                for line in TokenText.table(entries, now: now) { Output.line(line) }
            }
            return .success
        }
    }
}

/// `callboard token revoke`.
struct TokenRevokeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "revoke",
        abstract: "Revoke tokens of a data folder or a database, for good.",
        discussion: """
            Takes the ids that "callboard token list" shows. If there is no token
            with one of the ids, no token is revoked. A backup that was made before
            still has the tokens: restoring it makes them valid again.

            Examples:
              callboard token revoke tok_0123456789abcdef
              callboard token revoke tok_0123456789abcdef tok_fedcba9876543210 \\
                --data /var/lib/callboard
            """)

    @Argument(help: ArgumentHelp("The ids of the tokens.", valueName: "ID"))
    var ids: [String]

    @OptionGroup var place: TokenPlaceOptions

    func run() async throws {
        try await Program.run {
            let audit = try place.audit()
            let revoked = try await place.place().revoke(ids)
            audit.noteRevoked(revoked)
            for entry in revoked {
                Output.line("revoked \(entry.id) \"\(TextWidth.printable(entry.name))\"")
            }
            return .success
        }
    }
}
