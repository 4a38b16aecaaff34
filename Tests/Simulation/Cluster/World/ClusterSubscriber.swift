import DirectorLife
import Directors
import HTTPWire
import JSONValues
import ListDiff

/// A subscriber's request for a stream.
///
/// One that it has given up may be answered later; it does not count then.
final class StreamRequest {
    let subscriber: ClusterSubscriber
    /// The node that it has asked.
    let node: ClusterNode

    init(_ subscriber: ClusterSubscriber, at node: ClusterNode) {
        self.subscriber = subscriber
        self.node = node
    }
}

/// A client that shows a director, and moves from node to node with the version that it has.
final class ClusterSubscriber {
    let name: String
    /// Where it is connected; nil while it is not.
    private(set) var host: Host?
    /// What it has asked for, and no node has answered yet.
    private(set) var request: StreamRequest?
    /// The number of the node where it was connected last.
    private(set) var node: Int?
    /// Which life it shows, by `Content.Life.order`; nil before the first.
    private(set) var life: Int?
    private(set) var state = PublishedState(restoring: ListState(), version: 0)

    init(name: String) { self.name = name }

    /// Leaves, or is left.
    func disconnect() { (host, request) = (nil, nil) }

    /// Asks a node for a stream.
    func ask(_ node: ClusterNode) -> StreamRequest {
        let asked = StreamRequest(self, at: node)
        request = asked
        return asked
    }

    /// Goes on where it was, or begins with a snapshot; the node has looked at the database since it was asked.
    func connect(to host: Host?, by request: StreamRequest, _ world: ClusterWorld) throws {
        guard request === self.request, self.host == nil else { return }
        node = request.node.number
        self.request = nil
        guard let host, host.life.refusal(isRead: true) == nil else { return }
        let versions = host.life.stored.versions
        let number = world.database.seen.order(of: host.name)
        try require(number >= life ?? 0, "a subscriber is sent back to an earlier life")
        self.host = host
        guard life == number, state.version >= versions.oldest else {
            if life == number { try require(state.version <= versions.newest.version, "a subscriber goes back") }
            (life, state) = (number, versions.newest)
            return try check(world)
        }
        guard let earlier = versions.state(at: state.version) else {
            throw Violation("a node has version \(versions.newest.version), and a subscriber \(state.version)")
        }
        try require(earlier.list.identifiers == state.list.identifiers, "equal versions have different elements")
        let count = versions.changesets(after: state.version)?.count
        try require(count == versions.newest.version - state.version, "a changeset that was missed is left out")
        state = try state.applying(host.life.stored.director.change(from: earlier, to: versions.newest))
        try check(world)
    }

    /// Takes what a life tells its subscribers.
    func take(_ change: StreamChange, of host: Host, _ world: ClusterWorld) throws {
        switch change {
        case .published(let version):
            let change = version.change
            try require(change.epoch == host.name.epoch, "a version of another life is published")
            try require(change.from == state.version, "version \(change.from + 1) follows \(state.version)")
            state = try state.applying(change)
            try check(world)
        case .ended:
            try require(world.database.seen.life(host.name)?.isEnded == true, "an end is told that there was not")
            disconnect()
        case .defined, .announced: break
        }
    }

    /// Checks that it shows what the log leads to.
    private func check(_ world: ClusterWorld) throws(Violation) {
        guard let host, let model = world.database.seen.life(host.name)?.log.last?.model else {
            throw Violation("a subscriber is shown what is not stored")
        }
        try require(state.version <= model.version, "version \(state.version) is shown and not stored")
        try require(state.list.identifiers == model.versions[state.version], "a subscriber shows another list")
    }
}
