import CallboardClient
import Directors
import TestSupport
import Testing

@testable import CallboardProgram

@Suite("Answers of a listener")
struct ListenAnswerTests {
    private static func json(_ text: String) throws -> JSON { try JSON(parsing: text) }

    // MARK: Templates

    @Test(
        "names in braces become parts of the event, and other braces stay",
        arguments: [
            (#""{section}""#, #""AD""#), (#""{element}""#, #""AD-07""#), (#""{/indexPath}""#, "[5,0]"),
            (#""{/indexPath/0}""#, "5"), (#""{/element/value/height}""#, "44.5"),
            (#""Delete {/element/value/name}?""#, #""Delete Andorra la Vella?""#),
            (#""{section}/{element}: {/indexPath}""#, #""AD/AD-07: [5,0]""#),
            (
                #"[{"op":"removeElement","section":"{section}","element":"{element}"},7,null,true]"#,
                #"[{"op":"removeElement","section":"AD","element":"AD-07"},7,null,true]"#
            ),
            (#""{""#, #""{""#), (#""{}""#, #""{}""#), (#""{name}""#, #""{name}""#),
            (#""{ {element} }""#, #""{ AD-07 }""#),
            (#""{{element}}""#, #""{AD-07}""#), (#""{element""#, #""{element""#),
            (#"{"{element}":1}"#, #"{"{element}":1}"#),
        ])
    func templates(text: String, expected: String) throws {
        let template = AnswerTemplate(try Self.json(text))
        var room = 1_000
        #expect(try template.value(in: [Messages.item], room: &room).text == expected)
        #expect(template.hasNames == (text != expected))
    }

    @Test(
        "a part that the event does not have is named",
        arguments: ["{element}", "{/parameters/style}", "{/}", "a {/x~2}"])
    func missing(text: String) {
        let template = AnswerTemplate(.string(text))
        let name = String(text.drop { $0 != "{" })
        var room = 1_000
        #expect(throws: AnswerTemplate.Fault.missing(name)) { try template.value(in: [["header": 0]], room: &room) }
    }

    // MARK: Arguments

    @Test(
        "an answer is JSON, or else a text",
        arguments: [
            ("rowHeight=44", "rowHeight", "44"), ("canEditRow=false", "canEditRow", "false"),
            ("willSelect=[0,1]", "willSelect", "[0,1]"), ("willSelect=null", "willSelect", "null"),
            ("itemSize={\"width\": 1, \"height\": 2}", "itemSize", #"{"width":1,"height":2}"#),
            ("deleteConfirmTitle=Remove it", "deleteConfirmTitle", #""Remove it""#),
            ("deleteConfirmTitle=a=b", "deleteConfirmTitle", #""a=b""#),
            ("deleteConfirmTitle={element}", "deleteConfirmTitle", #""{element}""#),
            ("editStyle=insert", "editStyle", #""insert""#), ("editStyle=\"insert\"", "editStyle", #""insert""#),
        ])
    func arguments(argument: String, event: String, value: String) throws {
        let answer = try AnswerArgument(argument)
        #expect(answer.event == event)
        #expect(answer.value.json.text == value)
        #expect(answer.doubt == nil)
    }

    @Test(
        "what cannot be an answer is refused with what would be right",
        arguments: [
            ("rowHeight", "such as rowHeight=44"), ("rowHeight=", "such as"), ("=44", "such as"), ("", "such as"),
            ("rowHigh=44", "did you mean rowHeight?"), ("nothingOfTheKind=1", "Event hooks"),
            ("didSelect=true", "--operations"), ("willSelect=[0,", "not JSON"), ("editStyle=\"insert", "not JSON"),
            ("itemSize={\"width\":", "not JSON"),
        ])
    func refusedArguments(argument: String, part: String) async {
        let error = await programError { try AnswerArgument(argument) }
        #expect(error?.description.contains(part) == true)
        #expect(throws: (any Error).self) { try ListenCommand.parse(["0", "--answer", argument]) }
    }

    @Test(
        "a value that a server will not take is doubted, and used all the same",
        arguments: [
            ("rowHeight=tall", "a number"), ("willSelect=3", "an index path"),
            ("editStyle=big", "none, delete or insert"),
        ])
    func doubts(argument: String, part: String) throws {
        let answer = try AnswerArgument(argument)
        #expect(answer.doubt?.contains(part) == true)
        let options = try ListenCommand.parse(["0", "--answer", argument]).answers
        let (plan, doubts) = try options.plan()
        #expect(doubts == [answer.doubt])
        #expect(plan.values[answer.event] == answer.value)
    }

    @Test("operations come from the argument or a file, one of them or several")
    func operations() throws {
        let remove = #"{"op":"removeElement","section":"{section}","element":"{element}"}"#
        let fixture = try DataFolderFixture()
        try fixture.write("[\(remove)]", to: "operations.json")
        for argument in ["[\(remove)]", remove, "@" + fixture.file("operations.json")] {
            let operations = try OperationsArgument.read(argument)
            #expect(operations.json.text == "[\(remove)]")
            #expect(OperationsArgument.doubt(operations) == nil)
        }
        #expect(OperationsArgument.doubt(AnswerTemplate([["op": "remove"]]))?.contains("removeElement") == true)
        // What a pointer leads to is known only when an event comes.
        let copy = try OperationsArgument.read(#"[{"op":"addElements","section":"x","elements":["{/element}"]}]"#)
        #expect(OperationsArgument.doubt(copy) == nil)
    }

    @Test("what is no list of operations is refused", arguments: ["[", "7", #"{"a":1}"#, "@/nowhere/at.all", ""])
    func badOperations(argument: String) async {
        let error = await programError { try OperationsArgument.read(argument) }
        #expect(error?.status == (argument.hasPrefix("@") ? .noInput : .usage))
    }

    @Test(
        "times are read with their unit",
        arguments: [
            ("10s", 10_000), ("250ms", 250), ("2m", 120_000), ("1h", 3_600_000), ("1.5", 1500), ("0", 0),
            ("x", nil), ("", nil), ("-1s", nil), ("s", nil), ("25h", nil), ("nan", nil), ("inf", nil), ("1e400", nil),
        ] as [(String, Int?)])
    func times(text: String, milliseconds: Int?) {
        #expect(SpanArgument(argument: text)?.duration == milliseconds.map { .milliseconds($0) })
    }

    // MARK: Plans

    @Test("an event has one kind and one type of answer, whatever it comes from")
    func oneType() {
        for (name, events) in Dictionary(grouping: EventCatalog.all, by: \.name) {
            #expect(Set(events.map(\.answerType)).count == 1, "\(name)")
        }
    }

    @Test("every event of the catalogue can be answered: a question with an object, a notification with nothing")
    func everyEvent() throws {
        for event in EventCatalog.all {
            let answer = AnswerPlan().answer(to: try Messages.event(event.name), failures: 0)
            #expect(answer.status == (event.answerType == nil ? 204 : 200), "\(event.name)")
            #expect(answer.body?.text == (event.answerType == nil ? nil : "{}"), "\(event.name)")
            #expect((answer.note == nil) == (event.answerType == nil), "\(event.name)")
        }
    }

    @Test("a question about several elements has a value for each")
    func batch() throws {
        let items: JSON = .array(
            (0..<3).map { ["element": ["id": .string("e\($0)")], "indexPath": [0, .number(JSONNumber($0))]] })
        let plan = AnswerPlan(values: [
            "rowHeight": AnswerTemplate("{/indexPath/1}"), "canEditRow": AnswerTemplate(false),
            "indentLevel": AnswerTemplate("{/version}"),
        ])
        for (event, values) in [
            ("rowHeight", "[0,1,2]"), ("canEditRow", "[false,false,false]"), ("indentLevel", "[3,3,3]"),
        ] {
            let answer = plan.answer(to: try Messages.event(event, ["items": items]), failures: 0)
            #expect(answer.body?.text == #"{"values":\#(values)}"#)
        }
    }

    @Test("operations and a reload go with the events that they are meant for")
    func operationsOfEvents() throws {
        let operations = try OperationsArgument.read(
            #"{"op":"removeElement","section":"{section}","element":"{element}"}"#)
        let asked = #""operations":[{"op":"removeElement","section":"AD","element":"AD-07"}],"reload":true"#
        var plan = AnswerPlan(values: ["rowHeight": AnswerTemplate(44)], operations: operations, reloads: true)
        func body(_ type: String, _ data: JSON = Messages.item) throws -> String? {
            plan.answer(to: try Messages.event(type, data), failures: 0).body?.text
        }
        #expect(try body("didSelect") == "{\(asked)}")
        #expect(try body("rowHeight") == #"{"value":44,\#(asked)}"#)
        plan.events = ["didSelect"]
        #expect(try body("didSelect") == "{\(asked)}")
        #expect(try body("rowHeight") == #"{"value":44}"#)
        #expect(try body("didDeselect") == nil)
        // Half of what was meant would be worse than nothing.
        let answer = plan.answer(to: try Messages.event("didSelect", ["header": 0]), failures: 0)
        #expect(answer.status == 204 && answer.body == nil)
        #expect(answer.note?.contains("{section}") == true)
    }

    @Test("failures are counted, and end where they should")
    func failures() throws {
        var plan = AnswerPlan(failure: .init(status: 503, count: 2, retryAfter: 7), delay: .seconds(1))
        let event = try Messages.event("didSelect")
        let answers = (0..<3).map { plan.answer(to: event, failures: $0) }
        #expect(answers.map(\.status) == [503, 503, 204])
        #expect(answers.map(\.retryAfter) == [7, 7, nil])
        #expect(answers.allSatisfy { $0.delay == .seconds(1) && $0.body == nil })
        plan.failure?.count = nil
        #expect(plan.answer(to: event, failures: 1_000_000).status == 503)
        plan.events = ["rowHeight"]
        let other = plan.answer(to: event, failures: 0)
        #expect(other.status == 204 && other.delay == nil)
    }

    @Test("an answer that would be longer than anyone reads is not made")
    func tooLong() throws {
        var plan = AnswerPlan(values: ["deleteConfirmTitle": AnswerTemplate("{/director}")])
        let event = try Messages.event("deleteConfirmTitle", ["items": [0, 1, 2]])
        let value = #""countries""#
        plan.maximumLength = 3 * value.utf8.count
        #expect(plan.answer(to: event, failures: 0).body?.text == #"{"values":[\#(value),\#(value),\#(value)]}"#)
        plan.maximumLength -= 1
        let answer = plan.answer(to: event, failures: 0)
        #expect(answer.body?.text == "{}")
        #expect(answer.note?.contains("too long") == true)
    }

    @Test("names that stand for more than anyone reads are not put in, however often they are named")
    func longNames() throws {
        let text = String(repeating: "{/director}", count: 1_000)
        let event = try Messages.event("didSelect")
        let length = #""countries""#.utf8.count
        for template in [
            AnswerTemplate(.string(text)), AnswerTemplate(.array(Array(repeating: "{/director}", count: 1_000))),
        ] {
            for isQuestion in [false, true] {
                var plan = AnswerPlan()
                if isQuestion { plan.values = ["didSelect": template] } else { plan.operations = template }
                plan.maximumLength = 1_000 * length
                #expect(plan.answer(to: event, failures: 0).note == nil)
                plan.maximumLength -= 1
                #expect(plan.answer(to: event, failures: 0).note?.contains("too long") == true)
            }
        }
    }

    @Test(
        "the time that names are looked for in grows with the text, not with its square",
        arguments: [("{", ""), ("{", "}"), ("{/", ""), ("{}", "")])
    func bracesAreLinear(part: String, end: String) {
        let growth = growthOfEightfold(8_000) { count in
            let template = AnswerTemplate(.string(String(repeating: part, count: count) + end))
            return processorTime { #expect(!template.hasNames) }
        }
        #expect(growth < 24)
    }

    @Test(
        "flags that do not go together are refused",
        arguments: [
            ["--status", "200"], ["--status", "600"], ["--fail-first", "0"], ["--retry-after", "3"], ["--count", "0"],
            ["--delay", "soon"], ["--on", "didselect"], ["--secret", "whsec_short"],
            ["--answer", "rowHeight=1", "--answer", "rowHeight=2"],
        ])
    func flags(arguments: [String]) {
        let error = #expect(throws: (any Error).self) { try ListenCommand.parse(["0"] + arguments) }
        #expect(error.map { CallboardCommand.exitCode(for: $0).rawValue } == 64)
        #expect(error.map { !CallboardCommand.message(for: $0).contains("whsec_short") } == true)
    }

    @Test("a plan is what the flags say")
    func plan() throws {
        let command = try ListenCommand.parse([
            "9000", "--answer", "rowHeight=44", "--reload", "--on", "didSelect", "--on", "rowHeight", "--fail-first",
            "3",
            "--retry-after", "1500ms", "--delay", "10s",
        ])
        var (plan, doubts) = try command.answers.plan()
        command.misbehaviour.apply(to: &plan)
        #expect(doubts.isEmpty)
        #expect(
            plan
                == AnswerPlan(
                    values: ["rowHeight": AnswerTemplate(44)], reloads: true, events: ["didSelect", "rowHeight"],
                    failure: .init(status: 500, count: 3, retryAfter: 2), delay: .seconds(10)))
        #expect(command.host == "127.0.0.1" && command.port == 9000)
    }
}
