import Foundation
import JSONValues
import ListDiff
import Testing

@testable import Directors

/// That nothing takes as long as the list is long: the same steps are timed on a short and on a long list, by the
/// processor's time, so that other work on the machine does not count. What walks the list takes forty times as long
/// on the long one; what follows the change takes the logarithm more.
@Suite("What changes and reloads cost", .serialized)
struct CostTests {
    /// How many times as long the step may take on the long list; walking it takes forty times.
    static let bound = 8.0
    private static let lengths = (short: 1_000, long: 40_000)

    /// Directors with one long section, and with many sections, each made once.
    private static let tall = (short: tall(lengths.short), long: tall(lengths.long))
    private static let wide = (short: wide(lengths.short / 10), long: wide(lengths.long / 10))

    private static func tall(_ count: Int) -> Result<Director, any Error> {
        Result {
            var director = try emptyDirector().value
            let elements = (0..<count).map { ElementDraft(value: JSONValue(string: "e\($0)")) }
            try director.perform([
                .newSection(identifier: "s", elements),
                .sections(.add([section("t", "a")])),
            ])
            _ = try director.reload()
            return director
        }
    }

    private static func wide(_ count: Int) -> Result<Director, any Error> {
        Result {
            var director = try emptyDirector().value
            try director.perform([.sections(.set((0..<count).map { section("s\($0)", "a", "b") }))])
            _ = try director.reload()
            return director
        }
    }

    /// The middle of the times that a step takes on a director, in seconds.
    private func time(_ director: Director, _ step: (inout Director, Int) throws -> Void) throws -> Double {
        var director = director
        let times = try (0..<31).map { round in
            let begin = processorTime()
            try step(&director, round)
            return Double(processorTime() - begin) / 1e9
        }
        return times.sorted()[times.count / 2]
    }

