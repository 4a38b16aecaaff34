import DirectorLife
import Directors
import HTTPTypes
import Hosting
import JSONValues
import Notation
import Reactor

extension Application {
    /// `GET /v1/directors`: each director of the page is asked on its own loop, and the last one's loop answers.
    ///
    /// On a node among several, those of the page are loaded first.
    func listDirectors(_ call: Call) {
        let (offset, limit) = call.query.page
        let grants = call.principal.grants
        let cluster = environment.cluster
        var all = cluster?.directors ?? environment.registry.sorted().map(\.name)
        if !grants.allowEverywhere(.read) { all.removeAll { !grants.allow(.read, on: $0) } }
        let (names, total) = (Array(all.dropFirst(offset).prefix(limit)), all.count)
        guard let cluster else { return listDirectors(names, of: total, call) }
        look(at: names, cluster, call) { error in
            guard let error else {
                return self.settle(names, call) { error in
                    if let error { return call.answer(.away(error)) }
                    self.listDirectors(names, of: total, call)
                }
            }
            guard cluster.mayBeStale(call),
                names.allSatisfy({ self.environment.registry.host(named: $0) != nil })
            else { return call.answer(.away(error)) }
            self.listDirectors(names, of: total, call.stale(by: cluster.staleness))
        }
    }

    private func listDirectors(_ names: [String], of total: Int, _ call: Call) {
        let (offset, limit) = call.query.page
        Gathering.ask(names.compactMap { environment.registry.host(named: $0) }) {
            Coding.encode($0.stored.director)
        } completion: { bodies in
            call.answer(
                Reply(body: ListForm.directors.page(bodies, offset: offset, limit: limit, total: total) { $1.raw($0) }))
        }
    }

    /// `PUT /v1/directors/{director}`.
    func putDirector(_ call: Call) throws(Problem) {
        let name = call.parameters[0]
        let definition = try Coding.definition(try call.document(), name: name)
        try checkChain(of: name, definition.derivation, pointer: "/view/from", for: call)
        let loop = environment.registry.host(named: name)?.loop ?? environment.group.loop(forName: name)
        if loop.isCurrent {
            define(call, definition, on: loop)
        } else {
            loop.execute { self.define(call, definition, on: loop) }
        }
    }

    /// Creates a director or redefines the one that is there, on the loop that both of them live on.
    ///
    /// There, nobody deletes the director between finding and redefining it, and nobody finds a new one before it has
    /// been written down as created.
    private func define(_ call: Call, _ definition: NewDefinition, on loop: EventLoop) {
        do throws(Problem) {
            if let host = environment.registry.host(named: call.parameters[0]), host.loop === loop {
                host.enter { host in
                    // Once its turn has come, the director may be gone.
                    let again: DirectorHost.WaitingCommand = { _ in self.define(call, definition, on: loop) }
                    self.run(call, on: host, again: again) { call, mutation throws(Problem) in
                        try mutation.redefine(call, definition)
                    }
                }
            } else {
                let cause = try call.cause
                let host = try create(call, definition, on: loop)
                host.enter { host in
                    self.carryOut(call, on: host, key: nil, cause: cause) { call, mutation throws(Problem) in
                        try mutation.create(call)
                    }
                }
            }
        } catch {
            call.answer(error)
        }
    }

