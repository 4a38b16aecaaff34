import DirectorLife
import Directors
import Feed
import HTTPTypes
import HTTPWire
import Hosting
import Journal
import Reactor

extension Application {
    /// Has a route's action run where it belongs: the last step of the pipeline.
    ///
    /// Called on the connection's loop. On a node among several, what belongs to another node goes there.
    func run(_ call: Call) throws(Problem) {
        guard let cluster = environment.cluster else { return try runHere(call) }
        try dispatch(call, cluster)
    }

    /// Has a route's action run on this node.
    ///
    /// An action on a director runs on the director's loop: at once if that is the present loop, through the loop's
    /// queue otherwise.
    func runHere(_ call: Call) throws(Problem) {
        switch call.route.action {
        case .service(let action), .define(let action):
            try action(call, self)
        case .read, .change, .transfer, .announce, .stream, .report, .prepare:
            try host(of: call).enter((self, call)) { $1.0.run($1.1, on: $0) }
        }
    }

    /// The director that the path names.
    private func host(of call: Call) throws(Problem) -> DirectorHost {
        guard let host = try host(named: call.parameters[0]) else { throw .noDirector(call.parameters[0]) }
        return host
    }

    private func run(_ call: Call, on host: isolated DirectorHost) {
        if call.route.isOfHooks, host.view != nil { return run(call, onHooksOf: host) }
        switch call.route.action {
        case .service, .define: break
        case .read(let action):
            if call.route.asksSources, host.asksSources(for: call) {
                return host.askSourcesAtRead { self.read(call, on: $0, action) }
            }
            read(call, on: host, action)
        case .change(let action), .announce(let action):
            if let view = host.view, !call.route.isOfDefinition { return call.answer(.derived(view)) }
            if call.route.asksSources, mayAskSources(call, host) {
                return host.askSourcesAtReload { self.run(call, on: $0, action) }
            }
            run(call, on: host, action)
        case .transfer(let list):
            if let view = host.view { return call.answer(.derived(view)) }
            do throws(Problem) {
                transfer(call, from: host, try list(call))
            } catch {
                call.answer(error)
            }
        case .stream(let stream, let action):
            if call.readsChangesets, host.asksSources(for: call) {
                return host.askSourcesAtRead { self.stream(call, on: $0, stream, otherwise: action) }
            }
            self.stream(call, on: host, stream, otherwise: action)
        case .report(let action):
            if isView(host, to: call) { return report(call, atView: host) }
            if call.query.hasParameters { return call.answer(.withoutParameters(host.name)) }
            report(call, on: host, action)
        case .prepare(let action):
            if let view = host.view { return call.answer(.derived(view)) }
            report(call, on: host, action)
        }
    }

    private func stream(
        _ call: Call, on host: isolated DirectorHost, _ stream: Route.Stream, otherwise action: @escaping Route.Read
    ) {
        do throws(Problem) {
            try admit(isRead: true, host)
            let source: any FeedSource = isView(host, to: call) ? try instance(of: host, for: call) : host
            if let producer = try stream(call, source) {
                call.stream(from: producer)
            } else {
                read(call, on: host, action)
            }
        } catch {
            call.answer(error)
        }
    }

    private func read(
        _ call: Call, on host: isolated DirectorHost, _ action: @escaping Route.Read
    ) {
        do throws(Problem) {
            try admit(isRead: true, host)
            if isView(host, to: call) { return try readView(call, host, action) }
            if call.query.hasParameters { throw .withoutParameters(host.name) }
            call.answer(try action(call, Reading(state: host.stored, tag: host.tag)))
        } catch {
            call.answer(error)
        }
    }

    // MARK: Changes

    /// Whether sources are asked before a request is carried out: not for one that is refused if the director has changed
    /// since, nor for the repetition of one that was answered.
    private func mayAskSources(_ call: Call, _ host: isolated DirectorHost) -> Bool {
        guard host.hasSourcesAtReload, call[.ifMatch] == nil, call.principal.has(.mutate, on: host.name) else {
            return false
        }
        guard let key = try? call.commandKey else { return true }
        return if case .new = host.lookUp(key) { true } else { false }
    }

