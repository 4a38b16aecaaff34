import Directors
import Foundation
import HashTreeCollections
import JSONValues
import ListDiff
import Notation
import TestSupport
import Testing

@testable import Views

@Suite("Views of parts of a list")
struct PartPropertyTests {
    /// Definitions whose first condition names one part; `p` is 1, `q` is `"a2"`, and the claim `t` is 2.
    private static let definitions = [
        #""where":{"===":[{"var":"value.t"},1]}"#,
        #""where":{"==":[{"var":"parameters.p"},{"var":"value.t"}]},"sortBy":[{"key":{"var":"value.n"}}],"limit":3"#,
        #""where":{"and":[{"==":[{"var":"value.t"},{"var":"claims.t"}]},{">":[{"/":[6,{"var":"value.n"}]},2]}]}"#,
        #""where":{"===":[{"var":"value.s"},{"var":"parameters.q"}]},"sectionBy":{"key":{"var":"value.k"}}"#,
        #""where":{"==":[{"var":"value.s"},"B1"]},"sectionBy":null,"totals":{"sum":{"sum":{"var":"value.p"}}}"#,
        #""where":{"and":[{"and":[{"==":[{"var":"value.x"},0]},{"var":"value.n"}]},{"var":"section.headerTitle"}]}"#,
        #""where":{"===":[{"val":["value","o","a"]},0]},"fields":["/id","/n"]"#,
        #""where":{"==":[{"var":"value.n"},10]},"limit":2,"limitBy":"section""#,
    ]
    private static let parameters =
        #""parameters":{"p":{"type":"integer","default":1},"q":{"type":"string","default":"a2"}}"#

    @Test("a view that is given its part, and that only when it has changed, is the view of the whole")
    func parts() throws {
        let seed = SeededGenerator.seedOfRun("parts of views")
        var random = SeededGenerator(seed: seed)
        var count = Count()
        for run in 0..<ViewPropertyTests.histories {
            try follow(Self.definitions[run % Self.definitions.count], &random, isLong: run % 20 == 0, &count)
        }
        // Most versions are divided, and many leave a view alone.
        #expect(count.divided > count.versions / 2 && count.untouched > count.versions / 8, "seed \(seed): \(count)")
    }

    private struct Count {
        var (versions, divided, untouched) = (0, 0, 0)
    }

    private func follow(
        _ definition: String, _ random: inout SeededGenerator, isLong: Bool, _ count: inout Count
    ) throws {
        var generator = HistoryGenerator(SeededGenerator(seed: random.next()), isLong: isLong, isUnique: true)
        var source = try Source()
        let text = #"{"from":"orders",\#(Self.parameters),\#(definition)}"#
        var whole = try source.view(text, claims: try json(#"{"t":2}"#)).value
        var own = whole
        let part = try #require(ViewPart(whole.plan))
        var divided = DividedList(source.director.published.list, by: part.rule)
        for step in generator.steps() {
            switch step {
            case .perform(let operations): for operation in operations { _ = try? source.director.perform([operation]) }
            case .look(let pointers):
                try source.director.register(CellAdapter(model: "Item", cell: "ItemCell", content: pointers))
            case .publish:
                _ = try source.director.reload()
                let published = source.director.published
                let change = whole.apply(published, variables: source.director.working.variables)
                let changed = divided?.update(to: published.list)
                if changed == nil { divided = DividedList(published.list, by: part.rule) }
                count.versions += 1
                var list = published.list
                if let divided {
                    count.divided += 1
                    if let changed, !changed.contains(part.key) {
                        count.untouched += 1
                        #expect(change == nil, "untouched, in \(definition)")
                        continue
                    }
                    list = divided.part(part.key)
                }
                _ = own.apply(PublishedState(version: published.version, list: list))
                try #require(own.list == whole.list, "in \(definition)")
                #expect(own.totalsText == whole.totalsText && own.faults == whole.faults, "in \(definition)")
            }
        }
    }

    @Test("an element goes from one part to another, and a part without elements is gone")
    func moving() throws {
        var source = try Source([#"{"id":"a","t":1}"#, #"{"id":"b","t":2}"#])
        let view = try source.view(#"{"from":"orders","where":{"===":[{"var":"value.t"},1]}}"#)
        let rule = try #require(ViewPart(view.plan)).rule
        var divided = try #require(DividedList(source.director.published.list, by: rule))
        let (before, memory) = (divided, divided.memory)
        func identifiers(_ key: Int) -> [String] {
            divided.part(.number(key)).content.flatMap { $0.content.map(\.identifier) }
        }
        try source.publish(.elements(of: .section(.first), .patch(.first, ValueDraft(try json(#"{"t":2}"#)))))
        var changed = divided.update(to: source.director.published.list)
        #expect(changed == [.number(1), .number(2)])
        #expect(identifiers(1) == [] && identifiers(2) == ["a", "b"] && divided.part(.number(1)).content.isEmpty)
        #expect(divided.memory < memory && !divided.hasSamePart(.number(1), as: before))
        try source.publish(.elements(of: .section(.first), .patch(.first, ValueDraft(try json(#"{"t":1,"n":1}"#)))))
        changed = divided.update(to: source.director.published.list)
        #expect(changed == [.number(1), .number(2)] && identifiers(1) == ["a"] && identifiers(2) == ["b"])
    }

    @Test(
        "a definition whose first condition is another one needs the whole list",
        arguments: [
            #"{"or":[{"==":[{"var":"value.t"},1]},true]}"#,
            #"{"and":[{"var":"value.n"},{"==":[{"var":"value.t"},1]}]}"#,
            #"{"!=":[{"var":"value.t"},1]}"#, #"{"==":[{"var":"value.t"},{"var":"value.n"}]}"#,
            #"{"==":[{"var":"value.t"},{"var":"variables.v"}]}"#, #"{"==":[{"var":["value.t",1]},1]}"#,
            #"{"==":[{"var":"value.t"},1.5]}"#, #"{"==":[{"var":"value.t"},true]}"#,
            #"{"==":[{"var":"value.t"},null]}"#, #"{"==":[{"var":"value"},1]}"#, #"{"==":[{"var":"id"},"a"]}"#,
            #"{"==":[{"var":"value.t"},{"+":[1,1,{"var":"id"}]}]}"#,
        ])
    func wholeLists(_ condition: String) throws {
        let view = try Source().view(#"{"from":"orders","where":\#(condition)}"#)
        #expect(ViewPart(view.plan) == nil)
    }

    @Test(
        "a value that may equal many, or may not be compared, keeps the list from being divided",
        arguments: [
            (#""7""#, "==", false), (#""7""#, "===", true), ("true", "==", false), ("[7]", "===", true),
            ("7.0", "==", true), ("7.5", "==", true), ("null", "==", true), ("1e400", "==", false),
        ])
    func undivided(_ value: String, _ comparison: String, _ isDivided: Bool) throws {
        let source = try Source([#"{"id":"a","t":1}"#, #"{"id":"b","t":\#(value)}"#])
        let view = try source.view(#"{"from":"orders","where":{"\#(comparison)":[{"var":"value.t"},7]}}"#)
        let part = try #require(ViewPart(view.plan))
        #expect((DividedList(source.director.published.list, by: part.rule) != nil) == isDivided)
    }
}
