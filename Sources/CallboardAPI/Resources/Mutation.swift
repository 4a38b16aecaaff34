import DirectorLife
import Directors
import HTTPTypes
import ListDiff

/// A request that changes a director, being carried out on a draft.
///
/// An action checks the conditions, changes the draft, publishes where the query asks for it, and answers. An action
/// that throws has changed nothing.
struct Mutation: DirectorContext {
    /// The director with the request's changes so far, and the effects of these.
    var draft: LifeDraft
    var view: ViewLife?

    var director: Director { draft.director }

    /// The form of the answer to a request that publishes.
    enum ReloadAnswer {
        /// The changeset.
        case changeset
        /// How many operations of each kind it has.
        case counted
        /// Something else, or nothing.
        case other
    }

    // MARK: Steps

    /// Refuses a request whose conditions do not hold.
    ///
    /// - Parameters:
    ///   - call: The request.
    ///   - isThere: As in ``Preconditions/check(_:tag:isThere:)``.
    func checkPreconditions(_ call: Call, isThere: () throws(Problem) -> Bool = { true }) throws(Problem) {
        try Preconditions.check(
            call, tag: EntityTag.text(epoch: epoch, revision: director.revision), isThere: isThere)
    }

    /// Checks the conditions, performs operations, and publishes if the query asks for it.
    ///
    /// - Parameters:
    ///   - call: The request.
    ///   - operations: What to do, all or none.
    ///   - body: Which part of the operations' JSON form the body is, for the pointers of an error; nil for none.
    ///   - isThere: Whether the resource exists, where the operations may create it.
    /// - Returns: Where the element stands that the last operation has put or patched by itself; nil after others.
    @discardableResult
    mutating func perform(
        _ call: Call, _ operations: [Directors.Operation], body: BodyPart? = nil, isThere: Bool = true
    ) throws(Problem) -> ElementPlace? {
        try call.require(operations.effects)
        try checkPreconditions(call) { () throws(Problem) in
            try checkFound(operations)
            return isThere
        }
        let place: ElementPlace?
        do {
            place = try draft.perform(operations)
        } catch {
            throw Problem(error, body: body, tellsContent: operations.contains(where: \.readsContent))
        }
        try publishIfAsked(call)
        return place
    }

    /// Checks the conditions, changes adapters, properties or hooks, tells subscribers where that was a change, and
    /// publishes if the query asks for it.
    ///
    /// - Parameters:
    ///   - call: The request.
    ///   - isThere: Whether the resource exists.
    ///   - part: Which part of the operation's JSON form the body is.
    ///   - change: Makes the change and returns whether it was one.
    /// - Returns: What `change` returned.
    @discardableResult
    mutating func define(
        _ call: Call, isThere: Bool, body part: BodyPart?, _ change: (inout Director) throws(DirectorError) -> Bool
    ) throws(Problem) -> Bool {
        try checkPreconditions(call) { () throws(Problem) in
            try checkFound(change, body: part)
            return isThere
        }
        let hasChanged: Bool
        do throws(DirectorError) {
            hasChanged = try draft.define(change)
        } catch {
            // An adapter that does not fit what is there.
            throw Problem(error, body: part, tellsContent: true)
        }
        try publishIfAsked(call)
        return hasChanged
    }

    /// Refuses operations on what is not there, without performing them.
    private func checkFound(_ operations: [Directors.Operation]) throws(Problem) {
        try checkFound(
            { director throws(DirectorError) in
                try director.perform(operations)
                return true
            }, body: nil)
    }

    private func checkFound(
        _ change: (inout Director) throws(DirectorError) -> Bool, body: BodyPart?
    ) throws(Problem) {
        var trial = director
        do throws(DirectorError) {
            _ = try change(&trial)
        } catch  where error.category == .notFound {
            throw Problem(error, body: body)
        } catch {
            return
        }
    }

    /// Reloads where the query has `reload=true`.
    mutating func publishIfAsked(_ call: Call) throws(Problem) {
        guard call.query.flag("reload") else { return }
        try call.require(.content)
        _ = try reload(nil, isEncoded: false)
    }

    private mutating func reload(_ animations: Animations?, isEncoded: Bool) throws(Problem) -> PublishedVersion? {
        do {
            return try draft.publish(animations, isEncoded: isEncoded)
        } catch {
            throw Problem(unpublished: error)
        }
    }

    /// Reloads.
    ///
    /// - Returns: The answer: the change, one without stages where there was nothing to publish.
    mutating func publish(_ animations: Animations?, _ answer: ReloadAnswer) throws(Problem) -> Reply {
        let version = try reload(animations, isEncoded: answer == .changeset)
        let change = version?.change ?? director.unchanged(animations: animations)
        switch answer {
        case .changeset: return version.map { Reply(changeset: $0.encoded) } ?? Reply(body: Coding.encode(change))
        case .counted: return Reply(body: Coding.encode(counted: change))
        case .other: return Reply()
        }
    }

    // MARK: Answers

    /// The representation with the state's tag; nothing but the tag where the client prefers that.
    ///
    /// A PUT that has created something says so with 201 all the same (RFC 9110, section 9.3.4).
    ///
    /// - Parameters:
    ///   - call: The request.
    ///   - reply: Makes the representation of the director as it is now.
    mutating func answer(_ call: Call, _ reply: (Mutation) throws(Problem) -> Reply) throws(Problem) -> Reply {
        let isMinimal = call.prefersMinimal
        if isMinimal, call.route.method != .put { return .noContent(etag: draft.tag()) }
        var reply = try reply(self)
        if isMinimal, reply.status != .created { return .noContent(etag: draft.tag()) }
        reply.etag = draft.tag()
        return reply
    }

    /// The answer to a removal: no content, and the state's tag.
    mutating func noContent() -> Reply { .noContent(etag: draft.tag()) }
}
