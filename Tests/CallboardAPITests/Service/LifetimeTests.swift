import Feed
import HTTPServer
import Hosting
import Journal
import Logging
import Reactor
import Testing

@testable import CallboardAPI

@Suite("Directors that come and go")
struct LifetimeTests {
    private struct Weak {
        weak var host: DirectorHost?
        weak var subscription: Subscription?
    }

    /// What ends a director's stream.
    enum Ending: CaseIterable, Sendable {
        case deletion
        case clientLeaving
        /// Another director of the same stream is still there when the first has gone.
        case sharedStream
    }

    @Test("10,000 directors with a stream each leave nothing behind", arguments: Ending.allCases)
    func nothingIsLeft(_ ending: Ending) async throws {
        let group = try EventLoopGroup(count: 2)
        var configuration = APIConfiguration()
        configuration.feed.retainedVersions = 4
        var logger = Logger(label: "test")
        logger.logLevel = .critical
        let application = try Application(
            configuration: configuration, group: group, journal: MemoryJournal(), logger: logger)
        let owner = TestOwner(loop: group.loops[0])
        #expect(await owner.send(application, .put, "/v1/directors/stays", #"{"kind":"table"}"#) == 201)
        var left: [Weak] = []
        for batch in 0..<20 {
            left += try await Self.live(batch, ending, application, owner)
        }
        await owner.closeStreams()
        // What the loops have been handed may still hold on to something.
        for loop in group.loops {
            await withCheckedContinuation { continuation in loop.execute { continuation.resume() } }
        }
        await group.stop()
        #expect(left.filter { $0.host != nil }.count == 0)
        #expect(left.filter { $0.subscription != nil }.count == 0)
        #expect(application.environment.registry.count == 1)
        #expect(application.subscribers == 0)
        #expect(application.environment.counters.retainedVersions.current == 1)
        #expect(application.environment.counters.retainedBytes.current == 0)
    }

    /// 500 directors from their creation to their end.
    private static func live(
        _ batch: Int, _ ending: Ending, _ application: Application, _ owner: TestOwner
    ) async throws -> [Weak] {
        var seen: [Weak] = []
        for number in 0..<500 {
            let path = "/v1/directors/d\(batch)-\(number)"
            #expect(await owner.send(application, .put, path, #"{"kind":"table"}"#) == 201)
            let name = "d\(batch)-\(number)"
            let target =
                ending == .sharedStream ? "/v1/changesets?director=stays&director=\(name)" : path + "/changesets"
            #expect(await owner.send(application, .get, target, accept: "text/event-stream") == 200)
            #expect(await owner.send(application, .post, path + "/sections?reload=true", "{}") == 201)
            let streams = owner.openStreams
            try #require(streams.count == 1)
            seen.append(
                Weak(
                    host: application.environment.registry.host(named: name),
                    subscription: streams.first as? Subscription))
            switch ending {
            case .deletion:
                #expect(await owner.send(application, .delete, path) == 204)
                while !owner.openStreams.isEmpty { await Task.yield() }
            case .clientLeaving:
                await owner.closeStreams()
                #expect(await owner.send(application, .delete, path) == 204)
            case .sharedStream:
                #expect(await owner.send(application, .delete, path) == 204)
                #expect(owner.openStreams.count == 1)
                await owner.closeStreams()
            }
        }
        return seen
    }

    @Test("a PUT refused by the bound, and one that finds the director there, leave the gauges alone")
    func gauges() async throws {
        let group = try EventLoopGroup(count: 2)
        var configuration = APIConfiguration()
        configuration.bounds.directors = 2
        var logger = Logger(label: "test")
        logger.logLevel = .critical
        let application = try Application(
            configuration: configuration, group: group, journal: MemoryJournal(), logger: logger)
        let owner = TestOwner(loop: group.loops[0])
        for (name, status) in [("a", 201), ("b", 201), ("c", 507), ("a", 200), ("c", 507)] {
            #expect(await owner.send(application, .put, "/v1/directors/\(name)", #"{"kind":"table"}"#) == status)
        }
        #expect(application.environment.counters.retainedVersions.current == 2)
        for name in ["a", "b"] { #expect(await owner.send(application, .delete, "/v1/directors/\(name)") == 204) }
        #expect(application.environment.counters.retainedVersions.current == 0)
        await group.stop()
    }
}
