import Directors
import Feed
import HTTPTypes
import Logging
import Reactor
import TestSupport
import Testing

@testable import CallboardAPI
@testable import DirectorLife
@testable import Hosting
@testable import Journal

/// What a node says of a director while its beginning or its end is under way, or another life of its name comes in between.
@Suite("A node among several")
struct ClusterTests {
    /// A node whose journal stores nothing until it is told to.
    private struct Node {
        let group: EventLoopGroup
        let journal = HeldJournal()
        let application: Application
        let cluster: Cluster
        let owner: TestOwner

        init() throws {
            group = try EventLoopGroup(count: 1)
            var logger = Logger(label: "test")
            logger.logLevel = .critical
            application = try Application(
                configuration: APIConfiguration(), group: group, journal: journal, logger: logger)
            cluster = Cluster(
                LeasedJournal(), environment: application.environment, limits: .none, logger: logger,
                tokensChanged: { _ in })
            owner = TestOwner(loop: group.loops[0])
        }

        /// Sends a request whose record waits in the journal.
        func begin(_ method: HTTPRequest.Method, _ body: String = "") async throws -> Task<Int, Never> {
            journal.hold()
            let answer = Task { await owner.send(application, method, "/v1/directors/d", body) }
            try await eventually("a record") { journal.waiting == 1 }
            return answer
        }

        /// Begins a director that another node owns.
        func follow(_ name: String) -> LifeName {
            let life = LifeName(director: name, epoch: "epoch-\(name)")
            let director = Director(name: name, epoch: life.epoch, properties: DirectorProperties(defaultsOf: .table))
            let state = LifeState(new: director, retention: VersionRetention(count: 1, bytes: 1))
            cluster.begin(RecoveredDirector(state: state, answers: []))
            return life
        }

        /// Opens a stream; where there is one, its directors have it, which is after its head.
        func stream(_ names: String...) async throws -> Int {
            let query = names.map { "director=\($0)" }.joined(separator: "&")
            let status = await owner.send(application, .get, "/v1/changesets?\(query)", accept: "text/event-stream")
            guard status == 200 else { return status }
            let registry = application.environment.registry
            try await eventually("a stream") { names.allSatisfy { registry.host(named: $0)?.isStreaming == true } }
            return status
        }

        /// The name of the life that the registry has.
        var life: LifeName? {
            application.environment.registry.host(named: "d").map { LifeName(director: "d", epoch: $0.epoch) }
        }
    }

