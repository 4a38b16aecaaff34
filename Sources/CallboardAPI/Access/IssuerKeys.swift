import Access
import Foundation
import HTTPClient
import Logging
import Notation
import Reactor
import Synchronization
import TLSEngine

/// The keys of the issuers of tokens: fetched when the server starts, every ten minutes while they are used, and for a
/// token with a key that is not known; the old ones are kept while others cannot be had.
///
/// Any thread. Fetching happens on a thread of its own.
final class IssuerKeys: Sendable {
    private struct Fetching {
        var isUnderWay = false
        /// When it was last begun, in seconds since 1970.
        var began = Int.min
        var waiting: [@Sendable () -> Void] = []
        /// When keys were had last, in seconds since 1970.
        var succeeded: Int?
        /// Why the newest fetch has brought none; nil where it has.
        var failure: String?
    }

    /// How the keys of an issuer are.
    struct Standing: Sendable {
        /// The issuer as it was set.
        let settings: IssuerSettings
        /// The number of keys that are there; nil before the first.
        let keys: Int?
        /// When keys were had last, in seconds since 1970.
        let fetchedAt: Int?
        /// Why the newest fetch has brought none; nil where it has.
        let failure: String?
    }

    private struct State {
        var verifier: TokenVerifier
        var fetching: [Name: Fetching] = [:]
    }

    private let settings: [IssuerSettings]
    private let state: Mutex<State>
    private let threads = WaitingThreads(name: "issuer keys", limit: 2, maxWaiting: TokenVerifier.issuerLimit)
    private let logger: Logger
    private let version: String
    private let clock: @Sendable () -> Int

    /// Seconds for which keys are used without being fetched again.
    static let lifetime = 600
    /// Seconds between two fetches of one issuer's keys, however many tokens name keys that are not known.
    static let interval = 30
    /// How long a fetch may take.
    private static let timeout = Duration.seconds(10)
    /// The most requests that wait for the keys of one issuer.
    private static let waitingLimit = 10_000

    /// Makes the keys of these issuers; none is there before ``refresh(_:then:)`` has been called.
    ///
    /// - Throws: `TokenIssuerError` for issuers that cannot stand side by side.
    init(
        _ settings: [IssuerSettings], version: String, logger: Logger, clock: @escaping @Sendable () -> Int
    ) throws(TokenIssuerError) {
        self.settings = settings
        state = Mutex(State(verifier: try TokenVerifier(issuers: settings.map { ($0.issuer, nil) })))
        self.version = version
        self.logger = logger
        self.clock = clock
    }

    /// Whether tokens of others than this server are accepted at all.
    var isEmpty: Bool { settings.isEmpty }

    /// How the keys of each issuer are, in the order of the settings.
    var standings: [Standing] {
        state.withLock { state in
            settings.map { settings in
                let (name, fetching) = (settings.issuer.issuer, state.fetching[settings.issuer.issuer])
                return Standing(
                    settings: settings, keys: state.verifier.keys(of: name)?.keys.count,
                    fetchedAt: fetching?.succeeded, failure: fetching?.failure)
            }
        }
    }

    /// Begins to fetch the keys of all issuers.
    ///
    /// - Parameter changed: Called after each fetch that has brought other keys.
    func refreshAll(_ changed: @escaping @Sendable () -> Void) {
        for issuer in settings { _ = refresh(issuer.issuer.issuer, then: nil, changed) }
    }

    /// Verifies a token with the keys that are there.
    func verify(_ token: String) throws(TokenFault) -> VerifiedToken {
        let verifier = state.withLock { $0.verifier }
        return try verifier.verify(token, now: clock())
    }

    /// Whether an issuer still has a key.
    func has(_ key: KeyThumbprint, of issuer: String) -> Bool {
        state.withLock { $0.verifier.keys(of: issuer) }?.keys.contains { $0.thumbprint == key } ?? false
    }

    /// Whether the keys of an issuer should be fetched again.
    func areOld(of issuer: String) -> Bool {
        let now = clock()
        return state.withLock { state in
            guard let fetching = state.fetching[issuer] else { return true }
            return !fetching.isUnderWay && now &- fetching.began >= Self.lifetime
        }
    }

