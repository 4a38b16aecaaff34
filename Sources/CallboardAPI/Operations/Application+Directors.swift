import Directors
import HTTPTypes
import JSONValues
import Journal
import Reactor

extension Application {
    /// `GET /v1/directors`: each director of the page is asked on its own loop, and the last one's loop answers.
    func listDirectors(_ call: Call) {
        let (offset, limit) = call.query.page
        let all = registry.sorted()
        let hosts = Array(all.dropFirst(offset).prefix(limit))
        let page = DirectorPage(count: hosts.count, offset: offset, limit: limit, total: all.count)
        guard !hosts.isEmpty else { return call.answer(Reply(body: page.body)) }
        for (index, host) in hosts.enumerated() {
            host.loop.execute {
                let isLast = page.put(host.assumeIsolated { $0.listed }, at: index)
                if isLast { call.answer(Reply(body: page.body)) }
            }
        }
    }

    /// `PUT /v1/directors/{director}`.
    func putDirector(_ call: Call) throws(Problem) {
        let name = call.parameters[0]
        try Coding.check(name: name, "director")
        let properties = try Coding.definition(try call.document(), name: name)
        let loop = registry.host(named: name)?.loop ?? group.loop(forName: name)
        if loop.isCurrent {
            define(call, properties, on: loop)
        } else {
            loop.execute { self.define(call, properties, on: loop) }
        }
    }

    /// Creates a director or redefines the one that is there, on the loop that both of them live on.
    ///
    /// There, nobody deletes the director between finding and redefining it, and nobody finds a new one before it has
    /// been written down as created.
    private func define(_ call: Call, _ properties: DirectorProperties, on loop: EventLoop) {
        do throws(Problem) {
            if let host = registry.host(named: call.parameters[0]), host.loop === loop {
                host.assumeIsolated { host in
                    host.run(call) { call, host throws(Problem) in try host.redefine(call, properties) }
                }
            } else {
                let host = try create(call, properties, on: loop)
                host.assumeIsolated { host in
                    host.begin(call) { call, host throws(Problem) in try host.created(call) }
                }
            }
        } catch {
            call.answer(error)
        }
    }

    private func create(
        _ call: Call, _ properties: DirectorProperties, on loop: EventLoop
    ) throws(Problem) -> DirectorHost {
        let name = call.parameters[0]
        // Whatever the tag, there is nothing that it could match.
        try Preconditions.check(call, tag: nil) { () in false }
        let bounds = configuration.bounds
        let director = Director(
            name: name, epoch: Epoch.random(), properties: properties,
            limits: DirectorLimits(sections: bounds.sections, elements: bounds.elements))
        let host = DirectorHost(director, loop: loop, application: self)
        switch registry.insert(host, bound: bounds.directors) {
        case .added: return host
        case .full: throw .overBound("This server holds at most \(bounds.directors) directors.")
        case .exists: throw .conflict("The director \(name.quoted) is being created by someone else; ask again.")
        }
    }
}

extension DirectorHost {
    /// The director's JSON form at this moment.
    var representation: [UInt8] { Coding.encode(director) }

    /// The director's JSON form for a list; `nil` where it was deleted after the list had been begun, or is not stored
    /// yet.
    var listed: [UInt8]? {
        switch phase {
        case .living, .ending: readingStored { representation }
        case .beginning, .over: nil
        }
    }

    func readDirector(_ call: Call) throws(Problem) -> Outcome {
        let tag = Preconditions.tag(epoch: epoch, revision: director.revision, version: director.version)
        return try read(call, tag: tag) { Reply(body: representation) }
    }

    func created(_ call: Call) throws(Problem) -> Outcome {
        var reply = try answer(call) { () throws(Problem) in Reply(status: .created, body: representation) }
        reply.location = Location.path("v1", "directors", name)
        return Outcome(reply: reply, entries: [.defined(director)])
    }

    func redefine(_ call: Call, _ properties: DirectorProperties) throws(Problem) -> Outcome {
        try checkPreconditions(call)
        guard properties.kind == director.kind || call.query.flag("replace") else {
            throw .conflict(
                "The director is a \(director.kind.rawValue), and becoming a \(properties.kind.rawValue) would empty its "
                    + "list; say ?replace=true if that is what is wanted.")
        }
        var outcome = Outcome(reply: Reply())
        let before = director
        if director.redefine(properties) { redefine(since: before, &outcome) }
        if call.query.flag("reload") { publish(nil, into: &outcome) }
        outcome.reply = try answer(call) { () throws(Problem) in Reply(body: representation) }
        return outcome
    }

    func patchDirector(_ call: Call) throws(Problem) -> Outcome {
        let patch = try call.document()
        return try redefine(call, try Coding.patch(director, patch))
    }

    func delete(_ call: Call) throws(Problem) -> Outcome {
        try checkPreconditions(call)
        phase = .ending
        let event = FeedEvent(
            frame: StreamEvents.end(director: name, reason: "the director was deleted", id: nil),
            version: history.newest.version, isLast: true)
        let hooks = call.application.hooks
        return Outcome(
            reply: .noContent(etag: nil), entries: [.deleted], events: [event],
            afterwards: { [name, epoch] in hooks?.dispatcher.forget(director: name, epoch: epoch) })
    }

    /// A read that answers 304 where the client already holds this state.
    ///
    /// - Parameter tag: The tag of the representation; nil where it shows what no revision counts.
    /// - Throws: 412 where `If-Match` names another state.
    func read(_ call: Call, tag: String?, _ reply: () -> Reply) throws(Problem) -> Outcome {
        if try Preconditions.isFresh(call, tag: tag) {
            return .read(Reply(status: .notModified, etag: tag))
        }
        var reply = reply()
        reply.etag = tag
        return .read(reply)
    }
}
