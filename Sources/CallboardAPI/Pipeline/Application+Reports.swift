import DirectorLife
import HTTPTypes
import Hosting
import Journal

// Requests that take their time: reports of events, and what is made beside the loops.

extension Application {
    /// Has a report carried out; a repetition of one with a key is given the first one's answer.
    func report(
        _ call: Call, on host: isolated DirectorHost,
        _ action: (Call, isolated DirectorHost, CommandKey?) throws(Problem) -> Void
    ) {
        do throws(Problem) {
            if carriesAgain(call, from: host, key: nil) { return }
            try admit(isRead: false, host)
            let key = try call.commandKey
            if let key, let answer = try repeated(key, call, host) { return call.answer(answer) }
            if let key { host.begin(key) }
            do throws(Problem) {
                try action(call, host, key)
            } catch {
                finish(call, error, on: host, key: key)
            }
        } catch {
            call.answer(error)
        }
    }

    /// Answers a request that took its time; with a key, once the answer is stored.
    func finish(_ call: Call, _ reply: Reply, on host: isolated DirectorHost, key: CommandKey?) {
        guard let key else { return call.answer(reply) }
        if host.refusal(isRead: false) == nil { return commit(call, reply, host.draft(), on: host, key: key) }
        // A life that is over, or about to be, keeps no answers any more.
        host.abandon(key)
        call.answer(reply)
    }

    /// Answers a request that took its time and was refused. A refusal that may not last is not kept: its key is as good
    /// as new.
    func finish(_ call: Call, _ problem: Problem, on host: isolated DirectorHost, key: CommandKey?) {
        if let key, problem.status.code < 500, problem.retryAfter == nil {
            return finish(call, problem.reply(to: call), on: host, key: key)
        }
        if let key { host.abandon(key) }
        refuse(call, problem, on: host)
    }

    /// Answers with a refusal, once the changes are stored that it stands on: they may fail yet, and then it may be wrong.
    private func refuse(_ call: Call, _ problem: Problem, on host: isolated DirectorHost) {
        guard host.isStoring, problem.status.code < 500, host.refusal(isRead: false) == nil else {
            return call.answer(problem)
        }
        host.commit(host.draft()) { error in
            switch error {
            case nil: call.answer(problem)
            case .superseded?:
                if let cluster = self.environment.cluster { return self.carryAgain(call, cluster) }
                call.answer(.unavailable(.notStored, "Another server has taken the director; nothing has changed."))
            case .inDoubt(let what)?, .full(let what)?, .unavailable(let what)?:
                call.answer(
                    .unavailable(
                        .notStored,
                        "An earlier change could not be stored (\(what)), so the server cannot decide yet whether to "
                            + "refuse this one; nothing has changed. Ask again."))
            }
        }
    }
}
