import JSONValues
import Testing

@testable import Directors

@Suite("What a hook's target answers")
struct HookAnswerTests {
    private func event(_ name: String, _ source: EventSource = .tableCell) throws -> ResolvedEvent {
        let event = try #require(EventCatalog.event(name, of: source))
        return try #require(try EventSample(event).resolved().first)
    }

    private func answer(_ body: String, to event: ResolvedEvent) throws -> HookAnswer {
        HookAnswer.decode(try node(body), to: event)
    }

    /// Values that each type has and has not.
    static let values: [(type: AnswerType, good: [String], bad: [String])] = [
        (.boolean, ["true", "false"], ["null", "0", #""true""#, "[]"]),
        (.number, ["0", "-1.5", "1e9"], ["null", "1e999", #""1""#]),
        (.height, ["0", "44.5", "-1", "-1.0", "1e9"], ["-0.5", "-2", "1e10", "null", #""44""#]),
        (.integer, ["0", "7", "7.0"], ["-1", "1.5", "null", "1e30"]),
        (.string, [#""""#, #""a""#], ["null", "1"]),
        (.optionalString, ["null", #""a""#], ["1", "[]", "\"" + String(repeating: "a", count: 4097) + "\""]),
        (
            .size, [#"{"width":0,"height":1.5}"#],
            ["[1,2]", #"{"width":1}"#, #"{"width":-1,"height":1}"#, #"{"width":1,"height":1,"x":1}"#, "null"]
        ),
        (.point, [#"{"x":-1,"y":2.5}"#], [#"{"x":1}"#, #"{"x":1,"y":"2"}"#, #"{"x":1,"y":2,"z":3}"#, "[1,2]"]),
        (.insets, ["{}", #"{"top":-1,"left":2}"#], [#"{"top":"1"}"#, #"{"above":1}"#, "0"]),
        (.indexPath, ["[0,0]", "[1,22]"], ["null", "[0]", "[0,0,0]", "[-1,0]", "[0,1.5]", #"["0","0"]"#]),
        (.optionalIndexPath, ["[0,0]", "null"], ["[]", "false"]),
        (.editStyle, [#""none""#, #""delete""#, #""insert""#], [#""remove""#, "null", "1"]),
        (
            .actions,
            [
                "null", "[]", #"[{"title":"A"}]"#, #"[{"image":"trash","style":"destructive"}]"#,
                ##"[{"title":"A","backgroundColor":"#0a0B0c"},{"title":"B","backgroundColor":"#01020304"}]"##,
                #"[{"title":"A","backgroundColor":"systemRed","identifier":"a"}]"#,
            ],
            [
                "{}", "[{}]", #"[{"style":"normal"}]"#, #"[{"title":1}]"#, #"[{"title":"A","style":"default"}]"#,
                ##"[{"title":"A","backgroundColor":"#12345"}]"##, ##"[{"title":"A","backgroundColor":"#12345g"}]"##,
                #"[{"title":"A","color":"red"}]"#,
                "[" + Array(repeating: #"{"title":"A"}"#, count: 17).joined(separator: ",") + "]",
            ]
        ),
        (
            .dragItems,
            [
                "[]", #"[{"text":"a"}]"#, #"[{"localObject":null}]"#,
                #"[{"text":"a","type":"public.url","localObject":{"id":[1]},"sourceIndexPath":[0,2]},{"text":""}]"#,
            ],
            [
                "null", "{}", "[{}]", "[1]", #"[{"type":"public.url"}]"#, #"[{"text":1}]"#,
                #"[{"text":"a","title":"b"}]"#, #"[{"text":"a","sourceIndexPath":[0]}]"#,
                #"[{"localObject":"\#(String(repeating: "a", count: 4095))"}]"#,
                "[" + Array(repeating: #"{"text":"a"}"#, count: 65).joined(separator: ",") + "]",
            ]
        ),
        (
            .dropProposal,
            [
                #"{"operation":"cancel"}"#, #"{"operation":"forbidden"}"#,
                #"{"operation":"copy","intent":"automatic"}"#,
                #"{"intent":"insertIntoDestinationIndexPath","operation":"move"}"#,
            ],
            [
                "null", #""move""#, "{}", #"{"intent":"automatic"}"#, #"{"operation":"link"}"#,
                #"{"operation":"move","intent":"insert"}"#, #"{"operation":"move","at":[0,0]}"#,
                #"{"operation":"move","intent":null}"#,
            ]
        ),
        (
            .swipeActions,
            [
                "null", "[]", #"[{"title":"A"}]"#, #"{"actions":[]}"#,
                #"{"actions":[{"title":"A"}],"performsFirstActionWithFullSwipe":false}"#,
                #"{"performsFirstActionWithFullSwipe":true,"actions":[{"image":"trash"}]}"#,
            ],
            [
                "{}", "[{}]", "true", #"{"actions":null}"#, #"{"actions":[{}]}"#, #"{"actions":{"title":"A"}}"#,
                #"{"performsFirstActionWithFullSwipe":true}"#,
                #"{"actions":[],"performsFirstActionWithFullSwipe":"no"}"#, #"{"actions":[],"fullSwipe":true}"#,
                #"{"actions":[\#(Array(repeating: #"{"title":"A"}"#, count: 17).joined(separator: ","))]}"#,
            ]
        ),
    ]

    @Test("swipe actions say what a full swipe does, and what is wrong with them by its place")
    func fullSwipe() throws {
        for name in ["leadingSwipeActions", "trailingSwipeActions"] {
            let body = #"{"value":{"actions":[{"title":"Flag"}],"performsFirstActionWithFullSwipe":false}}"#
            let answered = try answer(body, to: event(name))
            #expect(answered.faults.isEmpty)
            #expect(
                answered.values.map { $0?.text }
                    == [#"{"actions":[{"title":"Flag"}],"performsFirstActionWithFullSwipe":false}"#])
            let wrong = try answer(
                #"{"value":{"actions":[{"title":"Flag"},{}],"performsFirstActionWithFullSwipe":1}}"#, to: event(name))
            #expect(
                wrong.faults.map(\.pointer) == ["/value/actions/1", "/value/performsFirstActionWithFullSwipe"])
        }
        // UIKit's older method knows no full swipe.
        #expect(try answer(#"{"value":{"actions":[]}}"#, to: event("editActions")).values == [nil])
    }

    @Test("a type takes its values as they came in, and no others", arguments: AnswerType.allCases)
    func types(_ type: AnswerType) throws {
        let row = try #require(Self.values.first { $0.type == type })
        for text in row.good { #expect(try type.check(node(text)).text == text) }
        for text in row.bad {
            #expect(throws: RepresentationError.self, "\(type) \(text)") { try type.check(node(text)) }
        }
        #expect(try node(type.schema).kind == .object)
        #expect(type.schemaName.hasPrefix("Answer") && !type.phrase.isEmpty)
    }

    @Test("every question takes an answer of its type, and one of another type counts as none")
    func everyQuestion() throws {
        for definition in EventCatalog.forUIs {
            let event = try #require(try EventSample(definition).resolved().first)
            guard let type = definition.answerType else {
                let told = try answer(#"{"value":true}"#, to: event)
                #expect(told.values.isEmpty && told.faults.isEmpty && told.batch == nil)
                continue
            }
            let good = EventSample.value(of: type)
            let answered = try answer(#"{"value":\#(good)}"#, to: event)
            #expect(answered.values.map { $0?.text } == [good] && answered.faults.isEmpty, "\(definition.name)")
            let bad = try answer(#"{"value":{"no":"value"}}"#, to: event)
            #expect(bad.values == [nil] && bad.faults.first?.pointer.hasPrefix("/value") == true)
            let none = try answer("{}", to: event)
            #expect(none.values == [nil] && none.faults.isEmpty)
        }
    }

    @Test("an index path or a section that the list does not have counts as none: a view would end with an exception")
    func places() throws {
        func values(_ name: String, _ value: String, _ source: EventSource = .tableCell) throws -> [String?] {
            let answer = try answer(#"{"value":\#(value)}"#, to: event(name, source))
            #expect(answer.faults.count == answer.values.filter { $0 == nil }.count)
            return answer.values.map { $0?.text }
        }
        #expect(try values("willSelect", "[0,2]") == ["[0,2]"])
        #expect(try values("willSelect", "null") == ["null"])
        #expect(try values("willSelect", "[0,3]") == [nil])
        #expect(try values("willSelect", "[2,0]") == [nil])
        #expect(try values("moveAdjustDestination", "[0,3]") == ["[0,3]"])
        #expect(try values("moveAdjustDestination", "[0,4]") == [nil])
        #expect(try values("moveItemPath", "[1,1]", .collectionDirector) == ["[1,1]"])
        #expect(try values("sectionForSectionIndex", "1", .tableDirector) == ["1"])
        #expect(try values("sectionForSectionIndex", "2", .tableDirector) == [nil])
        #expect(try values("indentLevel", "2") == ["2"])
    }

    @Test("a question about several elements is answered with a value for each, or with one for all")
    func several() throws {
        let sample = try EventSample(#require(EventCatalog.event("rowHeight", of: .tableCell)))
        let report = try EventReport.decode(node(#"{"event":"rowHeight","indexPaths":[[0,0],[1,0],[0,2]]}"#))
        let event = try #require(try sample.director.resolve(report, in: sample.director.published).first)
        func values(_ body: String) throws -> ([String?], [String]) {
            let answer = try answer(body, to: event)
            return (answer.values.map { $0?.text }, answer.faults.map(\.pointer))
        }
        #expect(try values(#"{"values":[1,2.50,-1]}"#) == (["1", "2.50", "-1"], []))
        #expect(try values(#"{"values":[1,"two",3]}"#) == (["1", nil, "3"], ["/values/1"]))
        #expect(try values(#"{"values":[1,2]}"#) == ([nil, nil, nil], ["/values"]))
        #expect(try values(#"{"values":{}}"#) == ([nil, nil, nil], ["/values"]))
        #expect(try values(#"{"value":44}"#) == (["44", "44", "44"], []))
        #expect(try values("[1,2,3]") == ([nil, nil, nil], [""]))
        let one = try #require(
            try sample.director.resolve(
                EventReport.decode(node(#"{"event":"rowHeight","indexPaths":[[0,0]]}"#)), in: sample.director.published
            ).first)
        #expect(try answer(#"{"values":[7]}"#, to: one).values.map { $0?.text } == ["7"])
    }

    @Test("operations and a reload are taken with any answer; what is none of them is left aside")
    func batches() throws {
        let told = try event("didSelect")
        let body = """
            {"operations":[{"op":"removeElement","section":"one","element":"@1"}],"reload":true,
            "animations":{"elementDeleted":"fade"},"ok":"thanks"}
            """
        let batch = try #require(try answer(body, to: told).batch)
        #expect(batch.operations == [.elements(of: .section(.identifier("one")), .remove(.position(1)))])
        #expect(batch.reload && !batch.dryRun && batch.animations?.byOperation[.elementDeleted] == .fade)
        #expect(try answer(#"{"reload":true}"#, to: told).batch == OperationBatch(operations: [], reload: true))
        for nothing in ["{}", #"{"ok":1}"#, #"{"operations":[]}"#, #"{"operations":null,"reload":null}"#] {
            for answer in [try answer(nothing, to: told), HookAnswer.decodeNotification(try node(nothing))] {
                #expect(answer.batch == nil && answer.faults.isEmpty && answer.values.isEmpty)
            }
        }
        #expect(HookAnswer.decodeNotification(try node(body)).batch == batch)
        #expect(HookAnswer.decodeNotification(try node("[]")).faults.map(\.pointer) == [""])
        let bad = try answer(#"{"operations":[{"op":"removeAll"}],"reload":true}"#, to: told)
        #expect(bad.batch == nil && bad.faults.map(\.pointer) == ["/operations/0/op"])
        let asked = try answer(#"{"value":1,"reload":"yes"}"#, to: event("canEditRow"))
        #expect(asked.faults.map(\.pointer) == ["/value", "/reload"] && asked.batch == nil)
    }
}
