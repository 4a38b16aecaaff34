import DirectorLife
import Directors
import HTTPTypes
import HTTPWire
import JSONValues

extension Mutation {
    mutating func reload(_ call: Call) throws(Problem) -> Reply {
        try checkPreconditions(call)
        let animations = call.exchange.body.isEmpty ? nil : try Coding.reload(try call.document())
        let reply = try publish(animations, reloadAnswer(call))
        return try answer(call) { _ in reply }
    }

    mutating func performBatch(_ call: Call) throws(Problem) -> Reply {
        try checkPreconditions(call)
        let batch = try batch(call)
        if batch.dryRun {
            // Nothing but the answer comes of it.
            try call.principal.require(.read, on: name)
            return try dryRun(batch)
        }
        do {
            try draft.perform(batch: batch.operations)
        } catch {
            let operation = error.operation.map { batch.operations[$0] }
            throw Problem(error, body: .whole, tellsContent: operation?.readsContent ?? true)
        }
        let publishes = batch.reload || call.query.flag("reload")
        let reply =
            publishes ? try publish(batch.animations, reloadAnswer(call)) : Reply(body: representation)
        return try answer(call) { _ in reply }
    }

    /// The batch of a request that may do all of it.
    private func batch(_ call: Call) throws(Problem) -> OperationBatch {
        do throws(Problem) {
            let batch = try Coding.batch(try call.document(), within: director.limits)
            var effects = batch.effects
            if call.query.flag("reload") { effects.insert(.content) }
            // A batch of nothing is one of no changes to the list.
            try call.require(effects.isEmpty ? .content : effects)
            return batch
        } catch {
            // Who may define and not mutate may send a good batch of definitions, and nothing else.
            throw call.principal.has(.mutate, on: name) ? error : call.principal.refusal(of: .mutate, on: name)
        }
    }

    private func reloadAnswer(_ call: Call) -> ReloadAnswer {
        if call.prefersMinimal || call.hidesContent { return .other }
        return call.query.flag("elements", otherwise: true) ? .changeset : .counted
    }

    private func dryRun(_ batch: OperationBatch) throws(Problem) -> Reply {
        do {
            let change = try draft.dryRun(batch.operations, animations: batch.animations)
            return Reply(
                body: Coding.encode(change ?? director.unchanged(animations: batch.animations)), outcome: .tried)
        } catch {
            throw Problem(error, body: .whole)
        }
    }
}

extension Reading {
    /// `GET …/changesets` as JSON; a stream is ``Application/followDirector(_:_:)``.
    func changesets(_ call: Call) throws(Problem) -> Reply {
        guard ContentNegotiation.accepts(call[.accept], anyOf: ["application/json"]) else {
            throw Problem(
                .notAcceptable,
                "This resource answers text/event-stream, or application/json where the query names `since`, or `from` "
                    + "and `to`; Accept does not take that.")
        }
        if let since = call.query.integer("since") { return try retained(since: since, call) }
        if let from = call.query.integer("from") { return try spanning(from: from, call) }
        throw .badRequest("Ask for text/event-stream in Accept, or name `since`, or `from` and `to`, in the query.")
    }

    private func retained(since: Int, _ call: Call) throws(Problem) -> Reply {
        guard call.query["from"] == nil, call.query["to"] == nil else {
            throw .badRequest("`since` does not go with `from` and `to`.")
        }
        guard let changesets = state.versions.changesets(after: since) else { throw unknown(since) }
        let version = state.versions.newest.version
        return Reply.content(work: changesets.reduce(0) { $0 + $1.textSize }) {
            ListForm.changesets.list(changesets) { changeset, writer in
                writer.raw(changeset.frame.json)
            } _: { writer in
                writer.member("from", since)
                writer.member("version", version)
            }
        }
    }

    private func spanning(from: Int, _ call: Call) throws(Problem) -> Reply {
        let to = call.query.integer("to") ?? state.versions.newest.version
        guard from <= to else { throw .badRequest("`from` is \(from), which is after `to`, \(to).") }
        let (earlier, later) = (try published(from), try published(to))
        // What differs between two versions is bounded by what is retained.
        let director = self.director
        let causes = state.versions.causes(after: earlier.version, through: later.version)
        return Reply.content(work: state.versions.bytes) {
            Coding.encode(director.change(from: earlier, to: later, causes: causes))
        }
    }
}
