import Directors
import HTTPTypes
import JSONValues
import Journal

extension DirectorHost {
    func reload(_ call: Call) throws(Problem) -> Outcome {
        try checkPreconditions(call)
        let animations = call.exchange.body.isEmpty ? nil : try Coding.reload(try call.document())
        var outcome = Outcome(reply: Reply())
        let json = publish(animations, into: &outcome)
        outcome.reply = try answer(call) { () throws(Problem) in Reply(body: json) }
        return outcome
    }

    func perform(_ call: Call) throws(Problem) -> Outcome {
        try checkPreconditions(call)
        let batch = try Coding.batch(try call.document())
        if batch.dryRun { return try dryRun(batch) }
        let operations = batch.operations.map(\.resolved)
        do {
            try director.perform(batch: operations)
        } catch {
            throw Problem(error, body: "")
        }
        var outcome = Outcome(reply: Reply())
        if !operations.isEmpty {
            outcome.entries = [.performed(operations, revision: director.revision)]
        }
        let publishes = batch.reload || call.query.flag("reload")
        let json = publishes ? publish(batch.animations, into: &outcome) : representation
        outcome.reply = try answer(call) { () throws(Problem) in Reply(body: json) }
        return outcome
    }

    private func dryRun(_ batch: OperationBatch) throws(Problem) -> Outcome {
        do {
            let change = try director.dryRun(batch.operations, animations: batch.animations)
            return .read(Reply(body: Coding.encode(change ?? director.unchanged(animations: batch.animations))))
        } catch {
            throw Problem(error, body: "")
        }
    }

    /// Tells subscribers to draw cells anew. Nothing is stored: who is away has nothing to refresh.
    func refresh(_ call: Call) throws(Problem) -> Outcome {
        let newest = history.newest
        let paths = call.exchange.body.isEmpty ? nil : try Coding.refresh(try call.document())
        var elements: [(path: (Int, Int), element: Element)] = []
        for (index, path) in (paths ?? []).enumerated() {
            do {
                let found = try newest.list.element(at: .position(path.1), in: .position(path.0)).element
                elements.append((path, found))
            } catch {
                throw .unprocessable(
                    "The published state has no element at [\(path.0), \(path.1)].",
                    faults: [.init(pointer: "/indexPaths/\(index)", detail: error.detail)])
            }
        }
        let json = Coding.refresh(director: name, version: newest.version, elements: paths == nil ? nil : elements)
        // At once, not after what is being stored: it speaks of what is published now, and its id must not go back.
        append(FeedEvent(frame: frame("refresh", json), version: newest.version))
        return Outcome(reply: Reply(body: json))
    }

    // MARK: Changesets

    func changesets(_ call: Call) throws(Problem) -> Outcome {
        let takesJSON = ContentNegotiation.accepts(call[.accept], anyOf: ["application/json"])
        let takesStream = ContentNegotiation.accepts(call[.accept], anyOf: [ContentNegotiation.eventStream])
        // `text/*` takes a stream alone; the wildcard takes both and is answered with JSON.
        if ContentNegotiation.wantsEventStream(call[.accept]) || takesStream && !takesJSON {
            let stream = try call.application.subscription(to: [self], call)
            return Outcome(reply: Reply(), stream: stream)
        }
        guard takesJSON else {
            throw Problem(
                .notAcceptable, "not-acceptable", "No representation is acceptable",
                "This resource answers text/event-stream or application/json; Accept takes neither.")
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
