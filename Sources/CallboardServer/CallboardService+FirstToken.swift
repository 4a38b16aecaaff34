import Access
import CallboardAPI
import DirectorLife
import Dispatch
import Journal
import JournalSQLite
import Logging
import Synchronization

extension CallboardService {
    /// Makes the first token of a server that nobody could use otherwise, and leaves it in the data folder.
    ///
    /// The file is written before the token is stored: a token of which nobody has the text would be the only one.
    /// Blocks until it is stored; called once, before the server listens.
    ///
    /// - Throws: `JournalError` where it cannot be written or stored, and where there is no folder to leave it in.
    func prepareAccess(_ folder: DataFolder?) throws(JournalError) {
        let access = configuration.access
        guard access.mode == .required, application.access.tokens.isEmpty, !access.namesSomebody
        else { return }
        guard let folder else {
            throw .refused(
                "auth.mode is required and nobody could have a credential: there is no token, and no folder to leave one in; "
                    + "keep content in a data folder, or set auth.anonymous")
        }
        try folder.make()
        let token = StaticToken.random()
        try folder.write(secret: token.text, to: folder.firstToken)
        let entry = TokenEntry(
            name: "first token", digest: token.digest, grants: .everything, createdAt: application.access.now)
        let failure = Mutex<StorageError?>(nil)
        let stored = DispatchSemaphore(value: 0)
        application.access.add(entry) { error in
            failure.withLock { $0 = error }
            stored.signal()
        }
        stored.wait()
        if let error = failure.withLock({ $0 }) { throw .unavailable("the first token cannot be stored: \(error)") }
        application.audit?.note(.first(entry))
        logger.notice(
            "the first token was made; it allows everything, and is in a file that only its owner can read",
            metadata: ["file": "\(folder.firstToken)"])
    }
}
