import Access
import CallboardAPI
import Foundation

/// The audit log of a server, in which a command notes what it has done to the server's tokens.
struct TokenAudit {
    private let file: AuditFile?
    /// The author in the audit: the user who runs the command.
    private let user = "command of \(NSUserName())"

    /// Opens the file that `audit.file` names; nil for none.
    ///
    /// - Throws: ``ProgramError`` where it cannot be opened.
    init(path: String?) throws {
        do {
            file = try path.map(AuditFile.init)
        } catch {
            throw ProgramError(
                "nothing was changed, because the change cannot be noted in audit.file: \(error)",
                advice: "have audit.file name a file that this user may write", status: .cannotCreate)
        }
    }

    /// Notes a token that was made.
    func noteMade(_ entry: TokenEntry) { note([.made(entry, by: user)]) }

    /// Notes tokens that were revoked.
    func noteRevoked(_ entries: [TokenEntry]) { note(entries.map { .revoked($0, by: user) }) }

    private func note(_ entries: [AuditEntry]) {
        do {
            try file?.append(entries)
        } catch {
            Output.error("warning: the change was made, but is not in the audit file: \(error.localizedDescription)")
        }
    }
}
