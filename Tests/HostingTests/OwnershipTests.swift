import DirectorLife
import Directors
import Journal
import Synchronization
import Testing

@testable import Hosting

@Suite("A host among several nodes")
struct OwnershipTests {
    @Test("a loss counts before the loop comes to it, and an ownership behind it only after it")
    func losing() async throws {
        try await HostBench.run { bench in
            let host = bench.livingHost()
            host.lose { $0.loseOwnership() }
            host.send { $0.inherit([], limits: DirectorLimits(), ownership: 1) }
            host.lose { _ in }
            #expect(!host.isOwned)
            bench.on(host) { host in #expect(host.refusal(isRead: false) == nil, "the loop has not come to it") }
            bench.stepper.turn()
            #expect(host.isOwned)
            host.lose { $0.loseOwnership() }
            bench.stepper.turn()
            #expect(!host.isOwned && bench.on(host) { $0.refusal(isRead: false) == .elsewhere })
        }
    }

    @Test("a host that resigns says so when nothing is in flight any more, also where it resigns twice")
    func resigning() async throws {
        try await HostBench.run { bench in
            let host = bench.livingHost()
            bench.write("a", to: host)
            bench.stepper.turn()
            let told = Mutex<[String]>([])
            bench.on(host) { $0.resign { told.withLock { $0.append("first") } } }
            #expect(told.withLock { $0 } == [] && !host.isOwned)
            bench.on(host) { $0.resign { told.withLock { $0.append("second") } } }
            #expect(told.withLock { $0 } == ["first"])
            bench.settle(.success(()))
            #expect(told.withLock { $0 } == ["first", "second"] && bench.takeResults() == ["a stored"])
            bench.on(host) { $0.resign { told.withLock { $0.append("third") } } }
            #expect(told.withLock { $0 } == ["first", "second", "third"])
        }
    }

    @Test("what is in flight when another node takes the director is in doubt, and its results say nothing new")
    func taken() async throws {
        try await HostBench.run { bench in
            let host = bench.livingHost()
            bench.write("a", to: host)
            bench.stepper.turn()
            host.lose { $0.loseOwnership() }
            bench.stepper.turn()
            #expect(bench.takeResults() == ["a another node has taken the director meanwhile"])
            bench.settle(.success(()))
            #expect(bench.takeResults().isEmpty && bench.on(host) { $0.stored.number } == 1)
        }
    }

    @Test("commands that are left in doubt are answered once, and stored all the same")
    func doubt() async throws {
        try await HostBench.run { bench in
            let host = bench.livingHost()
            for text in ["a", "b"] { bench.write(text, to: host) }
            bench.stepper.turn()
            bench.settle(.success(()))
            bench.on(host) { $0.leaveInDoubt() }
            let results = bench.takeResults()
            #expect(results.count == 2 && results[0] == "a stored" && results[1].hasPrefix("b the database"))
            bench.settle(.success(()))
            #expect(bench.takeResults().isEmpty && bench.on(host) { $0.stored.number } == 3)
        }
    }

    @Test("a director that another life displaces ends for its streams as moved, and takes nothing any more")
    func displaced() async throws {
        try await HostBench.run { bench in
            let host = bench.livingHost()
            _ = bench.environment.registry.insert(host, bound: 9)
            bench.on(host) { $0.displace() }
            #expect(!host.isOwned && !host.isLiving && bench.on(host) { $0.isRetired })
            #expect(bench.environment.registry.host(named: "d") == nil)
        }
    }
}
