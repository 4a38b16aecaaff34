import DequeModule
import Directors
import HTTPServer
import HTTPWire
import Journal
import Reactor

/// A director at work: its state, its versions and its feed, on one event loop.
///
/// The director's name picks the loop, and whatever touches the director runs there, one thing after the other. A
/// connection of the same loop enters with `assumeIsolated`, without a hop; any other comes through the loop's queue.
///
/// There are two states. Mutations change `director`, each on what the one before has left, while the journal is still
/// storing those before; so one commit takes many of them. Everyone else is told of `stored`, the state after the newest
/// record that is on disk. Where storing fails, `director` goes back to `stored`: nothing of what was lost was ever seen.
actor DirectorHost {
    /// The director's name.
    nonisolated let name: String
    /// Which life of that name this is.
    nonisolated let epoch: String
    /// The loop that the director lives on.
    nonisolated let loop: EventLoop
    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    /// What the next mutation starts from; ahead of `stored` while the journal is at work.
    var director: Director
    /// What is stored, and what readers and subscribers are told of.
    var stored: Director
    /// Where the director is in its life.
    var phase: Phase
    /// The versions that can be read, resumed from and spanned; all of them are stored.
    var history: VersionHistory
    /// The version that was published when the definition last changed, so that a stream that resumes from there or
    /// before is told of it; `nil` while it has not changed.
    var definitionVersion: Int?
    /// Encoded events that every stream in the same place gets.
    var openings: OpeningCache
    /// What the targets of hooks have answered about the newest version.
    var answerCache = AnswerCache()

    /// The entity tag that was written last, and of which revision.
    var writtenTag = ""
    var taggedRevision = -1

    /// Where mutations are stored.
    let journal: any Journal
    let loopJournal: LoopJournal
    /// What is on its way through the journal, in order.
    var underWay = Deque<Underway>()
    /// The number of the newest record of this life that was given to the journal, and of the newest that is stored.
    var lastNumber: Int
    var storedNumber: Int
    /// The answers to repeated requests.
    var idempotency: IdempotencyStore

    let feed: FeedConfiguration
    let counters: DirectorCounters
    /// The sequence of the feed's next entry.
    var nextSequence = 0
    /// The director's hubs, one for each loop with a stream or with one on its way.
    var hubs: [ObjectIdentifier: HubPlaces] = [:]
    private let registry: DirectorRegistry
    /// What calls the targets of hooks; nil where the server has none, as in some tests.
    let hookCaller: @Sendable () -> HookCaller?

    /// Where a director is in its life.
    enum Phase {
        /// Its first record is not stored yet: nobody sees it.
        case beginning
        /// It is there.
        case living
        /// Its last record is not stored yet: it can be read, but not changed.
        case ending
        /// It is gone: whoever still holds the host finds nothing.
        case over
    }

    /// Makes the host of a director that has not been stored yet.
    init(_ director: Director, loop: EventLoop, application: Application) {
        name = director.name
        epoch = director.epoch
        self.loop = loop
        self.director = director
        stored = director
        phase = .beginning
        lastNumber = 0
        storedNumber = 0
        idempotency = IdempotencyStore()
        feed = application.configuration.feed
        counters = application.counters
        journal = application.journal
        loopJournal = application.journal(on: loop)
        registry = application.registry
        hookCaller = { [weak application] in application?.hooks }
        history = VersionHistory(first: director.published, adapters: director.adapters, feed: feed)
        openings = OpeningCache(maxBytes: feed.windowBytes)
    }

    /// Makes the host of a director that was read from the journal.
    init(recovered: RecoveredDirector, loop: EventLoop, application: Application) {
        name = recovered.director.name
        epoch = recovered.director.epoch
        self.loop = loop
        director = recovered.director
        stored = recovered.director
        phase = .living
        lastNumber = recovered.number
        storedNumber = recovered.number
        definitionVersion = recovered.definitionVersion
        idempotency = IdempotencyStore(recovered.answers)
        feed = application.configuration.feed
        counters = application.counters
        journal = application.journal
        loopJournal = application.journal(on: loop)
        registry = application.registry
        hookCaller = { [weak application] in application?.hooks }
        history = VersionHistory(recovered, feed: feed)
        openings = OpeningCache(maxBytes: feed.windowBytes)
        counters.retainedVersions.add(history.count)
        counters.retainedBytes.add(history.bytes)
    }

    /// True once the director has been deleted.
    var isDeleted: Bool {
        if case .over = phase { return true }
        return false
    }

    // MARK: Requests

    /// Runs a route's action and answers the call once what it did is stored.
    func run(_ call: Call, _ action: (Call, isolated DirectorHost) throws(Problem) -> Outcome) {
        do throws(Problem) {
            let isRead = call.route.method == .get
            try checkPhase(isRead: isRead)
            if isRead {
                let outcome = try readingStored { () throws(Problem) in try action(call, self) }
                return deliver(outcome, .call(call))
            }
            let key = try idempotencyKey(call)
            if let key, let answer = try repeated(key, call) { return call.answer(answer) }
            do throws(Problem) {
                store(try action(call, self), for: .call(call), key: key)
            } catch {
                refuse(call, error, key: key)
            }
        } catch {
            call.answer(error)
        }
    }

    /// Runs the action of a route that answers by itself, once others have done their part.
    func runLater(_ call: Call, _ action: (Call, isolated DirectorHost, String?) throws(Problem) -> Void) {
        do throws(Problem) {
            try checkPhase(isRead: false)
            let key = try idempotencyKey(call)
            if let key, let answer = try repeated(key, call) { return call.answer(answer) }
            if let key { idempotency.begin(key, fingerprint: call.fingerprint) }
            do throws(Problem) {
                try action(call, self, key)
            } catch {
                finish(call, error, key: key)
            }
        } catch {
            call.answer(error)
        }
    }

    /// Runs the action that brings the director into being, before anyone else can reach it.
    func begin(_ call: Call, _ action: (Call, isolated DirectorHost) throws(Problem) -> Outcome) {
        do throws(Problem) {
            store(try action(call, self), for: .call(call), key: nil)
        } catch {
            forget()
            call.answer(error)
        }
    }

    private func checkPhase(isRead: Bool) throws(Problem) {
        switch phase {
        case .living: return
        case .over: throw .notFound("The director \(name.quoted) has been deleted.")
        case .ending where isRead: return
        case .ending: throw .conflict("The director \(name.quoted) is being deleted; ask again.")
        case .beginning where isRead: throw .notFound("There is no director \(name.quoted) yet; it is being created.")
        case .beginning: throw .conflict("The director \(name.quoted) is being created by someone else; ask again.")
        }
    }

    /// Reads with `director` at what is stored: a reader is never told of what may yet be lost.
    func readingStored<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
        guard !underWay.isEmpty else { return try body() }
        let ahead = director
        director = stored
        defer { director = ahead }
        return try body()
    }

    /// Leaves the registry: nobody finds the director any more.
    func forget() {
        phase = .over
        registry.remove(self)
    }
}
