import JSONValues
import Testing

@testable import JSONLogic

/// That operators take steps for arguments that are dear to read: numbers of many digits and with exponents, computed
/// paths, escapes, and values that an expression has built.
@Suite("What dear arguments cost")
struct DearArgumentTests {
    private static let count = 500

    /// Expressions on ``data``, and the fewest steps that each has to take.
    static let forms: [(form: String, steps: Int)] = [
        // 60 digits are read and compared.
        (#"{"max":{"var":"spelled"}}"#, count * 17), (#"{"min":{"var":"spelled"}}"#, count * 17),
        (#"{"max":{"var":"mixed"}}"#, count * 20), (#"{"max":{"var":"doubles"}}"#, count * 12),
        (#"{"<":[{"var":"digits"},0.1]}"#, 17 + 10), (#"{"==":[{"var":"double"},{"var":"double"}]}"#, 2 * 12),
        (#"{"===":[{"var":"double"},{"var":"double"}]}"#, 2 * 12), (#"{"-":{"var":"digits"}}"#, 2 * 17),
        (#"{"+":[{"var":"double"},1]}"#, 12), (#"{"cat":{"var":"doubles"}}"#, count * 12),
        (#"{"substr":[{"var":"double"},0,1]}"#, 14), (#"{"+":{"var":"short"}}"#, count * 2),
        // Paths that are computed.
        (#"{"val":[{"cat":["di","gits"]}]}"#, 12), (#"{"val":{"var":"path"}}"#, 16),
        (#"{"var":{"cat":["object",".a"]}}"#, 16),
        (#"{"exists":["object",{"cat":["a"]}]}"#, 16), (#"{"missing":{"var":"paths"}}"#, count * 16),
        (#"{"missing_some":[1,{"var":"paths"}]}"#, count * 16), (#"{"var":{"var":"points"}}"#, 1_000 * 4),
        // Texts whose escapes are decoded, also where the answer is at hand then.
        (#"{"in":["zz",{"var":"escaped"}]}"#, 12_000 / 64), (#"{"in":["",{"var":"escaped"}]}"#, 12_000 / 64),
        (#"{"in":[{"var":"longer"},{"var":"escaped"}]}"#, 36_000 / 64),
        (#"{"<":[{"var":"escaped"},"a"]}"#, 12_000 / 64),
        (#"{"cat":[{"var":"escaped"}]}"#, 12_000 / 64), (#"{"substr":[{"var":"escaped"},1]}"#, 12_000 / 64),
        // A part of a text is made of its own.
        (#"{"substr":[{"var":"alike"},1]}"#, 5),
        // Parts that are alike for long, in a text that is short.
        ("{\"in\":[\"\(String(repeating: "t", count: 63))s\",{\"var\":\"alike\"}]}", 64 * 63 / 64),
        // What an expression has built is written and read for a comparison.
        (#"{"===":[[{"var":"digits"}],[{"var":"digits"}]]}"#, 2 * 13),
        (#"{"in":[[{"var":"a"}],{"var":"lists"}]}"#, count * 12),
        (#"{"in":[[2],{"var":"lists"}]}"#, count * 3), (#"{"reduce":[{"var":"lists"},1,0]}"#, count * 5),
        (#"{"map":[{"var":"lists"},{"!":{"val":[[2]]}}]}"#, count * 6),
        ("{\"==\":[\(Array(repeating: "\"a\"", count: count).joined(separator: ",")),{\"var\":\"none\"}]}", count),
    ]

    private static let data: String = {
        func list(_ element: String) -> String {
            "[" + Array(repeating: element, count: count).joined(separator: ",") + "]"
        }
        func quoted(_ part: String, _ count: Int) -> String { "\"" + String(repeating: part, count: count) + "\"" }
        let (digits, double) = ("1" + String(repeating: "7", count: 59), "1.2345678901234567e-300")
        let members = [
            ("spelled", list("\"\(digits)\"")), ("mixed", list("\(digits),0.5")), ("doubles", list(double)),
            ("digits", digits), ("double", double), ("short", list("\"1.5\"")), ("path", #"["object","a"]"#),
            ("object", #"{"a":1}"#), ("paths", list("\"object.a\"")), ("points", quoted(".", 1_000)),
            ("escaped", quoted("\\u00e9", 1_000)), ("longer", quoted("\\u00e9", 2_000)), ("alike", quoted("t", 126)),
            ("lists", list("[1]")),
        ]
        return "{" + members.map { "\"\($0)\":\($1)" }.joined(separator: ",") + "}"
    }()

    @Test("a dear argument takes steps", arguments: forms.indices)
    func prices(place: Int) throws {
        let (form, least) = Self.forms[place]
        var members: KeyValuePairs<String, LogicValue> { ["data": .json(document.root), "b": .null] }
        let document = try JSONDocument(Self.data)
        let data = form.contains("[[2]]}") ? LogicData(members: members) : LogicData(.json(document.root))
        let written = form.contains("[[2]]}") ? form.replacing("\"lists\"", with: "\"data.lists\"") : form
        var steps = 0
        _ = try read(written).evaluate(data, addingSteps: &steps)
        #expect(steps >= least, "\(form.prefix(80)) takes \(steps) steps of \(least)")
    }

    @Test("plain arguments take few steps, so that usual rules stay far from the limits")
    func plain() throws {
        let data = LogicData(.json(try JSONDocument(#"{"a":5,"b":1.5,"t":"Ada","o":{"c":true}}"#).root))
        for (form, most) in [
            (#"{"if":[{">":[{"var":"a"},60]},60,44]}"#, 3), (#"{"==":[{"var":"t"},"Ada"]}"#, 2),
            (#"{"+":[{"var":"a"},{"var":"b"}]}"#, 4), (#"{"cat":[{"var":"t"}," ",{"var":"a"}]}"#, 3),
            (#"{"!":{"var":"o.c"}}"#, 2), (#"{"<":[{"var":"b"},2.5]}"#, 4),
        ] {
            var steps = 0
            _ = try read(form).evaluate(data, addingSteps: &steps)
            #expect(steps <= most, "\(form) takes \(steps) steps")
        }
    }

    @Test("what a literal operation was made of is not kept, and a long text is not joined ahead of time")
    func folding() throws {
        var code = LogicCode()
        for (form, constants) in [
            (#"{"cat":[{"cat":[{"cat":["a","b"]},"c"]},"d"]}"#, 1), (#"[[[1,2],3],{"+":[1,2]}]"#, 1),
        ] {
            var compiler = LogicCompiler(limits: LogicLimits())
            try compiler.compile(JSONDocument(form).root)
            code = compiler.code
            #expect(
                code.constants.count == constants && code.operands.isEmpty && code.instructions.count == 1, "\(form)")
        }
        let long = String(repeating: "a", count: 2_000)
        var compiler = LogicCompiler(limits: LogicLimits())
        try compiler.compile(JSONDocument("{\"cat\":[\"\(long)\",\"b\"]}").root)
        #expect(compiler.code.constants.map(\.size).max() ?? 0 <= 2_002)
    }
}
