import DirectorLife
import Directors
import Hosting
import Reactor

// An element that moves from one director to another: one command that changes both.

extension Application {
    /// Moves an element to another director; a repetition of a request with a key is given the first one's answer.
    ///
    /// The node that owns the element's director carries it out, and has to own the other one as well.
    ///
    /// - Parameters:
    ///   - call: The request.
    ///   - host: The director that the path names.
    ///   - owner: The list that the path names.
    ///   - hasLooked: Whether this node has looked for the other director in the database.
    func transfer(
        _ call: Call, from host: isolated DirectorHost, _ owner: ElementOwner, hasLooked: Bool = false
    ) {
        do throws(Problem) {
            if carriesAgain(call, from: host, key: nil) { return }
            try admit(isRead: false, host)
            let request = try Coding.transfer(try call.document())
            try call.requireTransfer(from: host.name, to: request.director)
            if let cluster = environment.cluster, !hasLooked, !cluster.isCurrent(request.director) {
                return look(at: [request.director], cluster, call) { [host] error in
                    if let error { return call.answer(.away(error)) }
                    host.send { self.transfer(call, from: $0, owner, hasLooked: true) }
                }
            }
            let (key, cause) = (try call.commandKey, try call.cause)
            if let key, let answer = try repeated(key, call, host) { return call.answer(answer) }
            let other = try target(of: request, from: host)
            if let key { host.begin(key) }
            let command = TransferCommand(call: call, key: key, source: owner, request: request)
            run(command, on: DirectorPair(host, other), cause: cause)
        } catch {
            call.answer(error)
        }
    }

    /// The director that a request moves an element to.
    private func target(
        of request: ElementTransfer, from host: isolated DirectorHost
    ) throws(Problem) -> DirectorHost {
        let name = request.director
        guard name != host.name else {
            throw .unprocessable(
                "toDirector is the element's own director; elements:move moves it within that.",
                faults: [.init(pointer: "/toDirector", detail: "the element's own director")])
        }
        guard let other = try self.host(named: name) else {
            throw .unprocessable(
                "There is no director \(name.quoted).",
                faults: [.init(pointer: "/toDirector", detail: "there is no such director")])
        }
        if let view = other.view { throw .derived(view) }
        guard other.isOwned else { throw .ownedApart(host.name, name) }
        return other
    }

    private func run(_ command: TransferCommand, on pair: DirectorPair, cause: String?) {
        pair.hold(cause: cause) { [self] first, second in
            let work: @Sendable () -> Void = { self.carryOut(command, on: pair, first, second) }
            if !changeThreads.run(work) { work() }
        }
    }

    /// Carries the command out on drafts of both directors and commits them; on any thread.
    private func carryOut(
        _ command: TransferCommand, on pair: DirectorPair, _ first: DirectorPair.Start, _ second: DirectorPair.Start
    ) {
        let (call, key) = (command.call, command.key)
        var (source, target) = (Mutation(draft: first.draft), Mutation(draft: second.draft))
        do throws(Problem) {
            if let refusal = first.refusal { throw Problem(refusal, director: pair.first.name) }
            if let refusal = second.refusal { throw Problem(refusal, director: pair.second.name) }
            var reply = try command.carryOut(&source, &target)
            source.prepareStoring(since: first.draft, on: pair.first, environment)
            target.prepareStoring(since: second.draft, on: pair.second, environment)
            let answer = reply.keep(under: key, done: source.draft.done)
            pair.commit(
                .init(source.draft, since: first, answer: answer), .init(target.draft, since: second)
            ) { [reply] outcome in
                switch outcome {
                case .stored: call.answer(reply)
                case .changedMeanwhile:
                    if let key { pair.first.send { $0.abandon(key) } }
                    if let cluster = self.environment.cluster { return self.carryAgain(call, cluster) }
                    call.answer(.changedMeanwhile(pair))
                case .failed(let error): self.answer(call, reply, storedWith: error)
                }
            }
        } catch {
            pair.release()
            pair.first.send { [error] host in
                if !self.carriesAgain(call, from: host, key: key) { self.finish(call, error, on: host, key: key) }
            }
        }
    }
}

/// A request that moves an element to another director, with what it was found to ask for.
private struct TransferCommand: Sendable {
    let call: Call
    let key: CommandKey?
    let source: ElementOwner
    let request: ElementTransfer

    /// Takes the element out of one director and adds it to the other; publishes both where the query asks for it.
    func carryOut(_ first: inout Mutation, _ second: inout Mutation) throws(Problem) -> Reply {
        let element: Element
        do {
            element = try first.director.working.list.element(at: request.from, of: source).element
        } catch {
            throw Problem(error, body: nil, tellsContent: true)
        }
        try first.perform(call, [.elements(of: source, .remove(request.from))])
        do {
            try second.draft.perform([.elements(of: request.target, .add([element.draft], at: request.place))])
            if call.query.flag("reload") { _ = try second.draft.publish(nil, isEncoded: false) }
        } catch {
            throw .notTaken(by: second.name, error, to: call)
        }
        return try first.answer(call) { Reply(body: $0.representation) }
    }
}

extension Call {
    /// Refuses the move of an element to a client without the rights that it takes: to change both directors, and to read
    /// the element where it is, since the readers of the other director see it from then on.
    fileprivate func requireTransfer(from source: String, to target: String) throws(Problem) {
        try principal.require(.content, on: source)
        try principal.require(.read, on: source)
        try principal.require(.content, on: target)
    }
}

extension Problem {
    /// 409: one node has to own both directors.
    fileprivate static func ownedApart(_ one: String, _ other: String) -> Problem {
        .conflict(
            "The directors \(one.quoted) and \(other.quoted) are owned by different nodes, and an element moves between two "
                + "directors in one step only where one node owns both. Add it to one and remove it from the other.")
    }

    /// 503: one of the directors was changed by something that waits for no turn, such as the answer of a hook's target.
    fileprivate static func changedMeanwhile(_ pair: DirectorPair) -> Problem {
        .unavailable(
            .notReady,
            "The director \(pair.first.name.quoted) or \(pair.second.name.quoted) was changed while the element was moved; "
                + "nothing has been moved. Ask again.")
    }

    /// The other director does not take the element: as the director refuses it, told to the readers of that director alone.
    fileprivate static func notTaken(by director: String, _ error: DirectorError, to call: Call) -> Problem {
        var problem = Problem(error, body: nil, tellsContent: true)
        let reason = error.mappingPointers { _ in "" }.detail
        problem.detail = "The director \(director.quoted) does not take the element: \(reason)."
        return call.principal.has(.read, on: director) ? problem : problem.withoutContent
    }
}
