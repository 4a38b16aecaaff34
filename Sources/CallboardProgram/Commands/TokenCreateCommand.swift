import Access
import ArgumentParser
import Foundation

/// `callboard token create`.
struct TokenCreateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "create",
        abstract: "Make a token in a data folder or a database, and print it once.",
        discussion: """
            Each right is for one director's name, for all names with a prefix
            ('menu-*'), or for every director ('*'). Quote patterns with a '*',
            which the shell would expand. Each of these options may be given
            several times.

            Standard output gets the token and nothing else; remarks go to standard
            error. Only the token's digest is stored, so it cannot be shown again.
            A missing folder is made.

            For a database of nodes this works without a server and without another
            token: the database's own credential is enough.

            Examples:
              callboard token create --name admin --all
              callboard token create --name kitchen \\
                --read 'menu-*' --report 'menu-*' --expires 90d
              callboard token create --name feeder --mutate news --mutate weather \\
                --expires 2027-12-31
              TOKEN=$(callboard token create --name probe --operate --expires 12h)
              callboard token create --name ci --all --json | jq -r .token
              callboard token create --name admin --all \\
                --journal-url postgresql://callboard@db.example/lists
            """)

    @Option(help: ArgumentHelp("The token's purpose, up to \(TokenEntry.nameLimit) bytes.", valueName: "NAME"))
    var name: String

    @OptionGroup(title: "Rights") var rights: GrantOptions

    @Option(
        help: ArgumentHelp(
            "When it ends: 30m, 12h, 90d or 2w from now, 2027-12-31 or 2027-12-31T18:00:00Z (default: never).",
            valueName: "WHEN"))
    var expires: TokenExpiry?

    @OptionGroup var place: TokenPlaceOptions

    @Flag(help: "Print the token and what it allows as one JSON object.")
    var json = false

    func validate() throws {
        guard 1...TokenEntry.nameLimit ~= name.utf8.count else {
            throw ValidationError("--name takes 1 to \(TokenEntry.nameLimit) bytes")
        }
        guard !name.hasControlCharacters else {
            throw ValidationError("--name takes no control characters, such as line breaks")
        }
    }

    func run() async throws {
        try await Program.run {
            let now = Int(Date().timeIntervalSince1970)
            let place = try place.place()
            let end = try expires?.seconds(now: now)
            let audit = try self.place.audit()
            let (entry, token) = try await place.create(name: name, grants: rights.grants, expiresAt: end, now: now)
            audit.noteMade(entry)
            // The secret goes to standard output only, and only here.
            if json { Output.json(TokenText.made(entry, text: token.text)) } else { Output.line(token.text) }
            if !json { Output.error(Self.notice(entry, in: place.name)) }
            return .success
        }
    }

    /// The message about a new token, without its text.
    static func notice(_ entry: TokenEntry, in folder: String) -> String {
        let end = entry.expiresAt.map { "ends \(TokenTime.text($0))" } ?? "does not end"
        return """
            made \(entry.id) "\(TextWidth.printable(entry.name))" in "\(folder)": \(TokenText.short(entry.grants)); it \(end)
            keep the token now: it is not stored, and cannot be shown again
            """
    }
}
