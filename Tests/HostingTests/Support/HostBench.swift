import DirectorLife
import Directors
import Feed
import JSONValues
import Journal
import Metrics
import Reactor
import ReactorTesting
import Synchronization

@testable import Hosting

/// Hosts on one loop that the test turns, with a journal whose results the test gives.
final class HostBench: Sendable {
    let group: EventLoopGroup
    let stepper: SteppedLoop
    let journal: HeldJournal
    let environment: HostEnvironment
    /// The results of commands, in order.
    let results = Mutex<[String]>([])

    init(journal: HeldJournal = HeldJournal()) throws {
        self.journal = journal
        group = try EventLoopGroup(count: 1, clock: ManualClock())
        stepper = SteppedLoop(group.loops[0])
        environment = HostEnvironment(
            group: group, journal: journal, feed: FeedConfiguration(), metrics: MetricsRegistry())
    }

    /// Runs a test on a bench, and stops its loop.
    static func run(journal: HeldJournal = HeldJournal(), _ body: (HostBench) async throws -> Void) async throws {
        let bench = try HostBench(journal: journal)
        let result: Result<Void, any Error>
        do {
            result = .success(try await body(bench))
        } catch {
            result = .failure(error)
        }
        bench.stepper.release()
        await bench.group.stop()
        try result.get()
    }

    /// The host of a director that is not stored.
    func host(_ name: String = "d", epoch: String = "e1") -> DirectorHost {
        let director = Director(name: name, epoch: epoch, properties: DirectorProperties(defaultsOf: .table))
        return DirectorHost(director, loop: group.loops[0], environment: environment)
    }

    /// The host of a director whose first record is stored.
    func livingHost(_ name: String = "d", epoch: String = "e1") -> DirectorHost {
        let host = host(name, epoch: epoch)
        commit("created", to: host) { $0.create() }
        if !journal.isImmediate {
            stepper.turn()
            settle(.success(()))
        }
        results.withLock { $0 = [] }
        return host
    }

    /// Runs a part of a host at once.
    func on<Result: Sendable>(
        _ host: DirectorHost, _ body: @escaping @Sendable (isolated DirectorHost) -> Result
    ) -> Result {
        stepper.run { host.onLoop(()) { host, _ in body(host) } }
    }

    /// Commits a command, whose result is noted with its name.
    func commit(_ name: String, to host: DirectorHost, _ change: @escaping @Sendable (inout LifeDraft) -> Void) {
        on(host) { host in
            var draft = host.draft()
            change(&draft)
            host.commit(draft) { error in
                self.results.withLock { $0.append("\(name) \(error.map { "\($0)" } ?? "stored")") }
            }
        }
    }

    /// Commits a variable's text.
    func write(_ text: String, to host: DirectorHost) {
        commit(text, to: host) { draft in
            _ = try? draft.perform([.setVariable(name: "text", value: JSONValue(string: text))])
        }
    }

    /// Gives the oldest records their results, and lets the hosts hear of them.
    func settle(_ result: Result<Void, StorageError>, count: Int = 1) {
        for _ in 0..<count { journal.settle(result) }
        stepper.turn()
    }

    /// Takes the results of commands so far.
    func takeResults() -> [String] {
        results.withLock { results in
            defer { results = [] }
            return results
        }
    }
}
