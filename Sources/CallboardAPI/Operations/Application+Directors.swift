import Directors
import HTTPTypes
import JSONValues
import Journal

extension Application {
    /// `GET /v1/directors`: each director of the page is asked on its own loop, one after the other.
    func listDirectors(_ call: Call) {
        let offset = call.query.integer("offset") ?? 0
        let limit = call.query.integer("limit") ?? 100
        Task { [self] in
            let all = registry.sorted()
            var writer = JSONWriter()
            writer.beginObject()
            writer.key("directors")
            writer.beginArray()
            for host in all.dropFirst(offset).prefix(limit) { writer.raw(await host.representation) }
            writer.endArray()
            writer.member("offset", offset)
            writer.member("limit", limit)
            writer.member("total", all.count)
            writer.endObject()
            call.answer(Reply(body: writer.bytes))
        }
    }

    /// `PUT /v1/directors/{director}`.
    func putDirector(_ call: Call) throws(Problem) {
        let name = call.parameters[0]
        try Coding.check(name: name, "director")
        let properties = try Coding.definition(try call.document(), name: name)
        if let host = registry.host(named: name) { return redefine(host, call, properties) }
        guard call[.ifMatch] == nil else {
            throw Problem(
                .preconditionFailed, "revision-mismatch", "The director is not there",
                "If-Match was sent and there is no director \"\(name)\".")
        }
        let bounds = configuration.bounds
        let director = Director(
            name: name, epoch: Epoch.random(), properties: properties,
            limits: DirectorLimits(sections: bounds.sections, elements: bounds.elements))
        let host = DirectorHost(director, loop: group.loop(forName: name), application: self)
        switch registry.insert(host, bound: bounds.directors) {
        case .exists(let other):
            redefine(other, call, properties)
        case .full:
            throw .overBound("This server holds at most \(bounds.directors) directors.")
        case .added:
            run(call, on: host) { call, host throws(Problem) in try host.created(call) }
        }
    }

    private func redefine(_ host: DirectorHost, _ call: Call, _ properties: DirectorProperties) {
        run(call, on: host) { call, host throws(Problem) in try host.redefine(call, properties) }
    }

    private func run(
        _ call: Call, on host: DirectorHost,
        _ action: @escaping @Sendable (Call, isolated DirectorHost) throws(Problem) -> Outcome
    ) {
        if host.loop.isCurrent {
            host.assumeIsolated { $0.run(call, action) }
        } else {
            host.loop.execute { host.assumeIsolated { $0.run(call, action) } }
        }
    }
}

extension DirectorHost {
    /// The director's JSON form at this moment.
    var representation: [UInt8] { Coding.encode(director) }

    func readDirector(_ call: Call) -> Outcome {
        read(call, tag: tag) { Reply(body: representation) }
    }

    func created(_ call: Call) throws(Problem) -> Outcome {
        var reply = try answer(call) { () throws(Problem) in Reply(status: .created, body: representation) }
        reply.location = Location.path("v1", "directors", name)
        return Outcome(reply: reply, entries: [.defined(director)])
    }

    func redefine(_ call: Call, _ properties: DirectorProperties) throws(Problem) -> Outcome {
        try checkPreconditions(call)
        let hasChanged = director.redefine(properties)
        var outcome = Outcome(reply: try answer(call) { () throws(Problem) in Reply(body: representation) })
        if hasChanged { redefine(&outcome) }
        return outcome
    }

    func patchDirector(_ call: Call) throws(Problem) -> Outcome {
        let patch = try call.document()
        return try redefine(call, try Coding.patch(director, patch))
    }

    func delete(_ call: Call) throws(Problem) -> Outcome {
        try checkPreconditions(call)
        isDeleted = true
        call.application.registry.remove(self)
        counters.retainedVersions.add(-history.count)
        counters.retainedBytes.add(-history.bytes)
        let event = FeedEvent(
            frame: StreamEvents.end(director: name, reason: "the director was deleted", id: nil),
            version: history.newest.version, isLast: true)
        return Outcome(reply: .noContent(etag: nil), entries: [.deleted], events: [event])
    }

    /// A read that answers 304 where the client already holds this state.
    func read(_ call: Call, tag: String, _ reply: () -> Reply) -> Outcome {
        if Preconditions.isFresh(ifNoneMatch: call[.ifNoneMatch], tag: tag) {
            return .read(Reply(status: .notModified, etag: tag))
        }
        var reply = reply()
        reply.etag = tag
        return .read(reply)
    }
}
