import DirectorLife
import Directors
import Feed
import HTTPTypes
import Hosting
import Logging
import Reactor
import Testing

@testable import CallboardAPI
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
                configuration: CallboardConfiguration(), group: group, journal: journal, logger: logger)
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
