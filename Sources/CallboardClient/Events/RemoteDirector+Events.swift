import ListDiff

extension RemoteDirector {
    /// Reports an event that nobody answers, such as `didSelect`.
    ///
    /// The server stores the report before it answers, and delivers it to the hook of the event at least once. A
    /// ``ReportQueue`` repeats reports until they have arrived.
    ///
    /// - Parameters:
    ///   - event: What has happened, and where.
    ///   - selection: What the reader sees of the list; the place is one of its places.
    ///   - key: The report's idempotency key; nil makes one.
    /// - Returns: The identifiers of the deliveries; none where no hook listens.
    /// - Throws: ``ClientError/problem(_:)``, with status 409 where the server has the version no more, and 422 where there
    ///   is no such event or place.
    @discardableResult
    public func report(
        _ event: ListEvent, selecting selection: ListSelection = ListSelection(), idempotencyKey key: String? = nil
    ) async throws -> [String] {
        let outcome = try await send(event, selection, key)
        if case .reported(let deliveries) = outcome { return deliveries }
        throw ClientError.unexpectedAnswer(
            status: 200, reason: "\"\(event.name)\" is a question, which is asked and not reported")
    }

    /// Asks a question, such as `rowHeight`, and waits for its hook.
    ///
    /// - Parameters:
    ///   - event: The question, and the elements that it is about.
    ///   - selection: What the reader sees of the list; the place is one of its places.
    /// - Returns: The answers, in the order of the event's elements; one where it is about no element or a single one.
    ///   The answer is the hook's default or UIKit's where the hook does not answer in time.
    /// - Throws: As ``report(_:selecting:idempotencyKey:)`` does.
    public func ask(
        _ event: ListEvent, selecting selection: ListSelection = ListSelection()
    ) async throws -> [EventAnswer] {
        if case .elements(let paths) = event.place, paths.isEmpty { return [] }
        if case .answered(let answers) = try await send(event, selection, nil) { return answers }
        throw ClientError.unexpectedAnswer(
            status: 202, reason: "\"\(event.name)\" is a notification, which is reported and not asked")
    }

    private func send(_ event: ListEvent, _ selection: ListSelection, _ key: String?) async throws -> EventOutcome {
        let call = Call(
            "POST", path("events"), query: selection.query, body: .object(event.json),
            options: WriteOptions(idempotencyKey: key))
        return try await client.send(call) { (answer) throws(RepresentationError) in try EventOutcome(answer) }.value
    }

    /// Reports and asks several events in one request, in their order.
    ///
    /// - Parameters:
    ///   - events: At most ``maximumEvents``, each with its idempotency key, if it has one of its own: the server delivers
    ///     what comes with a key once in effect, in whichever requests it comes.
    ///   - selection: What the reader sees of the list.
    ///   - key: The idempotency key of the request as a whole; nil makes one.
    /// - Returns: What became of each event, in their order.
    /// - Throws: What concerns the request as a whole; an event that is refused by itself has its own outcome.
    public func send(
        events: [(event: ListEvent, key: String?)], selecting selection: ListSelection = ListSelection(),
        idempotencyKey key: String? = nil
    ) async throws -> [EventOutcome] {
        try await send(events: events, query: selection.query, idempotencyKey: key)
    }

    /// The same for a reader whose selection is a query already.
    func send(
        events: [(event: ListEvent, key: String?)], query: [(String, String)], idempotencyKey key: String?
    ) async throws -> [EventOutcome] {
        guard !events.isEmpty else { return [] }
        let body = events.map { event, key -> JSON in
            var object = event.json
            object["key"] = key.map { .string($0) }
            return .object(object)
        }
        let call = Call(
            "POST", path("events"), query: query, body: ["events": .array(body)],
            options: WriteOptions(idempotencyKey: key))
        let outcomes = try await client.send(call) { (answer) throws(RepresentationError) in
            try answer.member("outcomes").map { (item) throws(RepresentationError) in try EventOutcome(item) }
        }.value
        guard outcomes.count == events.count else {
            throw ClientError.unexpectedAnswer(
                status: 200, reason: "\(events.count) events were sent, and \(outcomes.count) outcomes answered")
        }
        return outcomes
    }

    /// The most events of one request.
    public static var maximumEvents: Int { 1_000 }
}
