import DirectorLife
import Directors
import Feed
import JSONValues
import Journal
import Notation
import Testing
import Views

@testable import Hosting

@Suite("An instance of a view")
struct ViewInstanceTests {
    private func view(_ bench: HostBench, _ definition: String, name: String = "v") throws -> DirectorHost {
        let rule = ViewRule(try ViewDefinition.decode(JSONValue(parsing: definition).document.root))
        let director = Director(
            name: name, epoch: "view\(name)", properties: DirectorProperties(defaultsOf: .table),
            derivation: rule.derivation)
        let host = DirectorHost(director, loop: bench.group.loops[0], environment: bench.environment)
        _ = bench.environment.registry.insert(host, bound: 9)
        bench.commit("created", to: host) { $0.create() }
        bench.stepper.turn()
        return host
    }

    private func source(_ bench: HostBench) -> DirectorHost {
        let host = bench.livingHost()
        _ = bench.environment.registry.insert(host, bound: 9)
        bench.commit("adapter", to: host) { draft in
            _ = try? draft.define { director throws(DirectorError) in
                try director.register(CellAdapter(model: "M", cell: "C"))
            }
        }
        publish([], on: host, bench)
        return host
    }

    /// Publishes one section with elements of these numbers.
    private func publish(_ numbers: [Int], on host: DirectorHost, _ bench: HostBench) {
        bench.commit("published", to: host) { draft in
            let elements = numbers.map { number in
                ElementDraft(value: JSONValue(trusting: Array(#"{"id":"\#(number)","n":\#(number)}"#.utf8)))
            }
            _ = try? draft.perform([.sections(.set([SectionDraft(identifier: "s", elements: elements)]))])
            _ = try? draft.publish(nil)
        }
        // The source's turn, then the one in which the view is told.
        for _ in 0..<3 { bench.stepper.turn() }
    }

    private func instance(
        _ bench: HostBench, of host: DirectorHost, binding bound: [Name: JSONValue] = [:], principal: String? = nil
    ) throws(ViewRefusal) -> ViewInstance {
        let instance = try bench.environment.views.instance(
            of: host, binding: bound, claims: nil, principal: principal, bench.environment)
        for _ in 0..<4 { bench.stepper.turn() }
        return instance
    }

    private func shown(_ bench: HostBench, _ instance: ViewInstance) -> (identifiers: [String], version: Int) {
        bench.stepper.run {
            instance.onLoop(()) { instance, _ in
                let newest = instance.stored.versions.newest
                return (newest.list.sections.flatMap { $0.list.map(\.identifier) }, newest.version)
            }
        }
    }

    private static let above =
        #"{"from":"d","parameters":{"least":{"type":"integer","default":5}},"#
        + #""where":{">=":[{"var":"value.n"},{"var":"parameters.least"}]}}"#

    @Test("it follows the versions of its source, and a version that leaves it alone only moves its ids")
    func following() async throws {
        try await HostBench.run(journal: HeldJournal(holds: false)) { bench in
            let (source, view) = (source(bench), try view(bench, Self.above))
            publish([1, 6], on: source, bench)
            let instance = try instance(bench, of: view)
            #expect(shown(bench, instance) == (["6"], 2))
            publish([1, 6, 7], on: source, bench)
            #expect(shown(bench, instance) == (["6", "7"], 3))
            publish([2, 6, 7], on: source, bench)
            publish([3, 6, 7], on: source, bench)
            #expect(shown(bench, instance) == (["6", "7"], 3))
            #expect(instance.newestVersion == 3)
            #expect(instance.resumeVersion(holding: 3) == 5 && instance.resumeVersion(holding: 2) == 2)
            publish([8], on: source, bench)
            #expect(shown(bench, instance) == (["8"], 6) && instance.resumeVersion(holding: 6) == 6)
        }
    }

    @Test("a version before its beginning is computed again from what the source retains")
    func earlier() async throws {
        try await HostBench.run(journal: HeldJournal(holds: false)) { bench in
            let (source, view) = (source(bench), try view(bench, Self.above))
            for numbers in [[6], [6, 7], [7], [9]] { publish(numbers, on: source, bench) }
            let instance = try instance(bench, of: view)
            bench.stepper.run { instance.onLoop(()) { instance, _ in instance.whenReady(at: 3) { _ in } } }
            for _ in 0..<3 { bench.stepper.turn() }
            let found = bench.stepper.run {
                instance.onLoop(()) { instance, _ in
                    instance.stored.versions.state(at: 3)?.list.sections.flatMap { $0.list.map(\.identifier) }
                }
            }
            #expect(found == ["6", "7"])
        }
    }

    @Test("readers who bind equal values share one, and a bound is a refusal")
    func sharing() async throws {
        try await HostBench.run(journal: HeldJournal(holds: false)) { bench in
            let (_, view) = (source(bench), try view(bench, Self.above))
            let five = try JSONValue(parsing: "5")
            let first = try instance(bench, of: view, principal: "p")
            #expect(try instance(bench, of: view, binding: ["least": five], principal: "q") === first)
            for number in 0..<bench.environment.views.limits.instancesPerPrincipal - 1 {
                let bound = JSONValue(trusting: Array("\(number + 6)".utf8))
                _ = try bench.environment.views.instance(
                    of: view, binding: ["least": bound], claims: nil, principal: "p", bench.environment)
            }
            #expect(throws: ViewRefusal.self) {
                try instance(bench, of: view, binding: ["least": JSONValue(parsing: "-1")], principal: "p")
            }
            #expect(
                try instance(bench, of: view, binding: ["least": JSONValue(parsing: "-1")], principal: "r") !== first)
            #expect(throws: ViewRefusal.self) {
                try instance(bench, of: view, binding: ["most": five])
            }
        }
    }

