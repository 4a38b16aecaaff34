import JSONValues
import Notation
import TestSupport
import Testing

@Suite("Numbers to compute with")
struct ComputableNumberTests {
    private func form(_ text: String) throws -> String {
        switch try #require(try JSONDocument(text).root.number) {
        case .integer(let int): "integer \(int)"
        case .double(let double): "double \(double)"
        case .decimal: "decimal"
        }
    }

    @Test(
        "a number has the first form that holds it without loss",
        arguments: [
            ("0", "integer 0"), ("-0.0e5", "integer 0"), ("10.0", "integer 10"), ("1e1", "integer 10"),
            ("-120e-1", "integer -12"), ("9223372036854775807", "integer 9223372036854775807"),
            ("9223372036854775808", "decimal"), ("9223372036854775808e1", "decimal"),
            ("9007199254740993", "integer 9007199254740993"),
            ("0.1", "double 0.1"), ("-2.5e-3", "double -0.0025"), ("1e300", "double 1e+300"), ("1e22", "double 1e+22"),
            ("5e-324", "double 5e-324"), ("1e-400", "decimal"), ("1e400", "decimal"),
            ("0.10000000000000001", "decimal"), ("0.30000000000000004", "double 0.30000000000000004"),
            ("1e99999999999999999999", "decimal"), ("1e-99999", "decimal"),
        ])
    func forms(_ row: (String, String)) throws {
        #expect(try form(row.0) == row.1)
    }

    @Test("what is no number has none")
    func none() throws {
        #expect(try JSONDocument("\"1\"").root.number == nil)
        #expect(try JSONDocument("\"1\"").root.shortInteger == nil)
    }

    @Test("the quick way gives the nearest double, as the standard library does")
    func nearest() throws {
        let seed = SeededGenerator.seedOfRun("nearest doubles")
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<20_000 {
            let digits = Int.random(in: -999_999_999_999_999...999_999_999_999_999, using: &generator)
            let text = "\(digits)e\(Int.random(in: -30...25, using: &generator))"
            guard case .double(let double)? = try JSONDocument(text).root.number else { continue }
            #expect(double == Double(text), "\(text), seed \(seed)")
        }
    }

    @Test("short integers are read as what they are")
    func shortIntegers() throws {
        for (text, value) in [("0", 0), ("-0", 0), ("-12", -12), ("12345678901234567", 12_345_678_901_234_567)] {
            #expect(try JSONDocument(text).root.shortInteger == value)
        }
        for text in ["1.0", "1e1", "123456789012345678", "null", "[1]"] {
            #expect(try JSONDocument(text).root.shortInteger == nil)
        }
    }

    @Test("numbers are in their order, whatever their size")
    func order() throws {
        let texts = [
            "-1e100000000000000000000", "-1e99999999999999999999", "-1e400", "-12", "-2", "-1.5", "-1e-400",
            "-1e-99999999999999999999", "0", "1e-100000000000000000000", "1e-99999999999999999999", "1e-400", "0.9",
            "0.91", "1", "10", "11", "2e1", "1e400", "1e99999999999999999999", "1e100000000000000000000",
        ]
        let numbers = texts.map { DecimalNumber(Array($0.utf8)[...]) }
        for (place, number) in numbers.enumerated() {
            for (other, another) in numbers.enumerated() {
                #expect((number < another) == (place < other), "\(texts[place]) \(texts[other])")
            }
            #expect(number.negated.negated == number)
        }
    }
}

@Suite("Steps inwards")
struct StepTests {
    private func reading(_ names: [String], in text: String) throws -> (String?, passed: Int) {
        var steps = JSONSteps()
        for name in names { steps.append(name) }
        var (node, passed) = (try JSONDocument(text).root, 0)
        let isThere = node.descend(0..<names.count, of: steps, passed: &passed)
        return (isThere ? node.value.text : nil, passed)
    }

    @Test(
        "a step leads to a member or an element, or nowhere",
        arguments: [
            ([], "[1]"), (["a"], "1"), (["b", "1"], "3"), (["b", "01"], nil), (["b", "2"], nil), (["a", "x"], nil),
            (["b", "length"], nil), (["esc"], "4"), (["longer than sixteen bytes"], "5"),
            (["longer than sixteen bites"], nil),
            ([""], "6"), (["eightlet"], "7"), (["é"], "8"),
        ] as [([String], String?)])
    func leads(_ row: ([String], String?)) throws {
        let text =
            #"{"a":1,"b":[2,3],"e\u0073c":4,"longer than sixteen bytes":5,"":6,"eightlet":7,"é":8}"#
        #expect(try reading(row.0, in: row.0.isEmpty ? "[1]" : text).0 == row.1)
    }

    @Test("what is passed is counted")
    func passed() throws {
        #expect(try reading(["c", "2"], in: #"{"a":1,"b":2,"c":[3,4,5]}"#).passed == 5)
        #expect(try reading(["x"], in: #"{"a":1,"b":2}"#).passed == 2)
    }

    @Test("names are found among others by their bytes")
    func places() {
        var (own, other) = (JSONSteps(), JSONSteps())
        for name in ["a", "same sixteen bytes, one", "same sixteen bytes, two", "e\u{301}"] { own.append(name) }
        for name in ["same sixteen bytes, two", "same sixteen bytes", "é", "a"] { other.append(name) }
        #expect((0..<4).map { own.place(of: $0, in: other) } == [2, nil, nil, 0])
        #expect(own.name(at: 2) == "same sixteen bytes, two")
    }
}