    /// Fetches the keys of an issuer, unless that was done within ``interval``.
    ///
    /// - Parameters:
    ///   - issuer: The issuer's name.
    ///   - completion: Called once, on another thread, when the fetch that is under way has ended.
    ///   - changed: Called after the fetch if it has brought other keys.
    /// - Returns: Whether the completion is going to be called.
    func refresh(
        _ issuer: String, then completion: (@Sendable () -> Void)?, _ changed: @escaping @Sendable () -> Void
    ) -> Bool {
        guard let settings = settings.first(where: { $0.issuer.issuer.isVerbatim(issuer) }) else { return false }
        enum Step { case begin, wait, refuse }
        let now = clock()
        let step: Step = state.withLock { state in
            var fetching = state.fetching[issuer] ?? Fetching()
            defer { state.fetching[issuer] = fetching }
            guard fetching.waiting.count < Self.waitingLimit else { return .refuse }
            let isSoon = fetching.began != .min && now - fetching.began < Self.interval && now >= fetching.began
            guard fetching.isUnderWay || !isSoon else { return .refuse }
            if let completion { fetching.waiting.append(completion) }
            guard !fetching.isUnderWay else { return .wait }
            fetching.isUnderWay = true
            fetching.began = now
            return .begin
        }
        guard step == .begin else { return step == .wait }
        if !threads.run({ self.fetch(settings, changed) }) {
            end(settings, .failure(KeysFault(description: "too many fetches are under way")), changed)
        }
        return true
    }

    private func fetch(_ settings: IssuerSettings, _ changed: @escaping @Sendable () -> Void) {
        do {
            end(settings, .success(try keys(of: settings.source)), changed)
        } catch {
            logger.warning(
                "the keys of a token issuer cannot be loaded; the server keeps the earlier keys",
                metadata: ["issuer": "\(settings.issuer.issuer)", "reason": "\(error)"])
            end(settings, .failure(error), changed)
        }
    }

    private func end(
        _ settings: IssuerSettings, _ result: Result<KeySet, any Error>, _ changed: @Sendable () -> Void
    ) {
        let (issuer, keys) = (settings.issuer.issuer, try? result.get())
        let now = clock()
        let (isOther, waiting) = state.withLock { state in
            let isOther = keys.map { state.verifier.setKeys($0, of: issuer) } ?? false
            state.fetching[issuer]?.isUnderWay = false
            switch result {
            case .success:
                state.fetching[issuer]?.succeeded = now
                state.fetching[issuer]?.failure = nil
            case .failure(let error): state.fetching[issuer]?.failure = "\(error)"
            }
            let waiting = state.fetching[issuer]?.waiting ?? []
            state.fetching[issuer]?.waiting = []
            return (isOther, waiting)
        }
        if isOther {
            logger.info(
                "an issuer of tokens has new keys",
                metadata: [
                    "issuer": "\(issuer)", "keys": .number(keys?.keys.count ?? 0),
                    "skipped": .number(keys?.skipped ?? 0),
                ])
            changed()
        }
        for completion in waiting { completion() }
    }

    private func keys(of source: IssuerSettings.Source) throws -> KeySet {
        switch source {
        case .file(let path):
            return try KeySet(parsing: try contents(of: path))
        case .url(let url):
            let document = try Download.get(
                url, types: "application/jwk-set+json, application/json", limit: KeySet.byteLimit,
                timeout: Self.timeout, version: version)
            return try KeySet(parsing: document)
        }
    }

    private func contents(of path: String) throws(KeysFault) -> [UInt8] {
        do throws(TLSConfigurationError) {
            // Only a plain file: a pipe can be read once, and the keys are read again.
            return try TLSCertificateFiles.read(path, isSecret: false)
        } catch {
            throw KeysFault(description: "\(path.quoted) cannot be read: \(error)")
        }
    }
}

/// Why keys cannot be had.
private struct KeysFault: Error, CustomStringConvertible {
    let description: String
}
