import DirectorLife
import Directors
import Hosting
import Journal
import Reactor

/// A mutation that was carried out, ready to be committed: the answer, and the draft, which is worth nothing after a refusal.
private struct CarriedOut: Sendable {
    let draft: LifeDraft
    let result: Result<Reply, Problem>

    /// Carries a mutation out, and does what storing it takes; on any thread.
    init(
        _ call: Call, _ draft: LifeDraft, on host: DirectorHost, _ environment: HostEnvironment, _ action: Route.Change
    ) {
        var mutation = Mutation(draft: draft)
        do throws(Problem) {
            result = .success(try mutation.carryOut(call, action))
            mutation.prepareStoring(since: draft, on: host, environment)
        } catch {
            result = .failure(error)
        }
        self.draft = mutation.draft
    }
}

extension Call {
    /// Whether the request may be carried out elsewhere than on the director's loop.
    ///
    /// An announcement stays on the loop, since it refers to the version that is published now. A definition stays there,
    /// too, since it creates a director that is gone.
    var mayBeLong: Bool {
        switch route.action {
        case .change, .prepare: true
        case .service, .define, .read, .transfer, .announce, .stream, .report: false
        }
    }

    /// Whether carrying the request out is known to take more than some milliseconds: its body is long, or it publishes
    /// a long change.
    func isLong(on host: isolated DirectorHost) -> Bool {
        guard mayBeLong else { return false }
        if exchange.body.count >= Self.longBody { return true }
        return host.hasMuchToPublish && (route.publishes || query.flag("reload"))
    }

    /// The shortest long body, in bytes.
    private static let longBody = 64 << 10
}

extension Mutation {
    /// Does what storing it takes, after it was carried out on a draft beside the director's loop; on any thread.
    mutating func prepareStoring(since earlier: LifeDraft, on host: DirectorHost, _ environment: HostEnvironment) {
        draft.prepareStoring(
            since: earlier.director.published, retention: environment.feed.retention, isFollowed: host.isStreaming,
            encode: environment.journal.isImmediate ? nil : { RecordCoding.encode($0) })
    }

    /// Does what a request asks for, and nothing without the right to it, whatever the step before has asked for.
    mutating func carryOut(_ call: Call, _ action: Route.Change) throws(Problem) -> Reply {
        let reply = try action(call, &self)
        try call.require(draft.done)
        return reply
    }
}

/// Long mutations, which would hold up a loop, are carried out on a thread beside the loops.
///
/// The director's other mutations wait meanwhile, so that all happen in the order in which they came; reads and other
/// directors do not.
extension Application {
    /// How often a mutation is carried out elsewhere, where a hook's answer or a list changes the director meanwhile.
    private static let longTries = 2

    /// Carries a mutation out: a long one on a thread beside the loops, where one is to be had, any other here.
    ///
    /// A mutation that turns out to be long is given up here, with nothing done, and carried out there.
    func carryOutWhereItFits(
        _ call: Call, on host: isolated DirectorHost, key: CommandKey?, cause: String?, _ action: @escaping Route.Change
    ) {
        var isLong = call.isLong(on: host)
        if !isLong {
            isLong = !carryOut(call, on: host, key: key, cause: cause, isInTurn: call.mayBeLong, action)
        }
        guard isLong, !carryOutElsewhere(call, on: host, key: key, cause: cause, action) else { return }
        carryOut(call, on: host, key: key, cause: cause, action)
    }

    /// Carries a mutation out on a copy of the director, on a thread beside the loops, and commits it on the loop.
    ///
    /// - Returns: False, with nothing done, where too many wait for a thread.
    private func carryOutElsewhere(
        _ call: Call, on host: isolated DirectorHost, key: CommandKey?, cause: String?,
        tries: Int = longTries, _ action: @escaping Route.Change
    ) -> Bool {
        let (draft, count) = (host.draft(cause: cause), host.workingCount)
        // The actor is kept until it is entered again: whoever waits there is answered.
        let isTaken = changeThreads.run { [self, host] in
            let carriedOut = CarriedOut(call, draft, on: host, environment, action)
            host.send { host in
                self.finish(carriedOut, since: count, call, on: host, key: key, cause: cause, tries: tries, action)
            }
        }
        guard isTaken else { return false }
        if let key { host.begin(key) }
        host.beginLongCommand()
        return true
    }

    private func finish(
        _ carriedOut: CarriedOut, since count: Int, _ call: Call, on host: isolated DirectorHost, key: CommandKey?,
        cause: String?, tries: Int, _ action: @escaping Route.Change
    ) {
        if !carriesAgain(call, from: host, key: key) {
            do throws(Problem) {
                try admit(isRead: false, host)
                if count == host.workingCount {
                    commit(carriedOut, call, on: host, key: key)
                } else if tries > 1,
                    carryOutElsewhere(call, on: host, key: key, cause: cause, tries: tries - 1, action)
                {
                    return
                } else {
                    carryOut(call, on: host, key: key, cause: cause, action)
                }
            } catch {
                if let key { host.abandon(key) }
                call.answer(error)
            }
        }
        host.endLongCommand()
    }

    private func commit(_ carriedOut: CarriedOut, _ call: Call, on host: isolated DirectorHost, key: CommandKey?) {
        host.noteLongCommand(carriedOut.draft)
        switch carriedOut.result {
        case .success(let reply): commit(call, reply, carriedOut.draft, on: host, key: key)
        case .failure(let problem): finish(call, problem, on: host, key: key)
        }
    }
}
