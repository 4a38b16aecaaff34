extension Route {
    /// Which node answers a request of a route, where several share a database.
    ///
    /// Commands go to their director's owner whatever this says.
    enum Scope: Sendable {
        /// The asked node itself answers, from its own state; a director's state is as new as the journal.
        case anyNode
        /// The node that is asked, once it knows of all directors, and has all tokens, as the journal does.
        case everything
        /// The node that is asked, once the directors that the query names are as new here as the journal.
        case queriedDirectors
        /// The node that the query names by its number, or the one that is asked.
        case queriedNode
        /// The owner of the director that the path names: it alone knows the answer.
        case owner
        /// The node that knows what the path names; all are asked, one after the other.
        case oneNode
        /// All nodes: their lists are answered as one.
        case everyNode(Gathered)
    }

    /// A list that is made of those of all nodes.
    struct Gathered: Sendable {
        /// The answer with the list.
        let list: ListForm
        /// The member of its elements that it is ordered by.
        let order: String
        /// Whether a node lists what is of other nodes, too, but for its total; each element is taken from its director's
        /// owner.
        var isOfAll = false
    }
}
