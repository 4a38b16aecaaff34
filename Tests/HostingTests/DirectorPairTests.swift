import DirectorLife
import Directors
import JSONValues
import Journal
import Synchronization
import Testing

@testable import Hosting

@Suite("A command on a pair of directors")
struct DirectorPairTests {
    /// Holds a pair, and sets a variable of both; what became of it is told as "stored", "refused" or the error.
    private func set(
        _ variable: String, to text: String, on pair: DirectorPair, then done: @escaping @Sendable (String) -> Void
    ) {
        pair.hold(cause: nil) { first, second in
            guard first.refusal == nil, second.refusal == nil else {
                pair.release()
                return done("refused")
            }
            let halves = [first, second].map { start in
                var draft = start.draft
                _ = try? draft.perform([.setVariable(name: variable, value: JSONValue(string: text))])
                return DirectorPair.CarriedOut(draft, since: start)
            }
            pair.commit(halves[0], halves[1]) { outcome in
                if case .failed(let error) = outcome { done("\(error)") } else { done("\(outcome)") }
            }
        }
    }

    /// Sets a text on both directors of a pair; the result is noted with the text.
    private func write(_ text: String, to pair: DirectorPair, _ bench: HostBench) {
        set("text", to: text, on: pair) { result in bench.results.withLock { $0.append("\(text) \(result)") } }
        for _ in 0..<12 { bench.stepper.turn() }
    }

    private func pair(_ bench: HostBench) -> DirectorPair {
        DirectorPair(bench.livingHost("d"), bench.livingHost("c", epoch: "e2"))
    }

    private func text(of host: DirectorHost, _ bench: HostBench) -> String? {
        bench.on(host) { $0.stored.director.working.variables["text"].flatMap { $0.document.root.string } }
    }

    /// Commits a text where the director's turn has come, as a request does.
    private func request(_ text: String, to host: DirectorHost, _ bench: HostBench) {
        let run = Mutex<(@Sendable (isolated DirectorHost) -> Void)?>(nil)
        let body: @Sendable (isolated DirectorHost) -> Void = { host in
            if host.mustWaitForTurn() {
                if let again = run.withLock({ $0 }) { host.waitForTurn(again) }
                return
            }
            var draft = host.draft()
            _ = try? draft.perform([.setVariable(name: "text", value: JSONValue(string: text))])
            host.commit(draft) { error in
                bench.results.withLock { $0.append("\(text) \(error.map { "\($0)" } ?? "stored")") }
            }
        }
        run.withLock { $0 = body }
        bench.on(host) { body($0) }
        bench.stepper.turn()
    }