    @Test("a director is current from the moment its beginning is stored until its end is under way")
    func current() async throws {
        let node = try Node()
        let creation = try await node.begin(.put, #"{"kind":"table"}"#)
        #expect(!node.cluster.isCurrent("d"))
        node.journal.settle()
        #expect(await creation.value == 201)
        #expect(node.cluster.isCurrent("d"))
        let deletion = try await node.begin(.delete)
        #expect(!node.cluster.isCurrent("d"))
        node.journal.settle()
        #expect(await deletion.value == 204)
        #expect(!node.cluster.isCurrent("d"))
        await node.group.stop()
    }

    @Test("a director that another life of its name has taken the place of is held no more, although it is stored")
    func displaced() async throws {
        let node = try Node()
        let creation = try await node.begin(.put, #"{"kind":"table"}"#)
        let first = try #require(node.life)
        #expect(node.cluster.holds(first))
        let other = LifeName(director: "d", epoch: "another")
        let director = Director(name: "d", epoch: other.epoch, properties: DirectorProperties(defaultsOf: .table))
        let state = LifeState(new: director, retention: VersionRetention(count: 1, bytes: 1))
        node.cluster.begin(RecoveredDirector(state: state, answers: []))
        #expect(node.cluster.holds(other) && !node.cluster.holds(first))
        node.cluster.end(other)
        try await eventually("an end") { node.life == nil }
        node.journal.settle()
        #expect(await creation.value == 201)
        #expect(!node.cluster.holds(first))
        await node.group.stop()
    }
}

extension ClusterTests {
    /// Makes a director, and a change of it that waits in the journal.
    private func changing() async throws -> (node: Node, host: DirectorHost, change: Task<Int, Never>) {
        let node = try Node()
        node.application.environment.attach(node.cluster)
        #expect(await node.owner.send(node.application, .put, "/v1/directors/d", #"{"kind":"table"}"#) == 201)
        let host = try #require(node.application.environment.registry.host(named: "d"))
        node.journal.hold()
        let change = Task { await node.owner.send(node.application, .put, "/v1/directors/d/variables/x", "1") }
        try await eventually("a record") { node.journal.waiting == 1 }
        #expect(node.cluster.isCurrent("d"))
        return (node, host, change)
    }

    @Test(
        "an owner answers a read once what is in flight is settled: others may have shown it", arguments: [true, false])
    func inFlight(isStored: Bool) async throws {
        let (node, host, change) = try await changing()
        node.cluster.place([:], owners: ["d": node.cluster.node])
        let readers = ["", "/d"].map { path in
            Task { await node.owner.send(node.application, .get, "/v1/directors\(path)") }
        }
        // The change and the readers.
        try await eventually("readers that wait") { await host.inFlightCount == 3 }
        node.journal.settle(failing: isStored ? nil : .unavailable("the disk is full"))
        #expect(await (200..<300).contains(change.value) == isStored)
        for reader in readers { #expect(await reader.value == 200) }
        await node.group.stop()
    }

    @Test("a read is refused where it stays in doubt whether the change before it is stored")
    func staysInDoubt() async throws {
        let (node, host, change) = try await changing()
        let reader = Task { await node.owner.send(node.application, .get, "/v1/directors/d") }
        try await eventually("a reader that waits") { await host.inFlightCount == 2 }
        host.send { $0.leaveInDoubt() }
        #expect(await reader.value == 503)
        #expect(await change.value == 504)
        node.journal.settle()
        await node.group.stop()
    }

    @Test("a director leaves memory where nobody follows it, and is not there any more")
    func unload() async throws {
        let node = try Node()
        let life = node.follow("d")
        #expect(try await node.stream("d") == 200)
        #expect(node.owner.openStreams.count == 1)
        // The answer's head goes out before the director's loop hears of the stream.
        let host = try #require(node.application.environment.registry.host(named: "d"))
        try await eventually("a subscription") { host.isStreaming }
        #expect(!node.cluster.unload(life))
        await node.owner.closeStreams()
        try await eventually("an unload") { node.cluster.unload(life) }
        #expect(!node.cluster.holds(life) && node.life == nil)
        #expect(node.cluster.unload(life))
        await node.group.stop()
    }

    @Test("what this node owns does not leave memory")
    func unloadOwned() async throws {
        let node = try Node()
        #expect(await node.owner.send(node.application, .put, "/v1/directors/d", #"{"kind":"table"}"#) == 201)
        let life = try #require(node.life)
        #expect(!node.cluster.unload(life) && node.cluster.holds(life))
        await node.group.stop()
    }

    @Test("a stream of several directors ends as a whole when one of them is read anew, so that its client comes back")
    func moved() async throws {
        let node = try Node()
        _ = (node.follow("d"), node.follow("f"))
        #expect(try await node.stream("d", "f") == 200)
        #expect(node.owner.openStreams.count == 1)
        _ = node.follow("d")
        try await eventually("the stream's end") { node.owner.openStreams.isEmpty }
        await node.group.stop()
    }

    @Test("whoever comes to a director that has just left memory is sent away, and not told that it was deleted")
    func late() async throws {
        let node = try Node()
        let life = node.follow("d")
        let host = try #require(node.application.environment.registry.host(named: "d"))
        #expect(node.cluster.unload(life))
        let opening = await withCheckedContinuation { continuation in
            host.open(SubscriptionTerms(), on: node.group.loops[0], isLate: false) { opening, _ in
                continuation.resume(returning: opening)
            }
        }
        #expect(opening.end == .moved && opening.events.count == 1)
        await node.group.stop()
    }

    @Test("a director that is known and not in memory is never said to be gone, nor made a second time")
    func known() async throws {
        let node = try Node()
        node.application.environment.attach(node.cluster)
        node.cluster.place([:], owners: ["d": 2])
        #expect(await node.owner.send(node.application, .get, "/v1/directors/d") == 503)
        #expect(try await node.stream("d", "f") == 503)
        #expect(await node.owner.send(node.application, .get, "/v1/directors/f") == 404)
        #expect(node.application.environment.directorCount == 1)
        // Its owner lives no more: it is waited for until the request's time is over.
        guard case .nobody = node.cluster.destination(of: "d") else { throw UnexpectedDestination() }
        // One of this node's own that is not there was deleted, or is not begun yet.
        node.cluster.place([:], owners: ["d": node.cluster.node])
        guard case .unknown = node.cluster.destination(of: "d") else { throw UnexpectedDestination() }
        await node.group.stop()
    }

    private struct UnexpectedDestination: Error {}

    @Test("the versions of a director that has left memory are counted no more")
    func counted() async throws {
        let node = try Node()
        func retained() -> String? {
            node.application.metrics.page.split(separator: "\n").first {
                $0.hasPrefix("callboard_feed_retained_versions ")
            }.map(String.init)
        }
        let life = node.follow("d")
        #expect(retained() == "callboard_feed_retained_versions 1")
        #expect(node.cluster.unload(life))
        let group = node.group
        await withCheckedContinuation { continuation in group.loops[0].execute { continuation.resume() } }
        #expect(retained() == "callboard_feed_retained_versions 0")
        await node.group.stop()
    }
}

/// A journal of several nodes that tells nothing, and whose lease lasts.
private final class LeasedJournal: SharedJournal {
    let node = 1
    let leaseEnd = ContinuousClock.now + .seconds(600)
    let sharingStatus = SharingStatus()

    func follow(_ observer: any LifeObserver) {}
    func serve(at url: String) {}
    func look(at directors: [String]?, completion: @escaping @Sendable (StorageError?) -> Void) { completion(nil) }
    func restart(_ life: LifeName) {}
    func leave(within limit: Duration) {}
}

extension DirectorHost {
    /// How many commands are not settled.
    fileprivate var inFlightCount: Int { life.inFlight.count }
}
