import Access
import ArgumentParser
import Foundation
import Journal
import JournalPostgres

/// The place of the tokens that a command works on.
struct TokenPlaceOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The data folder (default: CALLBOARD_DATA, else callboard-data).", valueName: "FOLDER"))
    var data: String?

    @Option(
        help: ArgumentHelp(
            "The PostgreSQL database in place of a folder (default: CALLBOARD_JOURNAL_URL).", valueName: "URL"))
    var journalUrl: String?

    @Option(
        help: ArgumentHelp(
            "The server's settings file, for data and journal.url (default: CALLBOARD_CONFIG).",
            valueName: "FILE"))
    var config: String?

    func validate() throws {
        guard data == nil || journalUrl == nil else {
            throw ValidationError("--data names a folder and --journal-url a database; the tokens are in one of them")
        }
    }

    /// The place in force, as `callboard serve` would find it.
    func place(environment: [String: String] = ProcessInfo.processInfo.environment) throws -> any TokenPlace {
        if let data { return try TokenFolder(data) }
        let storage = try loader(environment).storage()
        return try storage.isDatabase ? TokensOfDatabase(url: storage.url) : TokenFolder(storage.data)
    }

    /// The audit of `callboard serve` with the same settings, opened: a change that cannot be noted is not begun.
    func audit(environment: [String: String] = ProcessInfo.processInfo.environment) throws -> TokenAudit {
        try TokenAudit(path: loader(environment).places().audit)
    }

    private func loader(_ environment: [String: String]) throws -> SettingsLoader {
        try ServeCommand.loader(
            flags: ["journal.url": journalUrl.map { .text($0) }].compactMapValues { $0 }, config: config,
            environment: environment)
    }
}

/// The store of static tokens: a data folder that no server has open, or a database.
protocol TokenPlace {
    /// The place's name in messages, without secrets.
    var name: String { get }

    /// Makes a token with a new text.
    ///
    /// - Returns: The stored form, and the text, which is not stored.
    func create(name: String, grants: Grants, expiresAt: Int?, now: Int) async throws -> (TokenEntry, StaticToken)

    /// All tokens, ordered by when they were made. Changes nothing.
    func list() throws -> [TokenEntry]

    /// Removes tokens, all or none.
    ///
    /// - Parameter arguments: Identifiers; one that is there twice counts once.
    /// - Returns: The tokens that were removed.
    func revoke(_ arguments: [String]) async throws -> [TokenEntry]
}

extension TokenPlace {
    /// Refuses one more token than are kept.
    func checkRoom(_ entries: [TokenEntry]) throws {
        guard entries.count >= TokenBook.limit else { return }
        throw ProgramError(
            "\"\(name)\" has \(Count.of(entries.count, "token")), and no more are kept",
            advice: "\"callboard token revoke\" makes room", status: .cannotCreate)
    }
}

/// The tokens of a PostgreSQL database, without a server and beside nodes that share it.
struct TokensOfDatabase: TokenPlace {
    private let address: DatabaseAddress

    /// Names a database.
    init(url: String) throws {
        do throws(JournalError) {
            address = try DatabaseAddress(url)
        } catch {
            throw ProgramError(
                "journal.url: \(error)", advice: "it takes a URL such as postgresql://callboard@db.example/lists",
                status: .configuration)
        }
    }

    var name: String { address.description }

    func create(name: String, grants: Grants, expiresAt: Int?, now: Int) async throws -> (TokenEntry, StaticToken) {
        let token = StaticToken.random()
        let entry = TokenEntry(
            name: name, digest: token.digest, grants: grants, createdAt: now, expiresAt: expiresAt)
        try run("make a token in") { database throws(JournalError) in
            try database.tokens()
        } then: { entries in
            try checkRoom(entries)
            return [.put(entry)]
        }
        return (entry, token)
    }

    func list() throws -> [TokenEntry] {
        var found: [TokenEntry] = []
        try run("list the tokens of", makes: false) { database throws(JournalError) in
            try database.tokens()
        } then: { entries in
            found = entries
            return []
        }
        return found
    }

    func revoke(_ arguments: [String]) async throws -> [TokenEntry] {
        var revoked: [TokenEntry] = []
        try run("revoke tokens of", makes: false) { database throws(JournalError) in
            try database.tokens()
        } then: { entries in
            revoked = try TokenSelection(arguments).entries(among: entries, in: name)
            return revoked.map { .remove(id: $0.id) }
        }
        return revoked
    }

    /// Connects, reads, and makes the changes that follow.
    private func run(
        _ purpose: String, makes: Bool = true,
        _ read: (TokenDatabase) throws(JournalError) -> [TokenEntry],
        then changes: ([TokenEntry]) throws -> [TokenChange]
    ) throws {
        do {
            let database = try TokenDatabase(address, makes: makes)
            let changes = try changes(read(database))
            if !changes.isEmpty { try database.change(changes) }
        } catch let error as JournalError {
            let fault = DataFault(
                purpose: "\(purpose) \(address)",
                refusal:
                    "while a server has the database for itself, make tokens with POST /v1/tokens, list them with GET "
                    + "and revoke them with DELETE; if nobody has a token, stop the server first",
                damage: "\"callboard serve --set-aside\" starts without damaged tokens, and keeps them apart",
                isDatabase: true)
            throw fault(error)
        }
    }
}
