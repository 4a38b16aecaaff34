import Access

/// A route's requirement on its clients. Every route says one; there is no default.
enum Requirement: Sendable, Hashable {
    /// Nothing: the route is open to everybody, in every mode. A credential that is not good is refused all the same.
    case nothing
    /// Nothing, and credentials are not looked at: a page with which somebody signs in anew has to come although the
    /// session's cookie is no good any more.
    case open
    /// A right to the director that the path names. A client without the right to read the director gets the same
    /// answer as for a missing one.
    case right(Right)
    /// One of two rights to the director that the path names: what the body asks for decides which. Otherwise as
    /// ``right(_:)`` of the first.
    case either(Right, Right)
    /// A right to the director that the path names and that need not be there yet: the answer never depends on whether it
    /// is.
    case creation(Right)
    /// A right to each director that the answer is about: the action leaves out the others.
    case filtered(Right)
    /// A right that concerns the whole server.
    case server(Right)

    /// The right, where one is asked for.
    var right: Right? {
        switch self {
        case .right(let right), .either(let right, _), .creation(let right), .filtered(let right), .server(let right):
            right
        case .nothing, .open: nil
        }
    }
}

extension Principal {
    /// Refuses a request for a route; called once the route and the path's parameters are known, before anything is
    /// looked up.
    ///
    /// - Throws: 401 where no credential was presented and one might help, 403 with the right that is missing, 404 for a
    ///   director that may not be read.
    func authorize(_ route: Route, _ parameters: [String]) throws(Problem) {
        switch route.requirement {
        case .nothing, .open: return
        case .right(let right):
            if !grants.allow(right, on: parameters[0]) { throw refusal(of: right, on: parameters[0]) }
        case .either(let right, let other):
            if grants.allow(right, on: parameters[0]) || grants.allow(other, on: parameters[0]) { return }
            throw refusal(of: right, on: parameters[0])
        case .creation(let right):
            try require(right, on: parameters[0])
        case .filtered(let right):
            // The action shows what there is to see; who has no right at all is told so.
            if !grants.allowSomewhere(right) { throw refusal(right, director: nil) }
        case .server(let right):
            if !grants.allowEverywhere(right) { throw refusal(right, director: nil) }
        }
    }

    /// Why a right to a director is refused: 404 where the director may not be read either.
    func refusal(of right: Right, on director: String) -> Problem {
        isAnonymous || grants.allow(.read, on: director) ? refusal(right, director: director) : .hidden(director)
    }

    /// Refuses a principal without a right to a director: 401 or 403.
    func require(_ right: Right, on director: String) throws(Problem) {
        if !grants.allow(right, on: director) { throw refusal(right, director: director) }
    }

    private func refusal(_ right: Right, director: String?) -> Problem {
        isAnonymous ? .credentialMissing : .rightMissing(right, director: director)
    }
}
