import DirectorLife
import Directors

/// A request's view of a director: the stored state, in an immutable copy.
///
/// Records in flight are not in it: a reader never sees what may yet be lost.
struct Reading: DirectorContext {
    /// The stored state, with its retained versions.
    let state: LifeState
    /// The entity tag of its working state.
    let tag: String
    /// The director of a view, which has its definition; nil for a director with content of its own.
    var definition: Director?
    /// The numbers of a view beside its list.
    var facts: DerivedFacts?
    var view: ViewLife?

    var director: Director { state.director }

    /// The state that a read asks for, with its entity tag.
    func state(_ call: Call) throws(Problem) -> (list: ListState, tag: String) {
        let version = call.query.integer("version")
        guard call.query["state"] == "published" else {
            guard version == nil else { throw .badRequest("`version` goes with `state=published`.") }
            return (director.working.list, tag)
        }
        let newest = state.versions.newest
        guard let version else { return (newest.list, EntityTag.text(epoch: epoch, version: newest.version)) }
        return (try published(version).list, EntityTag.text(epoch: epoch, version: version))
    }

    /// A retained version.
    func published(_ version: Int) throws(Problem) -> PublishedState {
        if let state = state.versions.state(at: version) { return state }
        throw unknown(version)
    }

    /// The problem of a version that is not there: not yet, or no longer.
    func unknown(_ version: Int) -> Problem {
        let newest = state.versions.newest.version
        return version > newest
            ? .notFound("Version \(version) has not been published; the newest is \(newest).")
            : .gone("Version \(version) is no longer retained; \(state.versions.oldest) to \(newest) are.")
    }

    /// Answers 304 where the client already holds this state, and the representation otherwise.
    ///
    /// - Parameters:
    ///   - call: The request.
    ///   - tag: The tag of the representation; nil where it shows what no revision counts.
    ///   - reply: Makes the representation.
    /// - Throws: 412 where `If-Match` names another state.
    func answer(_ call: Call, tag: String?, _ reply: () -> Reply) throws(Problem) -> Reply {
        if try Preconditions.isFresh(call, tag: tag) { return Reply(status: .notModified, etag: tag) }
        var reply = reply()
        reply.etag = tag
        return reply
    }
}
