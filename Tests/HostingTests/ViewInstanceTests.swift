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
    private static let above =
        #"{"from":"d","parameters":{"least":{"type":"integer","default":5}},"#
        + #""where":{">=":[{"var":"value.n"},{"var":"parameters.least"}]}}"#

    @Test("it follows the versions of its source, and a version that leaves it alone only moves its ids")
    func following() async throws {
        try await HostBench.run(journal: HeldJournal(holds: false)) { bench in
            let (source, view) = (bench.source(), try bench.view(Self.above))
            bench.publish([1, 6], on: source)
            let instance = try bench.instance(of: view)
            #expect(bench.shown(instance) == (["6"], 2))
            bench.publish([1, 6, 7], on: source)
            #expect(bench.shown(instance) == (["6", "7"], 3))
            bench.publish([2, 6, 7], on: source)
            bench.publish([3, 6, 7], on: source)
            #expect(bench.shown(instance) == (["6", "7"], 3))
            #expect(instance.newestVersion == 3)
            #expect(instance.resumeVersion(holding: 3) == 5 && instance.resumeVersion(holding: 2) == 2)
            bench.publish([8], on: source)
            #expect(bench.shown(instance) == (["8"], 6) && instance.resumeVersion(holding: 6) == 6)
        }
    }

    @Test(
        "of records that another node has stored, and that come together, each version is one of the view",
        arguments: [[[6], [6, 7], [7]]])
    func following(together numbers: [[Int]]) async throws {
        let owner = HeldJournal(holds: false)
        try await HostBench.run(journal: owner) { bench in
            let source = bench.source()
            for numbers in numbers { bench.publish(numbers, on: source) }
        }
        try await HostBench.run(journal: HeldJournal(holds: false)) { bench in
            let (source, view) = (bench.livingHost(), try bench.view(Self.above))
            _ = bench.environment.registry.insert(source, bound: 9)
            bench.on(source) { $0.loseOwnership() }
            let instance = try bench.instance(of: view)
            let records = Array(owner.records.filter { $0.director == "d" }.dropFirst())
            bench.on(source) { $0.follow(records) }
            for _ in 0..<3 { bench.stepper.turn() }
            let versions = bench.stepper.run { instance.onLoop(()) { i, _ in i.stored.versions.retained.map(\.state) } }
            let shown = versions.map { $0.list.sections.flatMap { $0.list.map(\.identifier) } }
            #expect(shown == [[]] + numbers.map { $0.map(String.init) } && versions.map(\.version) == [0, 2, 3, 4])
        }
    }

    @Test("a version before its beginning is computed again from what the source retains")
    func earlier() async throws {
        try await HostBench.run(journal: HeldJournal(holds: false)) { bench in
            let (source, view) = (bench.source(), try bench.view(Self.above))
            for numbers in [[6], [6, 7], [7], [9]] { bench.publish(numbers, on: source) }
            let instance = try bench.instance(of: view)
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
            let (_, view) = (bench.source(), try bench.view(Self.above))
            let five = try JSONValue(parsing: "5")
            let first = try bench.instance(of: view, principal: "p")
            #expect(try bench.instance(of: view, binding: ["least": five], principal: "q") === first)
            for number in 0..<bench.environment.views.limits.instancesPerPrincipal - 1 {
                let bound = JSONValue(trusting: Array("\(number + 6)".utf8))
                _ = try bench.environment.views.instance(
                    of: view, binding: ["least": bound], claims: nil, principal: "p", bench.environment)
            }
            #expect(throws: ViewRefusal.self) {
                try bench.instance(of: view, binding: ["least": JSONValue(parsing: "-1")], principal: "p")
            }
            #expect(
                try bench.instance(of: view, binding: ["least": JSONValue(parsing: "-1")], principal: "r") !== first)
            #expect(throws: ViewRefusal.self) {
                try bench.instance(of: view, binding: ["most": five])
            }
        }
    }

    @Test("it ends with its source, and the next one waits for a source of the name and ends when that comes")
    func ends() async throws {
        try await HostBench.run(journal: HeldJournal(holds: false)) { bench in
            let (source, view) = (bench.source(), try bench.view(Self.above))
            bench.publish([6], on: source)
            let first = try bench.instance(of: view)
            bench.commit("deleted", to: source) { $0.delete() }
            for _ in 0..<3 { bench.stepper.turn() }
            #expect(bench.isOver(first) && bench.environment.views.count == 0)
            let waiting = try bench.instance(of: view)
            #expect(bench.shown(waiting) == ([], 0) && waiting.epoch != first.epoch && !bench.isOver(waiting))
            let other = bench.host("d", epoch: "e2")
            _ = bench.environment.registry.insert(other, bound: 9)
            for _ in 0..<3 { bench.stepper.turn() }
            #expect(bench.isOver(waiting))
            #expect(try bench.instance(of: view).epoch.hasPrefix("e2v"))
        }
    }

    @Test("another definition ends it, other properties do not")
    func redefinition() async throws {
        try await HostBench.run(journal: HeldJournal(holds: false)) { bench in
            let (source, view) = (bench.source(), try bench.view(Self.above))
            bench.publish([6], on: source)
            let first = try bench.instance(of: view)
            bench.commit("properties", to: view) { draft in
                draft.define { $0.redefine(DirectorProperties(defaultsOf: .flow)) }
            }
            for _ in 0..<3 { bench.stepper.turn() }
            #expect(
                !bench.isOver(first)
                    && bench.stepper.run { first.onLoop(()) { i, _ in i.stored.director.kind } } == .flow)
            let rule = ViewRule(try ViewDefinition.decode(JSONValue(parsing: #"{"from":"d"}"#).document.root))
            bench.commit("rule", to: view) { draft in draft.define { $0.redefine(rule.derivation) } }
            for _ in 0..<3 { bench.stepper.turn() }
            #expect(bench.isOver(first))
            let second = try bench.instance(of: view)
            #expect(second.epoch != first.epoch && second.epoch.hasPrefix("e1v"))
        }
    }

    @Test("a circle that came about all the same is a refusal, and so are five views in a row")
    func circles() async throws {
        try await HostBench.run(journal: HeldJournal(holds: false)) { bench in
            _ = try bench.view(#"{"from":"b"}"#, name: "a")
            let circle = try bench.view(#"{"from":"a"}"#, name: "b")
            #expect(throws: ViewRefusal.self) { try bench.instance(of: circle) }
            _ = bench.source()
            var last = circle
            for (name, from) in [("1", "d"), ("2", "1"), ("3", "2"), ("4", "3")] {
                last = try bench.view(#"{"from":"\#(from)"}"#, name: name)
            }
            let chained = try bench.instance(of: last)
            // Each view of the row is told in a turn after that of the one before.
            for _ in 0..<20 { bench.stepper.turn() }
            // Version 1 of the source has left it as it was: a section without elements is none of it.
            #expect(bench.shown(chained).version == 0 && chained.seenVersion == 1)
            let deep = try bench.view(#"{"from":"4"}"#, name: "5")
            #expect(throws: ViewRefusal.self) { try bench.instance(of: deep) }
        }
    }
}
