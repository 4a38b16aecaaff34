import Access
import Directors
import HTTPServer
import HTTPTypes
import JSONValues

// Rights belong to what is done, not to the route: what a request does to a director, by its path, its body or the batch in
// it, asks for the rights of these effects, and what its answer tells asks for the right to read that.

extension Principal {
    /// Whether the right to a director is held.
    func has(_ right: Right, on director: String) -> Bool { grants.allow(right, on: director) }

    /// Refuses effects on a director that the grants do not give.
    ///
    /// - Throws: 401 or 403 that names the first right that is missing.
    func require(_ effects: Effects, on director: String) throws(Problem) {
        if effects.contains(.content) { try require(Right.mutate, on: director) }
        if effects.contains(.definition) { try require(Right.define, on: director) }
        if effects.contains(.hooks) { try require(Right.hooks, on: director) }
    }

    /// The effects on a director that the principal has rights to, and so the effects that answers of its hooks may
    /// have.
    func effects(on director: String) -> Effects {
        var effects: Effects = []
        if has(.mutate, on: director) { effects.insert(.content) }
        if has(.define, on: director) { effects.insert(.definition) }
        if has(.hooks, on: director) { effects.insert(.hooks) }
        return effects
    }
}

extension Call {
    /// Refuses effects on the director that the path names.
    func require(_ effects: Effects) throws(Problem) {
        try principal.require(effects, on: parameters[0])
    }

    /// Whether the client may not read the director that the path names: its changes are answered without their
    /// results.
    ///
    /// Routes of which the right is another one than `read` change something, report something, or are about hooks.
    var hidesContent: Bool {
        route.namesDirector && !principal.has(.read, on: parameters[0])
    }
}

extension Reply {
    /// The kind of information in an answer's content, which decides the right that it requires.
    enum Telling: String, Sendable {
        /// The director: what it holds, and how it is defined.
        case content
        /// Hooks, of which the route has asked for the right.
        case hooks
        /// Nothing but what was sent.
        case nothing
    }

    /// The answer for somebody who may not read the director: that it was done, and the state's tag, which a condition
    /// of the next request may name.
    var withoutContent: Reply {
        guard telling == .content else { return self }
        var reply = Reply(status: status == .created ? .created : .noContent, etag: etag, telling: .nothing)
        (reply.furtherFields, reply.outcome) = (furtherFields, outcome)
        guard status.code >= 400 else { return reply }
        // A refusal that is kept for repetitions.
        let root = (try? JSONDocument(body))?.root
        let kind = root?["type"]?.string.flatMap(ProblemKind.init(type:)) ?? .conflict
        let problem = Problem(kind, "").withoutContent
        return Reply(
            status: status, body: problem.body(instance: root?["instance"]?.string ?? ""), contentType: contentType,
            telling: .nothing)
    }
}

extension Problem {
    /// The problem as the one who makes a request may know it.
    func told(to call: Call) -> Problem { tellsContent && call.hidesContent ? withoutContent : self }

    /// The problem for somebody who may not read the director that it is about.
    var withoutContent: Problem {
        var problem = self
        problem.tellsContent = false
        problem.faults = []
        problem.detail = "\(kind.title). Only clients with the right \"read\" on the director get the details."
        return problem
    }

    /// The same problem, as one that tells something of what the director holds.
    var tellingContent: Problem {
        var problem = self
        problem.tellsContent = true
        return problem
    }
}
