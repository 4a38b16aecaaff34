import Directors
import HTTPTypes
import HTTPWire
import JSONValues
import Journal

extension DirectorHost {
    /// The entity tag of the working state; written once for each revision.
    var tag: String {
        let revision = director.working.revision
        if taggedRevision != revision {
            taggedRevision = revision
            writtenTag = Preconditions.tag(epoch: epoch, revision: revision)
        }
        return writtenTag
    }

    /// Performs operations, publishes if the query asks for it, and answers with the new representation.
    ///
    /// - Parameters:
    ///   - call: The request; its conditions are checked first.
    ///   - operations: What to do, all or none.
    ///   - body: Which part of the operation's JSON form the body is, for the pointers of an error; `nil` for none.
    ///   - isThere: Whether the resource exists, where the operations may create it.
    ///   - reply: The new representation, made after the operations.
    func mutate(
        _ call: Call, _ operations: [Directors.Operation], body: BodyPart? = nil, isThere: Bool = true,
        reply: () throws(Problem) -> Reply
    ) throws(Problem) -> Outcome {
        try checkPreconditions(call) { () throws(Problem) in
            try checkFound(operations)
            return isThere
        }
        // Before performing: what the journal holds gives the same state when it is performed again.
        let operations = operations.map(\.resolved)
        do {
            try director.perform(operations)
        } catch {
            throw Problem(error, body: body)
        }
        var outcome = Outcome(reply: Reply(), entries: [.performed(operations, revision: director.revision)])
        if call.query.flag("reload") { publish(nil, into: &outcome) }
        // After the reload, since a director's representation names the version.
        outcome.reply = try answer(call, reply)
        return outcome
    }

    /// Refuses a request whose conditions do not hold.
    ///
    /// - Parameters:
    ///   - call: The request.
    ///   - isThere: As in ``Preconditions/check(_:tag:isThere:)``.
    func checkPreconditions(_ call: Call, isThere: () throws(Problem) -> Bool = { true }) throws(Problem) {
        try Preconditions.check(call, tag: tag, isThere: isThere)
    }

    /// Refuses operations on what is not there, without performing them.
    private func checkFound(_ operations: [Directors.Operation]) throws(Problem) {
        var trial = director
        do {
            try trial.perform(operations)
        } catch  where error.category == .notFound {
            throw Problem(error, body: nil)
        } catch {
            return
        }
    }

    /// The representation with the state's tag; nothing but the tag where the client prefers that.
    ///
    /// A PUT that has created something says so with 201 all the same (RFC 9110, section 9.3.4).
    func answer(_ call: Call, _ reply: () throws(Problem) -> Reply) throws(Problem) -> Reply {
        let isMinimal = call.prefersMinimal
        if isMinimal, call.route.method != .put { return .noContent(etag: tag) }
        var reply = try reply()
        if isMinimal, reply.status != .created { return .noContent(etag: tag) }
        reply.etag = tag
        return reply
    }

    /// Reloads; what is published goes into the outcome, to be seen once it is stored.
    ///
    /// - Parameters:
    ///   - animations: The animations that the caller asks for.
    ///   - outcome: Where the change goes.
    ///   - answer: Whether the answer is the changeset, which is encoded at once then.
    /// - Returns: The answer: the change, one without stages where there was nothing to publish.
    @discardableResult
    func publish(_ animations: Animations?, into outcome: inout Outcome, answer: ReloadAnswer = .other) -> Reply {
        guard let change = director.reload(animations: animations) else {
            return reply(director.unchanged(animations: animations), answer, frame: nil)
        }
        let frame = answer == .changeset ? frame(change) : nil
        outcome.entries.append(.published(version: change.version, animations: animations))
        outcome.events.append(
            FeedEvent(
                content: frame.map(FeedEvent.Content.frame) ?? .change(change), version: change.version,
                published: FeedEvent.Published(state: director.published, adapters: director.adapters)))
        return reply(change, answer, frame: frame)
    }

    private func reply(_ change: PublishedChange, _ answer: ReloadAnswer, frame: EventFrame?) -> Reply {
        switch answer {
        case .changeset: frame.map { Reply(changeset: $0) } ?? Reply(body: Coding.encode(change))
        case .counted: Reply(body: Coding.encode(counted: change))
        case .other: Reply()
        }
    }

    /// Tells subscribers where they are shown another definition: where a hook leads to is not theirs to know.
    func announceShownDefinition(since before: Director, _ outcome: inout Outcome) {
        let shown = Coding.definition(director)
        guard Coding.definition(before) != shown else { return }
        // Of what has been published and may not be stored yet: once it is this event's turn, that is the newest.
        outcome.definitionVersion = director.version
        outcome.events.append(
            FeedEvent(frame: frame("definition", shown, version: director.version), version: director.version))
    }
}

/// What a request that publishes is answered with.
enum ReloadAnswer {
    /// The changeset.
    case changeset
    /// How many operations of each kind it has.
    case counted
    /// Something else, or nothing.
    case other
}

extension Call {
    /// Whether the client wants no representation back (RFC 7240, section 4.2); the value may be quoted, have spaces
    /// before it and parameters behind it.
    var prefersMinimal: Bool {
        guard let prefer = self[.prefer] else { return false }
        return prefer.split(separator: ",").contains { preference in
            let text = preference.prefix { $0 != ";" }.filter { $0 != " " && $0 != "\t" && $0 != "\"" }
            return text.lowercased() == "return=minimal"
        }
    }
}
