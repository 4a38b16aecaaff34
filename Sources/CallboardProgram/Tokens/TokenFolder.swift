import Access
import Foundation
import Journal
import JournalSQLite

/// The tokens of a data folder that no server has open.
struct TokenFolder: TokenPlace {
    /// The folder's path.
    let path: String

    var name: String { path }

    /// The folder that an option names, else the one that `callboard serve` takes.
    init(_ option: String?) throws {
        path = try DataPath.resolve(option)
    }

    /// Makes a token with a new text, and makes the folder where it is not there.
    ///
    /// - Returns: The stored form, and the text, which is not stored.
    func create(name: String, grants: Grants, expiresAt: Int?, now: Int) async throws -> (TokenEntry, StaticToken) {
        let token = StaticToken.random()
        let entry = TokenEntry(
            name: name, digest: token.digest, grants: grants, createdAt: now, expiresAt: expiresAt)
        try await change(.creating(path)) { entries in
            try checkRoom(entries)
            return [.put(entry)]
        }
        return (entry, token)
    }

    /// All tokens, ordered by when they were made. Changes nothing, also of a folder that an older program has made.
    func list() throws -> [TokenEntry] {
        let fault = DataFault.listingTokens(path)
        try checkDatabase(fault)
        do throws(JournalError) {
            let folder = DataFolder(path: path)
            let lock = try folder.lock()
            defer { lock.release() }
            let journal = try SQLiteJournal(readingOnly: folder.database)
            defer { journal.close() }
            return try journal.tokens.tokens()
        } catch {
            throw fault(error)
        }
    }

    /// Removes tokens, all or none.
    ///
    /// - Parameter arguments: Identifiers; one that is there twice counts once.
    /// - Returns: The tokens that were removed.
    func revoke(_ arguments: [String]) async throws -> [TokenEntry] {
        let fault = DataFault.revokingTokens(path)
        try checkDatabase(fault)
        var revoked: [TokenEntry] = []
        try await change(fault) { entries in
            revoked = try TokenSelection(arguments).entries(among: entries, in: path)
            return revoked.map { .remove(id: $0.id) }
        }
        return revoked
    }

    /// Opens the journal, stores the changes that follow from its tokens, and closes it.
    private func change(_ fault: DataFault, _ changes: ([TokenEntry]) throws -> [TokenChange]) async throws {
        let journal: SQLiteJournal
        let found: [TokenEntry]
        do throws(JournalError) {
            journal = try DataFolder(path: path).open().journal
        } catch {
            throw fault(error)
        }
        defer { journal.close() }
        do throws(JournalError) {
            found = try journal.tokens.tokens()
        } catch {
            throw fault(error)
        }
        let changes = try changes(found)
        let result = await withCheckedContinuation { continuation in
            journal.tokens.write(changes) { continuation.resume(returning: $0) }
        }
        if case .failure(let error) = result {
            throw ProgramError(
                "cannot \(fault.purpose): \(error)",
                advice: "see that the disk has room and that this user may write there",
                status: .ioError)
        }
    }

    /// Refuses a folder without a journal: reading must not make one.
    private func checkDatabase(_ fault: DataFault) throws {
        let path = try DataPath.existing(path)
        guard FileManager.default.fileExists(atPath: DataFolder(path: path).database) else {
            throw fault(.refused("there is no journal in it"))
        }
    }
}

extension DataFault {
    fileprivate static func creating(_ folder: String) -> DataFault {
        tokens("make a token in \"\(folder)\"", folder, request: "made with POST /v1/tokens")
    }

    fileprivate static func listingTokens(_ folder: String) -> DataFault {
        tokens("list the tokens of \"\(folder)\"", folder, request: "listed with GET /v1/tokens")
    }

    fileprivate static func revokingTokens(_ folder: String) -> DataFault {
        tokens("revoke tokens of \"\(folder)\"", folder, request: "revoked with DELETE /v1/tokens/ID")
    }

    private static func tokens(_ purpose: String, _ folder: String, request: String) -> DataFault {
        DataFault(
            purpose: purpose, file: "callboard.db",
            refusal: "the tokens of a running server are \(request); --data names another folder",
            damage: "\"callboard check \(folder)\" lists what is damaged")
    }
}
