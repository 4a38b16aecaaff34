import Directors
import HTTPTypes
import JSONValues
import Journal

extension DirectorHost {
    /// The entity tag of the working state; written once for each revision.
    var tag: String {
        if taggedRevision != director.revision {
            taggedRevision = director.revision
            writtenTag = Preconditions.tag(revision: director.revision)
        }
        return writtenTag
    }

    /// Performs operations, publishes if the query asks for it, and answers with the new representation.
    ///
    /// - Parameters:
    ///   - call: The request; its `If-Match` is checked first.
    ///   - operations: What to do, all or none.
    ///   - body: Which part of the operation's JSON form the body is, for the pointers of an error; `nil` for none.
    ///   - reply: The new representation, made after the operations.
    func mutate(
        _ call: Call, _ operations: [Directors.Operation], body: String? = nil, reply: () throws(Problem) -> Reply
    ) throws(Problem) -> Outcome {
        try checkPreconditions(call)
        do {
            try director.perform(operations)
        } catch {
            throw Problem(error, body: body)
        }
        var outcome = Outcome(reply: try answer(call, reply))
        outcome.entries = [.performed(operations, revision: director.revision)]
        if call.query.flag("reload") { publish(nil, into: &outcome) }
        return outcome
    }

    /// Refuses a request whose `If-Match` names another revision.
    func checkPreconditions(_ call: Call) throws(Problem) {
        try Preconditions.check(ifMatch: call[.ifMatch], tag: tag)
    }

    /// The representation with the state's tag; nothing but the tag where the client prefers that.
    func answer(_ call: Call, _ reply: () throws(Problem) -> Reply) throws(Problem) -> Reply {
        if call.prefersMinimal { return .noContent(etag: tag) }
        var reply = try reply()
        reply.etag = tag
        return reply
    }

    /// Reloads; what is published goes into the outcome, to be seen once it is stored.
    ///
    /// - Returns: the change; one without stages where there was nothing to publish.
    @discardableResult
    func publish(_ animations: Animations?, into outcome: inout Outcome) -> [UInt8] {
        guard let change = director.reload(animations: animations) else {
            return Coding.encode(director.unchanged(animations: animations))
        }
        let json = Coding.encode(change)
        outcome.entries.append(.published(version: change.version))
        outcome.events.append(
            FeedEvent(
                frame: frame("changeset", json, version: change.version), version: change.version,
                state: director.published))
        return json
    }

    /// Records that properties or adapters have changed, and tells subscribers.
    func redefine(_ outcome: inout Outcome) {
        outcome.entries.append(.defined(director))
        definitionVersion = history.newest.version
        outcome.events.append(FeedEvent(frame: definitionFrame(), version: history.newest.version))
    }
}

extension Call {
    /// Whether the client wants no representation back (RFC 7240, section 4.2).
    var prefersMinimal: Bool {
        guard let prefer = self[.prefer] else { return false }
        return prefer.split(separator: ",").contains { $0.trimmingSpaces.lowercased() == "return=minimal" }
    }
}
