import Access
import DirectorLife
import HTTPServer
import Journal
import Logging
import Synchronization

/// A server's access control: the known tokens, and the check of presented credentials.
///
/// Any thread. Requests take the way over `LoopCredentials`, which asks here for a credential that its loop has not seen;
/// a principal that was found is asked about again when `revision` has been raised.
package final class AccessControl: Sendable {
    /// Whether nobody is asked.
    let isOpen: Bool
    /// Who presents no credential.
    let anonymous: Principal
    /// The key of stream tickets: the nodes' key in a cluster, otherwise a new key at each start, since tickets are
    /// short-lived.
    let ticketKey: TicketKey
    /// Raised by each change that may end a credential.
    let revision = Atomic<Int>(1)

    private let configuration: AccessConfiguration
    private let book: Mutex<TokenBook>
    private let keys: IssuerKeys
    private let failures = Mutex(FailedAttempts())
    private let store: any TokenStore
    private let logger: Logger
    private let clock: @Sendable () -> Int

    /// Seconds between two notes of when a token was used.
    static let noteInterval = 3600

    /// Makes the control of a server.
    ///
    /// - Parameters:
    ///   - configuration: The mode, and what may be done without a credential.
    ///   - store: Where tokens are kept; read here, which blocks.
    ///   - secret: What the nodes of a cluster share; nil for a server by itself.
    ///   - clock: The seconds since 1970.
    /// - Throws: `JournalError` where the tokens cannot be read, or issuers cannot stand side by side.
    init(
        _ configuration: AccessConfiguration, store: any TokenStore, secret: SharedSecret? = nil, logger: Logger,
        clock: @escaping @Sendable () -> Int = StoreClock.now
    ) throws(JournalError) {
        self.configuration = configuration
        ticketKey = secret.map { TicketKey(of: $0) } ?? .random()
        isOpen = configuration.mode == .none
        anonymous = Principal(source: .anonymous, grants: configuration.anonymous)
        book = Mutex(TokenBook(try store.tokens()))
        do {
            keys = try IssuerKeys(
                configuration.issuers, version: Application.version, logger: logger, clock: clock)
        } catch {
            throw .refused("auth.issuers: \(error)")
        }
        self.store = store
        self.logger = logger
        self.clock = clock
    }

    /// The seconds since 1970.
    package var now: Int { clock() }

    /// How the keys of each issuer are, in the order of the settings.
    var issuers: [IssuerKeys.Standing] { keys.standings }

    // MARK: Credentials

    /// Finds out whose credential a text is; a text that was found before is looked up in ``LoopCredentials``.
    ///
    /// - Complexity: One SHA-256 and one look-up.
    func principal(of credential: String) throws(CredentialFault) -> Principal {
        // A change that comes meanwhile makes the principal be checked again.
        let revision = revision.load(ordering: .acquiring)
        guard credential.hasPrefix(StaticToken.prefix) else { return try issued(credential, revision) }
        let token: StaticToken
        do {
            token = try StaticToken(credential)
        } catch {
            throw .malformed(error)
        }
        let digest = token.digest
        guard let entry = book.withLock({ $0[digest] }) else { throw .unknown }
        let principal = Principal(
            source: .token(id: entry.id, name: entry.name), grants: entry.grants, expiresAt: entry.expiresAt,
            revision: revision, notedUse: entry.lastUsedAt ?? 0)
        if let fault = fault(of: principal) { throw fault }
        return principal
    }

    private func issued(_ credential: String, _ revision: Int) throws(CredentialFault) -> Principal {
        guard !keys.isEmpty else { throw .unsupported }
        do {
            let token = try keys.verify(credential)
            return Principal(
                source: .issued(token), grants: token.grants, expiresAt: token.expiresAt, revision: revision)
        } catch {
            throw .token(error)
        }
    }

    /// The principal of a client's certificate.
    ///
    /// - Complexity: O(names, and entries of `auth.certificates`).
    func principal(of certificate: PeerCertificate) -> Principal {
        Principal(
            source: .certificate(certificate.names.first ?? "no name"), grants: configuration.grants(of: certificate),
            expiresAt: certificate.notAfter + 1)
    }

    /// The fault of an authenticated principal; nil while it is valid, and then its use is noted.
    ///
    /// - Complexity: Two reads of memory where nothing has changed since it was checked, and one of the clock.
    func fault(of principal: Principal) -> CredentialFault? {
        let now = clock()
        if let end = principal.expiresAt, now >= end { return .expired }
        let revision = revision.load(ordering: .acquiring)
        if principal.checkedRevision.load(ordering: .relaxed) != revision {
            guard isKnown(principal) else { return .revoked }
            principal.checkedRevision.store(revision, ordering: .relaxed)
        }
        noteUse(of: principal, now: now)
        return nil
    }

    private func isKnown(_ principal: Principal) -> Bool {
        switch principal.source {
        case .everybody, .anonymous, .certificate, .node: true
        case .token(let id, _): book.withLock { $0[id: id] } != nil
        case .issued(let token): keys.has(token.key, of: token.issuer)
        }
    }

    // MARK: Issuers' keys

    /// Begins to fetch the keys of all issuers.
    package func fetchKeys() {
        keys.refreshAll { self.noteChange() }
    }

    /// Fetches keys that a token was refused for, unless they were fetched just now.
    ///
    /// - Parameter completion: Called once, on another thread, where the answer is true: the token is to be tried again.
    func fetchKeys(for fault: TokenFault, then completion: @escaping @Sendable () -> Void) -> Bool {
        switch fault {
        case .noKeys(let issuer), .unknownKey(let issuer, _):
            keys.refresh(issuer, then: completion) { self.noteChange() }
        default: false
        }
    }

    /// Makes every principal be checked again.
    private func noteChange() {
        revision.wrappingAdd(1, ordering: .releasing)
    }

    // MARK: Uses

    /// Notes that a static token is in use, once an hour; looks after the keys of other tokens, once a minute.
    private func noteUse(of principal: Principal, now: Int) {
        switch principal.source {
        case .everybody, .anonymous, .certificate, .node: return
        case .token(let id, _): noteUse(of: principal, id: id, now: now)
        case .issued(let token):
            let looked = principal.notedUse.load(ordering: .relaxed)
            guard now >= looked + 60 || now < looked else { return }
            principal.notedUse.store(now, ordering: .relaxed)
            if keys.areOld(of: token.issuer) { _ = keys.refresh(token.issuer, then: nil) { self.noteChange() } }
        }
    }

    private func noteUse(of principal: Principal, id: String, now: Int) {
        let noted = principal.notedUse.load(ordering: .relaxed)
        guard now >= noted + Self.noteInterval || now < noted - Self.noteInterval,
            principal.notedUse.compareExchange(expected: noted, desired: now, ordering: .relaxed).exchanged
        else { return }
        let isLatest = book.withLock { $0.noteUse(id: id, at: now, interval: Self.noteInterval) }
        // A note that is lost is made an hour later.
        if isLatest { store.write([.used(id: id, at: now)]) { _ in } }
    }

    // MARK: Failed attempts

    /// Refuses another attempt from an address that has failed too often: the seconds to wait; nil where it may try.
    func delay(of address: String) -> Int? {
        failures.withLock { $0.delay(of: address, now: clock()) }
    }

    /// Takes note of a credential that was not good.
    func noteFailure(from address: String) {
        failures.withLock { $0.note(address, now: clock()) }
    }

    // MARK: Tokens

    /// The tokens, ordered by when they were made.
    package var tokens: [TokenEntry] { book.withLock { $0.sorted } }

    /// How many tokens there are.
    var tokenCount: Int { book.withLock { $0.count } }

    /// The token with an identifier.
    func token(id: String) -> TokenEntry? { book.withLock { $0[id: id] } }

    /// Takes over the tokens that are stored, which another node has changed.
    package func replace(_ entries: [TokenEntry]) {
        let known = book.withLock { book in
            defer { book = TokenBook(entries) }
            return book.sorted
        }
        noteChange()
        let (before, after) = (Set(known.map(\.id)), Set(entries.map(\.id)))
        for entry in entries where !before.contains(entry.id) {
            logger.notice(
                "a token was made on another node or by a command",
                metadata: ["token": "\(entry.id)", "name": "\(entry.name)"])
        }
        for entry in known where !after.contains(entry.id) {
            logger.notice(
                "a token was revoked on another node or by a command",
                metadata: ["token": "\(entry.id)", "name": "\(entry.name)"])
        }
    }

    /// Stores a token, and calls the completion when it can be used or was not stored.
    package func add(_ entry: TokenEntry, completion: @escaping @Sendable (StorageError?) -> Void) {
        store.write([.put(entry)]) { result in
            switch result {
            case .success:
                self.book.withLock { $0.insert(entry) }
                self.logger.notice("a token was made", metadata: ["token": "\(entry.id)", "name": "\(entry.name)"])
                completion(nil)
            case .failure(let error): completion(error)
            }
        }
    }

    /// Revokes a token, and calls the completion when it is good no longer or that was not stored.
    func revoke(id: String, completion: @escaping @Sendable (StorageError?) -> Void) {
        store.write([.remove(id: id)]) { result in
            switch result {
            case .success:
                _ = self.book.withLock { $0.remove(id: id) }
                self.noteChange()
                self.logger.notice("a token was revoked", metadata: ["token": "\(id)"])
                completion(nil)
            case .failure(let error): completion(error)
            }
        }
    }
}
