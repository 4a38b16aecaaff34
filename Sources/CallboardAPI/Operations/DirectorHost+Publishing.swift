import Directors
import HTTPTypes
import JSONValues
import Journal

extension DirectorHost {
    func reload(_ call: Call) throws(Problem) -> Outcome {
        try checkPreconditions(call)
        let animations = call.exchange.body.isEmpty ? nil : try Coding.reload(try call.document())
        var outcome = Outcome(reply: Reply())
        let reply = publish(animations, into: &outcome, answer: reloadAnswer(call))
        outcome.reply = try answer(call) { () throws(Problem) in reply }
        return outcome
    }

    func perform(_ call: Call) throws(Problem) -> Outcome {
        try checkPreconditions(call)
        let batch = try Coding.batch(try call.document())
        if batch.dryRun { return try dryRun(batch) }
        let operations = batch.operations.map(\.resolved)
        let before = director
        do {
            try director.perform(batch: operations)
        } catch {
            throw Problem(error, body: .whole)
        }
        var outcome = Outcome(reply: Reply())
        if !operations.isEmpty {
            outcome.entries = [.performed(operations, revision: director.revision)]
        }
        if operations.contains(where: \.changesDefinition) { announceDefinition(since: before, &outcome) }
        let publishes = batch.reload || call.query.flag("reload")
        let reply =
            publishes
            ? publish(batch.animations, into: &outcome, answer: reloadAnswer(call)) : Reply(body: representation)
        outcome.reply = try answer(call) { () throws(Problem) in reply }
        return outcome
    }

    private func reloadAnswer(_ call: Call) -> ReloadAnswer {
        if call.prefersMinimal { return .other }
        return call.query.flag("elements", otherwise: true) ? .changeset : .counted
    }

    private func dryRun(_ batch: OperationBatch) throws(Problem) -> Outcome {
        do {
            let change = try director.dryRun(batch.operations, animations: batch.animations)
            return .read(Reply(body: Coding.encode(change ?? director.unchanged(animations: batch.animations))))
        } catch {
            throw Problem(error, body: .whole)
        }
    }

    // MARK: Changesets

    func changesets(_ call: Call) throws(Problem) -> Outcome {
        let takesJSON = ContentNegotiation.accepts(call[.accept], anyOf: ["application/json"])
        let namesVersions = ["since", "from", "to"].contains { call.query[$0] != nil }
        if !namesVersions, ContentNegotiation.accepts(call[.accept], anyOf: [ContentNegotiation.eventStream]) {
            let stream = try call.application.subscription(to: [self], call)
            return Outcome(reply: Reply(), stream: stream)
        }
        guard takesJSON else {
            throw Problem(
                .notAcceptable, "not-acceptable", "No representation is acceptable",
                "This resource answers text/event-stream, or application/json where the query names `since`, or `from` "
                    + "and `to`; Accept does not take that.")
        }
        if let since = call.query.integer("since") { return try retained(since: since, call) }
        if let from = call.query.integer("from") { return try spanning(from: from, call) }
        throw .badRequest("Ask for text/event-stream in Accept, or name `since`, or `from` and `to`, in the query.")
    }

    private func retained(since: Int, _ call: Call) throws(Problem) -> Outcome {
        guard call.query["from"] == nil, call.query["to"] == nil else {
            throw .badRequest("`since` does not go with `from` and `to`.")
        }
        guard let frames = history.changesets(after: since) else { throw unknown(since) }
        var writer = JSONWriter()
        writer.beginObject()
        writer.key("changesets")
        writer.beginArray()
        for frame in frames { writer.raw(frame.bytes[frame.changesetJSON]) }
        writer.endArray()
        writer.member("from", since)
        writer.member("version", history.newest.version)
        writer.endObject()
        return .read(Reply(body: writer.bytes))
    }

    private func spanning(from: Int, _ call: Call) throws(Problem) -> Outcome {
        let to = call.query.integer("to") ?? history.newest.version
        guard from <= to else { throw .badRequest("`from` is \(from), which is after `to`, \(to).") }
        guard let earlier = history.state(at: from) else { throw unknown(from) }
        guard let later = history.state(at: to) else { throw unknown(to) }
        return .read(Reply(body: Coding.encode(director.change(from: earlier, to: later))))
    }
}
