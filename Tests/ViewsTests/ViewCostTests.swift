import Directors
import JSONValues
import ListDiff
import TestSupport
import Testing

@testable import Views

@Suite("What a view costs")
struct ViewCostTests {
    private static func values(_ count: Int) -> [String] {
        (0..<count).map { "{\"id\":\"e\($0)\",\"t\":\($0 % 10),\"n\":\($0 * 7919 % count)}" }
    }

    @Test(
        "one changed element is evaluated alone, whatever the length of the list and the kind of view",
        arguments: [
            #"{"from":"orders","where":{"==":[{"var":"value.t"},1]}}"#,
            #"{"from":"orders","sortBy":[{"key":{"var":"value.n"}}]}"#,
            #"{"from":"orders","sectionBy":{"key":{"var":"value.t"}},"sortBy":[{"key":{"var":"value.n"}}],"limit":50}"#,
            #"{"from":"orders","sectionBy":null,"totals":{"sum":{"sum":{"var":"value.n"}}}}"#,
        ])
    func evaluations(_ text: String) throws {
        var source = try Source(Self.values(3_000))
        let view = try source.view(text)
        #expect(view.evaluations == 3_000)
        for position in [0, 1, 1_501, 2_999] {
            try source.publish(
                .elements(of: .section(.first), .patch(.position(position), ValueDraft(try json(#"{"n":-1}"#)))))
            _ = view.apply(source)
        }
        #expect(view.evaluations == 3_004)
        try source.publish(.elements(of: .section(.first), .move(from: .first, to: .last)))
        _ = view.apply(source)
        #expect(view.evaluations <= 3_005)
    }

    @Test("a version that changes one element leaves nearly all memory of the view's list shared")
    func sharing() throws {
        var source = try Source(Self.values(3_000))
        let view = try source.view(#"{"from":"orders","sortBy":[{"key":{"var":"value.n"}}]}"#)
        let before = view.list
        try source.publish(.elements(of: .section(.first), .patch(.first, ValueDraft(try json(#"{"n":1500.5}"#)))))
        _ = view.apply(source)
        #expect(before.bytesNotShared(with: view.list) < before.memory / 20)
    }

    @Test("a view keeps what belongs, and nothing of other elements")
    func sparse() throws {
        let source = try Source(Self.values(3_000))
        let view = try source.view(
            #"{"from":"orders","where":{"==":[{"var":"id"},"e1234"]},"fields":["/n"]}"#)
        #expect(view.sources[0].members.count == 1)
        #expect(view.sources[0].members.position(at: 0) == 1_234)
    }

    @Test("a filter keeps nothing of elements but their list, which is the source's where all belong")
    func filter() throws {
        var source = try Source(Self.values(3_000))
        let view = try source.view(#"{"from":"orders","where":{">=":[{"var":"value.n"},0]}}"#)
        #expect(view.sources[0].members.count == 0 && view.sources[0].inclusion.isWhole)
        #expect(view.content[0].content.isIdentical(to: source.director.published.list.content[0].content))
        try source.publish(.elements(of: .section(.first), .patch(.first, ValueDraft(try json(#"{"n":-1}"#)))))
        _ = view.apply(source)
        #expect(view.content[0].content.count == 2_999)
        try source.publish(.elements(of: .section(.first), .patch(.first, ValueDraft(try json(#"{"n":5}"#)))))
        _ = view.apply(source)
        #expect(view.content[0].content.isIdentical(to: source.director.published.list.content[0].content))
    }

    @Test("runs of elements that belong are those of a list of truth values")
    func runs() {
        var random = SeededGenerator(seed: SeededGenerator.seedOfRun("runs"))
        for _ in 0..<300 {
            var (runs, plain) = (InclusionRuns(), [Bool]())
            for _ in 0..<60 {
                let lower = Int.random(in: 0...plain.count, using: &random)
                let range = lower..<Int.random(in: lower...min(plain.count, lower + 5), using: &random)
                let new = (0..<Int.random(in: 0...5, using: &random)).map { _ in Bool.random(using: &random) }
                runs.replace(range, with: new)
                plain.replaceSubrange(range, with: new)
                #expect(runs.isWhole == !plain.contains(false) && runs.count == plain.count { $0 })
                for position in 0...plain.count {
                    #expect(runs.count(before: position) == plain[..<position].count { $0 })
                }
            }
        }
    }

    @Test("a long order is that of the keys, and of the source where these are equal, after many changes")
    func longOrder() throws {
        var source = try Source(Self.values(3_000))
        let view = try source.view(#"{"from":"orders","sortBy":[{"key":{"var":"value.n"},"order":"descending"}]}"#)
        var random = SeededGenerator(seed: SeededGenerator.seedOfRun("long order"))
        for _ in 0..<300 {
            let key = Bool.random(using: &random) ? Int.random(in: 0..<3_000, using: &random) : 1_500
            let position = Int.random(in: 0..<3_000, using: &random)
            try source.publish(
                .elements(of: .section(.first), .patch(.position(position), ValueDraft(try json(#"{"n":\#(key)}"#)))))
            _ = view.apply(source)
        }
        let keys = source.director.published.list.content[0].content.map {
            ($0.value.document.root["n"]?.shortInteger ?? 0, $0.identifier)
        }
        let wanted = keys.enumerated().sorted { ($1.element.0, $0.offset) < ($0.element.0, $1.offset) }
        #expect(view.list.content[0].content.map(\.identifier) == wanted.map(\.element.1))
    }

    @Test("an element that takes the place of another one of the same shown parts is shown as itself")
    func replacedElement() throws {
        var source = try Source([#"{"id":"a","n":1}"#, #"{"id":"b","n":1}"#])
        let view = try source.view(#"{"from":"orders","fields":["/n"]}"#)
        let other = ElementDraft(model: "Item", value: try json(#"{"id":"z","n":1}"#))
        try source.publish(
            .elements(of: .section(.first), .remove(.first)), .elements(of: .section(.first), .add([other], at: .first))
        )
        #expect(view.apply(source)?.changeset.isEmpty == false)
        #expect(view.list.content[0].content.map(\.identifier) == ["z", "b"])
    }

    @Test("a section that moves takes its only element along among those of equal keys", arguments: [0, 20, 49])
    func movedElement(_ target: Int) throws {
        var source = try Source()
        let sections = try (0..<50).map { try Source.section("s\($0)", [#"{"id":"e\#($0)","n":1}"#]) }
        try source.publish(.sections(.set(sections)))
        let view = try source.view(#"{"from":"orders","sectionBy":null,"sortBy":[{"key":{"var":"value.n"}}]}"#)
        for position in [49, 0, 25] {
            try source.publish(.sections(.move(from: .position(position), to: .position(target))))
            _ = view.apply(source)
            let wanted = source.director.published.list.sections.flatMap { $0.list.map(\.identifier) }
            #expect(view.list.content[0].content.map(\.identifier) == wanted)
        }
    }

    @Test("a section that moves is not evaluated again")
    func movedSection() throws {
        var source = try Source()
        try source.publish(
            .sections(.set(try ["a", "b", "c"].map { try Source.section($0, Self.values(100)) })))
        let view = try source.view(#"{"from":"orders","sectionBy":null}"#)
        try source.publish(.sections(.move(from: .first, to: .last)))
        _ = view.apply(source)
        #expect(view.evaluations == 300)
        #expect(
            view.outline == "all: "
                + source.director.published.list.sections.flatMap { $0.list.map(\.identifier) }.joined(separator: " "))
    }
}