    @Test("begins once nothing is in flight, is handed over by one call, and both records have one result")
    func commit() async throws {
        try await HostBench.run { bench in
            let pair = pair(bench)
            bench.write("before", to: pair.second)
            write("both", to: pair, bench)
            #expect(bench.journal.calls == [1, 1, 1] && bench.takeResults().isEmpty)
            bench.settle(.success(()))
            for _ in 0..<12 { bench.stepper.turn() }
            #expect(bench.journal.calls == [1, 1, 1, 2] && bench.takeResults() == ["before stored"])
            bench.settle(.success(()))
            #expect(bench.takeResults() == ["both stored"])
            for host in [pair.first, pair.second] { #expect(text(of: host, bench) == "both") }
        }
    }

    @Test("requests that come meanwhile wait for it, at both directors, and follow its record")
    func turns() async throws {
        try await HostBench.run { bench in
            let pair = pair(bench)
            bench.write("before", to: pair.first)
            write("both", to: pair, bench)
            for host in [pair.first, pair.second] { request("after", to: host, bench) }
            #expect(bench.journal.calls == [1, 1, 1])
            bench.settle(.success(()))
            for _ in 0..<12 { bench.stepper.turn() }
            #expect(bench.journal.calls == [1, 1, 1, 2, 2] && bench.takeResults() == ["before stored"])
            #expect(bench.journal.records.suffix(4).map(\.number) == [3, 2, 4, 3])
            bench.settle(.success(()), count: 3)
            #expect(bench.takeResults() == ["both stored", "after stored", "after stored"])
        }
    }

    @Test("where its records are lost, both directors go back, and what follows it is lost too")
    func loss() async throws {
        try await HostBench.run { bench in
            let pair = pair(bench)
            write("both", to: pair, bench)
            bench.write("after", to: pair.second)
            bench.stepper.turn()
            bench.settle(.failure(.full("no room")), count: 2)
            #expect(bench.takeResults() == ["both no room", "after no room"])
            for host in [pair.first, pair.second] {
                #expect(text(of: host, bench) == nil && !host.isStoring)
                #expect(bench.on(host) { $0.workingCount } > 0)
            }
            write("again", to: pair, bench)
            bench.settle(.success(()))
            #expect(bench.takeResults() == ["again stored"] && text(of: pair.first, bench) == "again")
        }
    }

    /// What happens to one of the directors while a command on the pair is under way.
    enum Event: CaseIterable {
        case change, manyChanges, answer, loss
    }

    private func happen(_ event: Event, to host: DirectorHost, _ bench: HostBench) {
        func change(_ name: String) {
            bench.commit("other", to: host) { draft in
                _ = try? draft.perform([.setVariable(name: name, value: JSONValue(string: "x"))])
            }
        }
        switch event {
        case .change: change("other")
        // As many as are handed over before the turn ends.
        case .manyChanges: for number in 1...LoopJournal.limit { change("other\(number)") }
        case .answer:
            bench.on(host) { host in
                let answer = CommandKey("k", fingerprint: 0).answer([], now: StoreClock.now())
                host.commit(host.draft(), answer: answer) { _ in }
            }
        case .loss: bench.on(host) { $0.resign() }
        }
    }

    @Test(
        "what happens to a director between the two halves leaves both records or neither, in order, and nothing is stuck",
        arguments: Event.allCases, [true, false])
    func meanwhile(event: Event, holds: Bool) async throws {
        for (turns, isFirst) in (0...10).flatMap({ [($0, true), ($0, false)] }) {
            try await HostBench.run(journal: HeldJournal(holds: holds)) { bench in
                let pair = pair(bench)
                let host = isFirst ? pair.first : pair.second
                set("text", to: "both", on: pair) { result in bench.results.withLock { $0.append(result) } }
                for _ in 0..<turns { bench.stepper.turn() }
                happen(event, to: host, bench)
                for _ in 0..<40 {
                    bench.stepper.turn()
                    while bench.journal.waitingCount > 0 { bench.settle(.success(())) }
                }
                let isBoth = bench.takeResults().contains("stored")
                let place = "after \(turns) turns, \(isFirst ? "the first" : "the second")"
                for host in [pair.first, pair.second] {
                    let records = bench.journal.records.filter { $0.director == host.name }
                    let numbers = records.filter { !$0.entries.isEmpty }.map(\.number)
                    #expect(numbers == Array(1...numbers.count), "\(place)")
                    #expect(records.map(\.number) == records.map(\.number).sorted(), "\(place)")
                    #expect(text(of: host, bench) == (isBoth ? "both" : nil), "\(place)")
                    #expect(!host.isStoring && bench.on(host) { !$0.mustWaitForTurn() }, "\(place)")
                }
                let others = bench.on(host) { $0.stored.director.working.variables.count } - (isBoth ? 1 : 0)
                #expect(others == [.change: 1, .manyChanges: LoopJournal.limit][event] ?? 0, "\(place)")
            }
        }
    }

    @Test("commands on the same pair in both directions, and on overlapping pairs, all end")
    func manyPairs() async throws {
        try await HostBench.run(journal: HeldJournal(holds: false)) { bench in
            let hosts = ["a", "b", "c"].map { bench.livingHost($0, epoch: "e\($0)") }
            let ended = Mutex(0)
            for index in 0..<60 {
                let pair = DirectorPair(hosts[index % 3], hosts[(index % 3 + 1 + index % 2) % 3])
                set("n\(index)", to: "x", on: pair) { if $0 == "stored" { ended.withLock { $0 += 1 } } }
            }
            for _ in 0..<1000 { bench.stepper.turn() }
            #expect(ended.withLock { $0 } == 60)
            let counts = hosts.map { host in bench.on(host) { $0.stored.director.working.variables.count } }
            #expect(counts.reduce(0, +) == 120)
        }
    }
}
