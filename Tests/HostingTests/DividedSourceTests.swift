import Directors
import JSONValues
import Notation
import TestSupport
import Testing

@testable import Hosting

@Suite("A source that is divided among its views")
struct DividedSourceTests {
    private static let equal =
        #"{"from":"d","parameters":{"n":{"type":"integer"}},"where":{"==":[{"var":"value.n"},{"var":"parameters.n"}]}}"#

    private func views(_ count: Int, of view: DirectorHost, _ bench: HostBench) throws -> [ViewInstance] {
        try (0..<count).map { number in
            try bench.instance(of: view, binding: ["n": JSONValue(trusting: Array("\(number)".utf8))])
        }
    }

    @Test("views beyond the first are told of their part alone, and their ids move all the same")
    func parts() async throws {
        try await HostBench.run(journal: HeldJournal(holds: false)) { bench in
            let (source, view) = (bench.source(), try bench.view(Self.equal))
            bench.publish([0, 11], on: source)
            let views = try views(12, of: view, bench)
            #expect(views.map { $0.division != nil } == (0..<12).map { $0 >= ViewFollowers.fewest })
            #expect(bench.shown(views[11]) == (["11"], 2) && bench.shown(views[9]) == ([], 0))
            let before = evaluations(bench, views[9])
            bench.publish([0, 11, 3, 10], on: source)
            #expect(bench.shown(views[11]) == (["11"], 2) && bench.shown(views[10]) == (["10"], 3))
            #expect(evaluations(bench, views[9]) == before)
            #expect(views[11].newestVersion == 2 && views[11].resumeVersion(holding: 2) == 3)
            #expect(views[10].resumeVersion(holding: 2) == 2 && views[10].resumeVersion(holding: 3) == 3)
            for view in views { bench.stepper.run { view.onLoop(()) { view, _ in view.retire(.moved) } } }
            for _ in 0..<4 { bench.stepper.turn() }
            #expect(bench.on(source) { $0.followers == nil })
            #expect(bench.environment.views.bytes.load(ordering: .relaxed) == 0)
        }
    }

    @Test("an element that may equal many values has all views follow the whole list, and none misses a version")
    func undivided() async throws {
        try await HostBench.run(journal: HeldJournal(holds: false)) { bench in
            let (source, view) = (bench.source(), try bench.view(Self.equal))
            bench.publish([0, 11], on: source)
            let views = try views(12, of: view, bench)
            bench.publish(elements: [("a", "11"), ("b", #""11""#)], on: source)
            for _ in 0..<4 { bench.stepper.turn() }
            #expect(bench.shown(views[11]) == (["a", "b"], 3) && bench.shown(views[0]) == ([], 3))
            #expect(views.allSatisfy { $0.division == nil })
            bench.publish([11, 9], on: source)
            #expect(bench.shown(views[11]) == (["11"], 4) && bench.shown(views[9]) == (["9"], 4))
            let again = try bench.instance(of: view, binding: ["n": JSONValue(parsing: "12")])
            #expect(again.division == nil)
        }
    }

    @Test("every view shows what belongs to it after each of many versions")
    func histories() async throws {
        let seed = SeededGenerator.seedOfRun("divided sources")
        var random = SeededGenerator(seed: seed)
        try await HostBench.run(journal: HeldJournal(holds: false)) { bench in
            let (source, view) = (bench.source(), try bench.view(Self.equal))
            bench.publish([0, 11], on: source)
            var views = try views(12, of: view, bench)
            for round in 0..<100 {
                // Towards the end the list cannot be divided any more.
                let isOdd = round > 70
                let elements = (0..<random.below(30)).map { position in
                    let id = isOdd && random.chance(20) ? 0 : position
                    return (id: "\(id)", n: isOdd && random.chance(20) ? "true" : "\(random.below(14))")
                }
                bench.publish(elements: elements, on: source)
                for _ in 0..<4 { bench.stepper.turn() }
                let version = bench.on(source) { $0.stored.versions.newest.version }
                for (number, view) in views.enumerated() {
                    let expected = elements.filter { $0.n == "\(number)" || $0.n == "true" && number == 1 }.map(\.id)
                    #expect(bench.shown(view).identifiers == expected, "seed \(seed), round \(round), view \(number)")
                    #expect(view.seenVersion == version, "seed \(seed), round \(round), view \(number)")
                }
                let leaving = views[random.below(views.count)]
                guard random.percent(20) else { continue }
                bench.stepper.run { leaving.onLoop(()) { view, _ in view.retire(.moved) } }
                views = try self.views(12, of: view, bench)
            }
        }
    }

    private func evaluations(_ bench: HostBench, _ view: ViewInstance) -> Int {
        bench.stepper.run { view.onLoop(()) { view, _ in view.evaluations } }
    }
}
