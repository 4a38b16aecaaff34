import JSONLogic
import JSONValues
import Testing

@Suite("Numbers")
struct NumberTests {
    @Test(
        "arithmetic on integers is exact, and elsewhere that of doubles",
        arguments: [
            Case(#"{"+":[]}"#, "0"), Case(#"{"*":[]}"#, "1"), Case(#"{"+":"-7.50"}"#, "-7.5"), Case(#"{"-":3}"#, "-3"),
            Case(#"{"/":4}"#, "0.25"), Case(#"{"+":[1,"2",true,null,""]}"#, "4"), Case(#"{"-":[10,1,2]}"#, "7"),
            Case(#"{"*":["3",1.5]}"#, "4.5"), Case(#"{"/":[9,3]}"#, "3"), Case(#"{"/":[9,2]}"#, "4.5"),
            Case(#"{"/":[9,2,3]}"#, "1.5"), Case(#"{"+":[1.5,1.5]}"#, "3"),
            Case(#"{"+":[0.1,0.2]}"#, "0.30000000000000004"),
            Case(#"{"%":[-7,3]}"#, "-1"), Case(#"{"%":[7,-3]}"#, "1"), Case(#"{"%":[7.5,2]}"#, "1.5"),
            Case(#"{"%":[17,10,4]}"#, "3"), Case(#"{"*":[-0.5,0]}"#, "0"), Case(#"{"-":0}"#, "0"),
            Case(#"{"+":{"var":""}}"#, "[1,2,3]", "6"), Case(#"{"-":{"var":""}}"#, "[5]", "-5"),
            Case(#"{"+":[9223372036854775806,1]}"#, "9223372036854775807"),
            Case(#"{"-":[-9223372036854775807,1]}"#, "-9223372036854775808"),
            Case(#"{"%":[-9223372036854775808,-1]}"#, "0"),
            Case(#"{"+":[9007199254740993,2]}"#, "9007199254740995"),
            Case(#"{"+":["9007199254740993",0]}"#, "9007199254740993"),
            Case(#"{"*":[1e300,2]}"#, "2e+300"), Case(#"{"+":[2251799813685248.5,0.5]}"#, "2251799813685249"),
        ])
    func results(_ row: Case) throws {
        #expect(try evaluate(row.expression, row.data) == row.value)
    }

    @Test(
        "what is out of range, or would lose whole numbers, is an error",
        arguments: [
            (#"{"+":[9223372036854775807,1]}"#, LogicEvaluationError.Reason.overflow),
            (#"{"-":[-9223372036854775808,1]}"#, .overflow), (#"{"-":-9223372036854775808}"#, .overflow),
            (#"{"*":[4294967296,4294967296]}"#, .overflow), (#"{"/":[-9223372036854775808,-1]}"#, .overflow),
            (#"{"*":[1e300,1e300]}"#, .overflow), (#"{"+":[9007199254740993,0.5]}"#, .inexact),
            (#"{"/":[9007199254740993,2]}"#, .inexact), (#"{"+":[9007199254740992,0.5]}"#, .inexact),
            (#"{"*":[9007199254740991,1.5]}"#, .inexact), (#"{"+":[12345678901234567890123,1]}"#, .inexact),
            (#"{"+":[1e400,1]}"#, .inexact), (#"{"+":[1e-400,1]}"#, .inexact),
            (#"{"/":[1,0]}"#, .divisionByZero), (#"{"/":[0,0.0]}"#, .divisionByZero), (#"{"/":""}"#, .divisionByZero),
            (#"{"%":[1,null]}"#, .divisionByZero), (#"{"+":["three"]}"#, .notNumber(.string)),
            (#"{"+":[[1]]}"#, .notNumber(.array)), (#"{"*":{}}"#, .notNumber(.object)),
        ])
    func losses(_ row: (String, LogicEvaluationError.Reason)) throws {
        #expect(try failure(row.0)?.reason == row.1)
    }

    @Test(
        "numbers of any size compare exactly",
        arguments: [
            ("9007199254740992.0", "9007199254740993"), ("9007199254740992.5", "9007199254740993"),
            ("9223372036854775807", "9223372036854775808"), ("-9223372036854775809", "-9223372036854775808"),
            ("0.1", "0.10000000000000000000001"), ("1e300", "1e400"), ("-1e400", "-1e300"), ("1e-401", "1e-400"),
            ("-1e99999999999999999999", "0"), ("0", "1e-99999999999999999999"), ("-1.5", "-1"), ("1", "1.5"),
            ("-2", "-1.5"), ("9223372036854775807", "9.3e18"), ("-9.3e18", "-9223372036854775808"),
            ("1e99999999999999999999", "1e100000000000000000000"), ("12345678901234567890", "12345678901234567891"),
        ])
    func order(_ pair: (String, String)) throws {
        for (one, other) in [pair, ("\"\(pair.0)\"", pair.1), (pair.0, "\"\(pair.1)\"")] {
            let data = #"{"a":\#(one),"b":\#(other)}"#
            #expect(try evaluate(#"{"<":[{"var":"a"},{"var":"b"}]}"#, data) == "true", "\(data)")
            #expect(try evaluate(#"{">":[{"var":"a"},{"var":"b"}]}"#, data) == "false", "\(data)")
            #expect(try evaluate(#"{"==":[{"var":"a"},{"var":"b"}]}"#, data) == "false", "\(data)")
            #expect(try evaluate(#"{"==":[{"var":"a"},{"var":"a"}]}"#, data) == "true", "\(data)")
        }
    }

    @Test("a number that cannot be computed with passes through with its digits")
    func digits() throws {
        let huge = "[1.00,1E+400,123456789012345678901234567890.50]"
        #expect(try evaluate(#"{"var":""}"#, huge) == huge)
        #expect(try evaluate(#"{"max":{"var":""}}"#, huge) == "1E+400")
        #expect(try evaluate(#"{"min":[{"var":"0"},{"var":"2"}]}"#, huge) == "1.00")
        #expect(try evaluate(#"{"cat":[{"var":"2"}]}"#, huge) == "\"123456789012345678901234567890.50\"")
        #expect(try evaluate(#"{"-":{"var":"1"}}"#, huge) == "-1e400")
    }

    @Test(
        "max and min take arguments as numbers",
        arguments: [
            Case(#"{"max":["3",20,true]}"#, "20"), Case(#"{"min":["3",20]}"#, "3"), Case(#"{"max":5}"#, "5"),
            Case(#"{"max":{"var":""}}"#, "[4,9,2]", "9"), Case(#"{"min":[null,1]}"#, "0"),
        ])
    func extremes(_ row: Case) throws {
        #expect(try evaluate(row.expression, row.data) == row.value)
    }

    @Test("max and min of nothing, and % of one, have no value")
    func tooFew() throws {
        #expect(try refusal(#"{"max":[]}"#)?.pointer == "/max")
        #expect(try failure(#"{"max":{"var":""}}"#, "[]")?.reason == .argumentCount)
        #expect(try failure(#"{"%":{"var":""}}"#, "[1]")?.reason == .argumentCount)
        #expect(try failure(#"{"-":{"var":""}}"#, "[]")?.reason == .argumentCount)
    }
}