    @Test("it ends with its source, and the next one waits for a source of the name and ends when that comes")
    func ends() async throws {
        try await HostBench.run(journal: HeldJournal(holds: false)) { bench in
            let (source, view) = (source(bench), try view(bench, Self.above))
            publish([6], on: source, bench)
            let first = try instance(bench, of: view)
            bench.commit("deleted", to: source) { $0.delete() }
            for _ in 0..<3 { bench.stepper.turn() }
            #expect(isOver(bench, first) && bench.environment.views.count == 0)
            let waiting = try instance(bench, of: view)
            #expect(shown(bench, waiting) == ([], 0) && waiting.epoch != first.epoch && !isOver(bench, waiting))
            let other = bench.host("d", epoch: "e2")
            _ = bench.environment.registry.insert(other, bound: 9)
            for _ in 0..<3 { bench.stepper.turn() }
            #expect(isOver(bench, waiting))
            #expect(try instance(bench, of: view).epoch.hasPrefix("e2v"))
        }
    }

    @Test("another definition ends it, other properties do not")
    func redefinition() async throws {
        try await HostBench.run(journal: HeldJournal(holds: false)) { bench in
            let (source, view) = (source(bench), try view(bench, Self.above))
            publish([6], on: source, bench)
            let first = try instance(bench, of: view)
            bench.commit("properties", to: view) { draft in
                draft.define { $0.redefine(DirectorProperties(defaultsOf: .flow)) }
            }
            for _ in 0..<3 { bench.stepper.turn() }
            #expect(
                !isOver(bench, first)
                    && bench.stepper.run { first.onLoop(()) { i, _ in i.stored.director.kind } } == .flow)
            let rule = ViewRule(try ViewDefinition.decode(JSONValue(parsing: #"{"from":"d"}"#).document.root))
            bench.commit("rule", to: view) { draft in draft.define { $0.redefine(rule.derivation) } }
            for _ in 0..<3 { bench.stepper.turn() }
            #expect(isOver(bench, first))
            let second = try instance(bench, of: view)
            #expect(second.epoch != first.epoch && second.epoch.hasPrefix("e1v"))
        }
    }

    @Test("a circle that came about all the same is a refusal, and so are five views in a row")
    func circles() async throws {
        try await HostBench.run(journal: HeldJournal(holds: false)) { bench in
            _ = try view(bench, #"{"from":"b"}"#, name: "a")
            let circle = try view(bench, #"{"from":"a"}"#, name: "b")
            #expect(throws: ViewRefusal.self) { try instance(bench, of: circle) }
            _ = source(bench)
            var last = circle
            for (name, from) in [("1", "d"), ("2", "1"), ("3", "2"), ("4", "3")] {
                last = try view(bench, #"{"from":"\#(from)"}"#, name: name)
            }
            let chained = try instance(bench, of: last)
            // Each view of the row is told in a turn after that of the one before.
            for _ in 0..<20 { bench.stepper.turn() }
            #expect(shown(bench, chained).version == 1)
            let deep = try view(bench, #"{"from":"4"}"#, name: "5")
            #expect(throws: ViewRefusal.self) { try instance(bench, of: deep) }
        }
    }

    private func isOver(_ bench: HostBench, _ instance: ViewInstance) -> Bool {
        bench.stepper.run { instance.onLoop(()) { instance, _ in instance.isOver } }
    }
}