    private func create(
        _ call: Call, _ definition: NewDefinition, on loop: EventLoop
    ) throws(Problem) -> DirectorHost {
        let name = call.parameters[0]
        try call.checkReads(definition.derivation, replacing: nil)
        if Name.hasControls(name) {
            throw .badRequest("The path's director has a control character; no new name has one.")
        }
        if let fault = Name.pathFault(in: name) { throw .unprocessable("The path's director: \(fault).") }
        // Whatever the tag, there is nothing that it could match.
        try Preconditions.check(call, tag: nil) { () in false }
        let bounds = configuration.bounds
        let director = Director(
            name: name, epoch: Epoch.random(), properties: definition.properties, derivation: definition.derivation,
            limits: DirectorLimits(sections: bounds.sections, elements: bounds.elements))
        try checkVersion(of: director)
        let host = DirectorHost(director, loop: loop, environment: environment)
        // Those of other nodes that are not loaded here count as well.
        let isFull = environment.directorCount >= bounds.directors
        switch environment.registry.insert(host, bound: isFull ? 0 : bounds.directors) {
        case .added: return host
        case .full: throw .overBound("This server holds at most \(bounds.directors) directors.")
        case .exists: throw Problem(.creating, director: name)
        }
    }
}

extension Reading {
    func readDirector(_ call: Call) throws(Problem) -> Reply {
        guard let definition else {
            let tag = EntityTag.text(epoch: epoch, revision: director.revision, version: director.version)
            return try answer(call, tag: tag) { Reply(body: representation) }
        }
        // The life and the revision are the definition's, so that they fit the conditions of a change of it; the rest is
        // what this reader sees.
        let tag = EntityTag.text(epoch: definition.epoch, revision: definition.revision, version: director.version)
        return try answer(call, tag: tag) {
            Reply(body: Coding.encode(ofView: definition, showing: state.versions.newest, facts))
        }
    }
}

extension Mutation {
    fileprivate mutating func create(_ call: Call) throws(Problem) -> Reply {
        draft.create()
        var reply = try answer(call) { Reply(status: .created, body: $0.representation) }
        reply.location = Location.path("v1", "directors", name)
        return reply
    }

    fileprivate mutating func redefine(_ call: Call, _ definition: NewDefinition) throws(Problem) -> Reply {
        let properties = definition.properties
        try checkPreconditions(call)
        try checkStaysView(definition.derivation)
        try call.checkReads(definition.derivation, replacing: director.derivation)
        guard properties.kind == director.kind || call.query.flag("replace") else {
            throw Problem.conflict(
                "The director is a \(director.kind.rawValue), and becoming a \(properties.kind.rawValue) would empty its "
                    + "list; say ?replace=true if that is what is wanted."
            ).tellingContent
        }
        draft.define { director in
            let hasOtherRule = director.redefine(definition.derivation)
            // One call raises the revision once.
            let revision = director.revision
            let hasOtherProperties = director.redefine(properties)
            if hasOtherRule, hasOtherProperties { director.restore(revision: revision) }
            return hasOtherRule || hasOtherProperties
        }
        if director.derivation == nil { try publishIfAsked(call) }
        return try answer(call) { Reply(body: $0.representation) }
    }

    /// Refuses to make a view of a director with content, or the other way round.
    private func checkStaysView(_ derivation: Derivation?) throws(Problem) {
        guard (derivation == nil) != (director.derivation == nil) else { return }
        throw .conflict(
            director.derivation == nil
                ? "The director has content of its own, and does not become a view; delete it first, or take another name."
                : "The director is a view, and does not become one with content of its own; send its `view` along, or "
                    + "delete it first.")
    }

    mutating func patchDirector(_ call: Call) throws(Problem) -> Reply {
        let patch = try call.document()
        let definition = try Coding.patch(director, patch)
        try call.application.checkChain(of: name, definition.derivation, pointer: "/view/from", for: call)
        return try redefine(call, definition)
    }

    mutating func deleteDirector(_ call: Call) throws(Problem) -> Reply {
        try checkPreconditions(call)
        draft.delete()
        return .noContent(etag: nil)
    }
}

extension Call {
    /// Refuses a view of a director that the client may not read: the view would open it. A rule that is unchanged is accepted.
    fileprivate func checkReads(_ derivation: Derivation?, replacing earlier: Derivation?) throws(Problem) {
        guard let derivation, derivation != earlier else { return }
        try principal.require(.read, on: derivation.source)
    }
}
