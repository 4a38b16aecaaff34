import Directors
import HTTPServer
import HTTPWire
import JSONValues
import Journal
import Reactor

/// A director at work: its state, its versions and its feed, on one event loop.
///
/// The director's name picks the loop, and whatever touches the director runs there, one thing after the other. A
/// connection of the same loop enters with `assumeIsolated`, without a hop; any other comes through the loop's queue.
actor DirectorHost {
    /// The director's name.
    nonisolated let name: String
    /// Which life of that name this is.
    nonisolated let epoch: String
    /// The loop that the director lives on.
    nonisolated let loop: EventLoop
    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    /// The director itself.
    var director: Director
    /// The versions that can be read, resumed from and spanned.
    var history: VersionHistory
    /// True once the director has been deleted: whoever still holds the host finds nothing.
    var isDeleted = false
    /// The version that was published when the definition last changed, so that a stream that resumes from there or
    /// before is told of it; `nil` while it has not changed.
    var definitionVersion: Int?
    /// Encoded events that every stream in the same place gets.
    var openings: OpeningCache

    /// The entity tag that was written last, and of which revision.
    var writtenTag = ""
    var taggedRevision = -1

    let feed: FeedConfiguration
    let counters: DirectorCounters
    private let journal: any Journal
    private var idempotency = IdempotencyStore()
    private var sequence = 0
    private var hubs: [ObjectIdentifier: FeedHub] = [:]

    /// Makes the host of a director that has not been seen yet.
    init(_ director: Director, loop: EventLoop, application: Application) {
        name = director.name
        epoch = director.epoch
        self.loop = loop
        self.director = director
        feed = application.configuration.feed
        counters = application.counters
        journal = application.journal
        history = VersionHistory(first: director.published, feed: application.configuration.feed)
        openings = OpeningCache(maxBytes: application.configuration.feed.windowBytes)
    }

    // MARK: Requests

    /// Runs a route's action and answers the call once what it did is stored.
    func run(_ call: Call, _ action: (Call, isolated DirectorHost) throws(Problem) -> Outcome) {
        guard !isDeleted else { return call.answer(Problem.notFound("The director \"\(name)\" has been deleted.")) }
        do throws(Problem) {
            let key = try idempotencyKey(call)
            if let key, let answer = try repeated(key, call) { return answer.give(to: call) }
            do throws(Problem) {
                commit(try action(call, self), of: call, key: key)
            } catch {
                if let key, error.status.code < 500 { remember(key, call, .problem(error)) }
                call.answer(error)
            }
        } catch {
            call.answer(error)
        }
    }

    private func commit(_ outcome: Outcome, of call: Call, key: String?) {
        guard !outcome.entries.isEmpty else {
            if let key { remember(key, call, .reply(outcome.reply)) }
            return deliver(outcome, call)
        }
        if let key { idempotency.begin(key, fingerprint: call.fingerprint) }
        let record = JournalRecord(director: name, epoch: epoch, entries: outcome.entries)
        journal.append(record) { [loop] result in
            if loop.isCurrent {
                self.assumeIsolated { $0.stored(result, outcome, call, key) }
            } else {
                loop.execute { self.assumeIsolated { $0.stored(result, outcome, call, key) } }
            }
        }
    }

    private func stored(
        _ result: Result<JournalSequence, JournalError>, _ outcome: Outcome, _ call: Call, _ key: String?
    ) {
        switch result {
        case .success:
            if let key { remember(key, call, .reply(outcome.reply)) }
            deliver(outcome, call)
        case .failure(let error):
            if let key { idempotency.abandon(key) }
            call.answer(Problem(error))
        }
    }

    private func deliver(_ outcome: Outcome, _ call: Call) {
        if !outcome.entries.isEmpty { counters.mutations.add() }
        for event in outcome.events { append(event) }
        if let producer = outcome.stream {
            call.stream(from: producer)
        } else {
            call.answer(outcome.reply)
        }
    }

    // MARK: Idempotency

    private func idempotencyKey(_ call: Call) throws(Problem) -> String? {
        guard call.route.method == .post, let key = call[.idempotencyKey] else { return nil }
        guard (1...IdempotencyStore.maxKeyLength).contains(key.utf8.count),
            key.utf8.allSatisfy({ (0x21...0x7e).contains($0) })
        else {
            throw .badRequest("Idempotency-Key must be 1 to \(IdempotencyStore.maxKeyLength) visible ASCII characters.")
        }
        return key
    }

    private func repeated(_ key: String, _ call: Call) throws(Problem) -> IdempotencyStore.Answer? {
        switch idempotency.look(up: key, fingerprint: call.fingerprint, now: loop.now) {
        case .new: return nil
        case .repeated(let answer): return answer
        case .underWay:
            throw .conflict("The request with the Idempotency-Key \"\(key)\" is under way; ask again for its answer.")
        case .mismatch:
            throw .unprocessable(
                "The Idempotency-Key \"\(key)\" was used for another request within 24 hours; take a new key.")
        }
    }

    private func remember(_ key: String, _ call: Call, _ answer: IdempotencyStore.Answer) {
        idempotency.remember(key, fingerprint: call.fingerprint, answer: answer, now: loop.now)
    }

    // MARK: The feed

    /// The director's hub on a loop, made when the first stream of that loop asks.
    func hub(on loop: EventLoop) -> FeedHub {
        if let hub = hubs[ObjectIdentifier(loop)] { return hub }
        let hub = FeedHub(loop: loop, startingAt: sequence, feed: feed)
        hubs[ObjectIdentifier(loop)] = hub
        return hub
    }

    /// The sequence of the feed's next entry.
    var nextSequence: Int { sequence }

    /// Lets go of a deleted director's content, versions and hubs.
    ///
    /// A stream that follows other directors besides holds on to the host for as long as it lasts.
    private func release() {
        counters.retainedVersions.add(-history.count)
        counters.retainedBytes.add(-history.bytes)
        director = Director(name: name, epoch: epoch, properties: director.properties)
        history = VersionHistory(first: director.published, feed: feed)
        openings.clear()
        idempotency = IdempotencyStore()
        hubs.removeAll()
    }

    /// Keeps a version that is stored now.
    private func retain(_ state: PublishedState, _ frame: EventFrame) {
        let (count, bytes) = (history.count, history.bytes)
        history.append(state, changeset: frame)
        counters.versions.add()
        counters.changesetBytes.add(frame.bytes.count)
        counters.retainedVersions.add(history.count - count)
        counters.retainedBytes.add(history.bytes - bytes)
    }

    /// Appends an event to the feed: every loop with subscribers gets it through its queue, in this order.
    private func append(_ event: FeedEvent) {
        if let state = event.state { retain(state, event.frame) }
        openings.clear()
        let entry = FeedEntry(sequence: sequence, version: event.version, frame: event.frame, isLast: event.isLast)
        sequence += 1
        for hub in hubs.values {
            hub.loop.execute { hub.assumeIsolated { $0.append(entry) } }
        }
        if event.isLast { release() }
    }
}

extension IdempotencyStore.Answer {
    /// Gives the answer once more.
    fileprivate func give(to call: Call) {
        switch self {
        case .reply(let reply): call.answer(reply)
        case .problem(let problem): call.answer(problem)
        }
    }
}

extension Call {
    /// Tells two requests apart that bear the same key: method, target and body.
    var fingerprint: Int {
        var hasher = Hasher()
        hasher.combine(exchange.head.method.rawValue)
        hasher.combine(exchange.head.target)
        hasher.combine(exchange.body)
        return hasher.finalize()
    }
}