    /// Runs a mutation; a repetition of one with a key is given the first one's answer.
    ///
    /// While a long mutation of the director is carried out, it waits for its turn.
    ///
    /// - Parameter again: The closure to call when its turn has come; nil for the same again.
    func run(
        _ call: Call, on host: isolated DirectorHost, again: DirectorHost.WaitingCommand? = nil,
        _ action: @escaping Route.Change
    ) {
        guard !host.mustWaitForTurn() else {
            return host.waitForTurn(again ?? { self.run(call, on: $0, action) })
        }
        do throws(Problem) {
            if carriesAgain(call, from: host, key: nil) { return }
            try admit(isRead: false, host)
            let key = try call.commandKey
            if let key, let answer = try repeated(key, call, host) { return call.answer(answer) }
            carryOutWhereItFits(call, on: host, key: key, cause: try call.cause, action)
        } catch {
            call.answer(error)
        }
    }

    /// Carries a mutation out on a draft, and answers once it is stored; with a key, a refusal is stored too.
    ///
    /// - Parameters:
    ///   - call: The request.
    ///   - host: The director.
    ///   - key: What the answer is kept under for repetitions; nil for none.
    ///   - cause: The mutation's name in the changeset that shows it; nil for none.
    ///   - isInTurn: Whether a mutation that is longer than a turn on the loop is given up.
    ///   - action: Changes the draft.
    /// - Returns: False, with nothing done, if the mutation was given up.
    @discardableResult
    func carryOut(
        _ call: Call, on host: isolated DirectorHost, key: CommandKey?, cause: String?, isInTurn: Bool = false,
        _ action: Route.Change
    ) -> Bool {
        var mutation = Mutation(draft: host.draft(cause: cause))
        mutation.draft.isInTurn = isInTurn
        do throws(Problem) {
            let reply = try mutation.carryOut(call, action)
            commit(call, reply, mutation.draft, on: host, key: key)
        } catch {
            guard !error.isLongerThanTurn else { return false }
            finish(call, error, on: host, key: key)
        }
        return true
    }

    /// Commits what a request has done, and answers once it is stored.
    func commit(
        _ call: Call, _ reply: consuming Reply, _ draft: LifeDraft, on host: isolated DirectorHost, key: CommandKey?
    ) {
        if let problem = versionProblem(draft, on: host) { return finish(call, problem, on: host, key: key) }
        let answer = reply.keep(under: key, done: draft.done)
        host.commit(draft, answer: answer) { [reply] error in self.answer(call, reply, storedWith: error) }
    }

    /// Answers once it is known whether what a request has done is stored; from any thread.
    func answer(_ call: Call, _ reply: Reply, storedWith error: StorageError?) {
        switch error {
        case nil: call.answer(reply)
        case .superseded?:
            // Another node owns the director now, and nothing has happened here.
            if let cluster = environment.cluster { return carryAgain(call, cluster) }
            call.answer(Problem(.superseded("another server has taken the director")))
        case let error?: call.answer(Problem(error))
        }
    }

    /// Takes a command to the director's owner where that is another node now, and gives its key up; false where this node is.
    func carriesAgain(_ call: Call, from host: isolated DirectorHost, key: CommandKey?) -> Bool {
        guard host.refusal(isRead: false) == .elsewhere, let cluster = environment.cluster else { return false }
        if let key { host.abandon(key) }
        carryAgain(call, cluster)
        return true
    }

    /// Takes a command that this node could not carry out to the director's owner; from any thread.
    func carryAgain(_ call: Call, _ cluster: Cluster) {
        call.exchange.loop.execute { self.carryLater(call, cluster) }
    }

    // MARK: Conditions

    func admit(isRead: Bool, _ host: isolated DirectorHost) throws(Problem) {
        if let refusal = host.refusal(isRead: isRead) { throw Problem(refusal, director: host.name) }
    }

    /// The first answer to a key; nil where the key is new.
    ///
    /// - Throws: 403 if the repeating client has no right to the effects of the first request; 409 and 422 for other
    ///   requests with the key.
    func repeated(
        _ key: CommandKey, _ call: Call, _ host: isolated DirectorHost
    ) throws(Problem) -> Reply? {
        switch host.lookUp(key) {
        case .new: return nil
        // One that cannot be read was written by another version of the program: asking again does what it says.
        case .repeated(let answer):
            guard var reply = Reply(encoded: answer.body) else { return nil }
            try call.require(reply.done)
            reply.outcome = .repeated
            return reply
        case .inFlight:
            throw .unavailable(
                .inProgress,
                "The request with the Idempotency-Key \(key.name.quoted) is under way; ask again for its answer.")
        case .mismatch:
            throw .unprocessable(
                "The Idempotency-Key \(key.name.quoted) was used for another request within 24 hours; take a new key.")
        }
    }
}