    private func processorTime() -> Int {
        var now = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now)
        return Int(now.tv_sec) * 1_000_000_000 + Int(now.tv_nsec)
    }

    /// Checks that a step takes about as long on a long list as on a short one.
    private func expectSameCost(
        _ directors: (short: Result<Director, any Error>, long: Result<Director, any Error>),
        bound: Double = CostTests.bound, preparing prepare: (inout Director) throws -> Void = { _ in },
        _ step: (inout Director, Int) throws -> Void
    ) throws {
        var (short, long) = (try directors.short.get(), try directors.long.get())
        try prepare(&short)
        try prepare(&long)
        let (one, other) = (try time(short, step), try time(long, step))
        #expect(other < one * bound, "\(Int(one * 1e6)) µs and \(Int(other * 1e6)) µs")
    }

    private func path(_ director: Director, _ round: Int) -> Address {
        .position(1 + round * 7_919 % max(1, director.working.list.elementCount - 100))
    }

    @Test("one change and the reload that publishes it cost the same, however long the section is", arguments: 0..<5)
    func oneChange(_ kind: Int) throws {
        try expectSameCost(Self.tall) { director, round in
            let place = path(director, round)
            switch kind {
            case 0:
                let name = Address.identifier("e\(round)")
                try director.perform([
                    .elements(of: .section(.first), .patch(name, ValueDraft(json("\"x\(round)\""))))
                ])
            case 1: try director.perform([.elements(of: .section(.first), .add(drafts("new\(round)"), at: place))])
            case 2: try director.perform([.elements(of: .section(.first), .remove(place))])
            case 3:
                try director.perform([.elements(of: .section(.first), .move(from: .first, to: place))])
            default:
                try director.perform([
                    .elements(
                        of: .section(.first),
                        .move(from: place, to: .last, into: ElementDestination(section: .identifier("t"))))
                ])
            }
            #expect(try director.reload() != nil)
        }
    }

    @Test("one change and its reload cost the same, however many sections there are", arguments: 0..<4)
    func oneSection(_ kind: Int) throws {
        try expectSameCost(Self.wide) { director, round in
            switch kind {
            case 0: try director.perform([.elements(of: .section(.position(round * 3)), .remove(.first))])
            case 1:
                let patch = try json("{\"headerTitle\":\"\(round)\"}")
                try director.perform([.sections(.patch(.identifier("s\(round)"), ValueDraft(patch)))])
            case 2: try director.perform([.sections(.move(from: .first, to: .position(50)))])
            default: try director.perform([.sections(.add([section("new\(round)", "x")], at: .position(50)))])
            }
            #expect(try director.reload() != nil)
        }
    }

    @Test(
        "what a collapsed section hides costs a reload nothing, whether it has changed or not",
        arguments: [false, true])
    func hidden(_ isTouched: Bool) throws {
        try expectSameCost(Self.tall) { director in
            try director.perform([.sections(.patch(.first, ValueDraft(json(#"{"isCollapsed":true}"#))))])
            _ = try director.reload()
        } _: { director, round in
            if isTouched { try director.perform([.elements(of: .section(.first), .remove(.position(500)))]) }
            try director.perform([.elements(of: .section(.identifier("t")), .add(drafts("\(round)")))])
            #expect(try director.reload()?.changeset.operationCount == 1)
        }
    }

    @Test("a value that no adapter looks at is replaced in a time that follows the change, not the list")
    func replaced() throws {
        try expectSameCost(Self.tall) { director in
            try director.register(CellAdapter(model: "Item", cell: "C", content: []))
            _ = try director.reload()
        } _: { director, round in
            let value = "{\"id\":\"e\(round)\",\"n\":\(round)}"
            try director.perform([
                .elements(of: .section(.first), .put(.identifier("e\(round)"), draft(value)))
            ])
            let change = try director.reload()
            #expect(change?.changeset.replaced.count == 1 && change?.changeset.stages.isEmpty == true)
        }
    }

    @Test("changes that no adapter looks at are published by one reload and cost later ones nothing")
    func invisible() throws {
        try expectSameCost(Self.tall) { director in
            try director.register(CellAdapter(model: "Item", cell: "C", content: []))
            _ = try director.reload()
        } _: { director, round in
            try director.perform([
                .elements(of: .section(.first), .add(drafts("new\(round)"), at: path(director, round)))
            ])
            #expect(try director.reload()?.changeset.operationCount == 1)
        }
    }

    @Test("a reload of changes that are not shown publishes nothing, and the next one does not look at them again")
    func unshown() throws {
        try expectSameCost(Self.tall) { director in
            // Every element is another object with the same content.
            try director.register(CellAdapter(model: "Item", cell: "Other"))
            #expect(try director.reload() == nil)
        } _: { director, _ in
            let change = try director.reload()
            #expect(change == nil)
        }
    }

    @Test("elements that share one identifier are replaced and published in a time that follows their number")
    func oneIdentifier() throws {
        func directors(_ count: Int) -> Result<Director, any Error> {
            Result {
                var director = try emptyDirector().value
                try director.perform([.sections(.add([SectionDraft(identifier: "s", elements: alike(count, 0))]))]
                )
                _ = try director.reload()
                return director
            }
        }
        func alike(_ count: Int, _ round: Int) throws -> [ElementDraft] {
            try (0..<count).map { ElementDraft(value: try json("{\"id\":\"same\",\"n\":\(round * count + $0)}")) }
        }
        // Eight times as many take eight times as long, and sixty-four times if each is compared with each.
        try expectSameCost((directors(250), directors(2_000)), bound: 30) { director, round in
            let count = director.working.list.elementCount
            try director.perform([.elements(of: .section(.first), .set(alike(count, round + 1)))])
            #expect(try director.reload()?.changeset.operationCount == count)
        }
    }

    @Test("a dry run, a failed batch and a change over several versions follow what has changed")
    func versions() throws {
        try expectSameCost(Self.tall) { director, round in
            let first = director.published
            let insert = Directors.Operation.elements(
                of: .section(.first), .add(drafts("v\(round)"), at: path(director, round)))
            #expect(try director.dryRun([insert]) != nil)
            let isTaken = (try? director.perform([insert, .sections(.remove(.identifier("none")))])) != nil
            #expect(!isTaken)
            for _ in 0..<3 {
                try director.perform([insert])
                _ = try director.reload()
            }
            #expect(director.change(from: first, to: director.published).changeset.operationCount == 3)
        }
    }
}
